import { catalogOf, type EntityKey } from "../catalog/federation.ts";
import { type ValueType, valueTypeText } from "../values/value-type.ts";
import type { InputType, Slot } from "../model/input.ts";
import { keyParts } from "../model/lookups.ts";
import type { Exposure } from "../symbols/exposure.ts";

/** How many rows there can be: exactly one, at most one, any number (LANG-060). */
export type Card = "one" | "opt" | "many";

/** A declared type and the catalog whose entities its references mean; null for none. */
export interface ColumnType {
  readonly entryId: string | null;
  readonly type: ValueType;
}

/** A named value of a row; a to-one path is one name with dots (LANG-064). */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** What is known of the rows of a node before it runs (LANG-060). */
export interface RowType {
  readonly card: Card;
  /** the entity whose identity the rows carry, or null */
  readonly entity: EntityKey | null;
  /** null: whole rows of `entity` */
  readonly columns: readonly Column[] | null;
  /** free-form rows: any column is legal and of type json */
  readonly open: boolean;
  /** the projection that removed columns, as written */
  readonly removedBy: string | null;
  /** the step after which rows have no identity, as written */
  readonly lostBy: string | null;
}

/** Whole rows of an entity. */
export function entityRows(entity: EntityKey, card: Card): RowType {
  return { card, entity, columns: null, open: false, removedBy: null, lostBy: null };
}

/** The type a slot takes as one value; objects and unions are read as json (LANG-040). */
export function slotType(slot: Slot): ValueType {
  return inputType(slot.input);
}

function inputType(input: InputType): ValueType {
  switch (input.kind) {
    case "value":
      return input.type;
    case "array": {
      const items = inputType(input.element);
      return items.kind === "array" ? { kind: "json" } : { kind: "array", items };
    }
    case "none":
    case "object":
    case "union":
      return { kind: "json" };
  }
}

/** Whether a slot takes a list, so that `in` is sent as one value (RUN-111). */
export function takesList(slot: Slot): boolean {
  const { kind } = slotType(slot);
  return kind === "array" || kind === "multi_select";
}

/** Whether a slot only controls the answer: set by name, never tested, and no bound on a read (RUN-111). */
export function isControl(slot: Slot): boolean {
  switch (slot.role) {
    case "sort":
    case "sort_direction":
    case "response_control":
      return true;
    case "filter":
    case "search":
    case "scope":
      return false;
  }
}

/**
 * A type as TEACH-21 writes it, references always as `Entity(keytype)`, so that the text does not
 * depend on what else is exposed.
 */
export function typeText(exposure: Exposure, column: ColumnType): string {
  const { type, entryId } = column;
  return valueTypeText(type, {
    option: (option) => option,
    reference: (target) => (entryId === null ? target : referenceText(exposure, entryId, target)),
  });
}

function referenceText(exposure: Exposure, entryId: string, target: string): string {
  const types = keyTypes(exposure, entryId, target).map(([, type]) =>
    type.kind === "entity_ref" ? type.target : typeText(exposure, { entryId, type }),
  );
  return `${target}(${types.join(", ")})`;
}

/** The key parts of an entity with their types; a part that is no field is text (RUN-046). */
export function keyTypes(
  exposure: Exposure,
  entryId: string,
  entityName: string,
): readonly (readonly [part: string, type: ValueType])[] {
  const entity = catalogOf(exposure.catalogs, entryId).cgs.entities.get(entityName);
  if (entity === undefined) return [];
  return keyParts(entity).map((part) => [
    part,
    entity.fields.get(part)?.type ?? { kind: "string", semantics: "short" },
  ]);
}
