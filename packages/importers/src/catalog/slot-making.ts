import type { Operation } from "../document/operation.ts";
import { shapeOf } from "../document/schema-shape.ts";
import type { DocumentObject } from "../json.ts";
import { catalogName, reserveName } from "../names/free-name.ts";
import { folded } from "../names/words.ts";
import type { DraftExpression, Role, SlotDraft } from "./capability-draft.ts";
import type { EntityDraft } from "./entity-draft.ts";
import { slotValue } from "./entity-fields.ts";
import { sameForm } from "./entity-keys.ts";
import type { Entities } from "./find-entities.ts";
import type { PathName } from "./path-names.ts";
import type { ValueTable } from "./value-table.ts";

/** What slots of a capability are made with. */
export interface SlotScene {
  readonly entity: EntityDraft;
  readonly entities: Entities;
  readonly values: ValueTable;
  readonly operation: Operation;
  /** how many variables of the path are the key of the row that it is called on */
  readonly anchored: number;
  readonly path: readonly PathName[];
  /** parameters that paging takes */
  readonly paged: ReadonlySet<string>;
  /** members of the body that paging takes */
  readonly pagedBody?: ReadonlySet<string>;
  readonly kind: "list" | "read" | "write";
  /** the entity whose key a field of this name is, where the rows have one */
  readonly fieldRefs: ReadonlyMap<string, EntityDraft | null>;
  /** the words of a name → the field of the rows that has them, however they are written */
  readonly fieldNames: ReadonlyMap<string, string>;
}

/** Slots in the making, and the names that are taken. */
export interface Making {
  readonly scene: SlotScene;
  readonly taken: Set<string>;
  readonly slots: SlotDraft[];
}

export const variable = (name: string): DraftExpression => ({ type: "var", name });

const SORTS = new Set(["sort", "sortby", "orderby", "sortfield"]);
const DIRECTIONS = new Set([
  "direction",
  "order",
  "sortdirection",
  "sortorder",
  "orderdirection",
  "dir",
]);
const CONTROLS = new Set([
  "fields",
  "include",
  "includes",
  "expand",
  "embed",
  "format",
  "pretty",
  "view",
]);

/** What a list's argument is for beside choosing rows; null for all else. */
export function roleOf(name: string, kind: SlotScene["kind"]): Role | null {
  if (kind !== "list") return null;
  const key = folded(name);
  if (SORTS.has(key)) return "sort";
  if (DIRECTIONS.has(key)) return "sort_direction";
  return CONTROLS.has(key) ? "response_control" : null;
}

/** A reference must be to what the field of its name refers to (CAT-076); else it is plain. */
export function typeOf(making: Making, name: string, property: string, schema: DocumentObject) {
  const { scene } = making;
  const { entity, values, fieldRefs } = scene;
  const found = slotValue(scene, schema, property, entity.snake);
  const field = fieldRefs.get(name);
  // What rows refer to under this name is what an argument of the same form means.
  const [key, second] = field?.key ?? [];
  const isSame = key !== undefined && second === undefined && sameForm(key.schema, schema);
  if (found.ref === null && field !== undefined && field !== null && isSame)
    return { value: values.ofEntity(field), ref: field };
  const isOther =
    found.ref !== null && field !== undefined && field !== null && field !== found.ref;
  const clash = isOther && scene.kind !== "write";
  const value = clash
    ? values.ofShape(shapeOf(schema, property), property, entity.snake)
    : found.value;
  return { value, ref: clash ? null : found.ref };
}

/** Takes a name that is free for a slot: that of the field which it is in rows, `sms_url` for what is sent as `SmsUrl`. */
export function take(making: Making, wanted: string): string {
  const { fieldRefs, fieldNames } = making.scene;
  const own = catalogName(wanted, "value");
  const field = fieldRefs.has(own) ? undefined : fieldNames.get(folded(wanted));
  const plain = field === undefined || making.taken.has(field) ? own : field;
  return reserveName(making.taken, plain === "input" ? "input_value" : plain);
}

/** What a part of a request has, by the names that it is sent under. */
export type Members = readonly (readonly [string, DraftExpression])[];
