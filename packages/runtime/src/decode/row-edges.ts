import type { Catalog, Entity, Field, Json, JsonObject, Relation } from "@plasm/core";
import { capabilitiesOf, keyParts, type Materialize } from "@plasm/core/internal";
import {
  type DecodeContext,
  type DecodeRow,
  contextEntity,
  referenceValue,
} from "./row-references.ts";
import { type EntityRow, NO_EDGES } from "./entity-row.ts";
import { hasMember, isArray, isObject, typeName } from "../base/json-kinds.ts";
import { endSigns } from "./more-signs.ts";
import { mapRows, names } from "./collection.ts";
import { followResponse } from "./response-body.ts";

/** A relation whose rows stand in the row itself, under a path (RUN-037). */
type EmbeddedRelation = Pick<
  Extract<Materialize, { kind: "from_parent_get" }>,
  "path" | "keyInto" | "valueInto"
> & {
  readonly relation: Relation;
  readonly steps: readonly PathStep[];
  /** the member that is a list of the rows, where the path leads to no more than that; else null */
  readonly list: string | null;
};

/** A step from a row to the rows that stand in it. */
type PathStep =
  /** into each of a list or map; the last if no other one follows */
  | { readonly kind: "each"; readonly isLast: boolean }
  | {
      readonly kind: "key";
      readonly key: string;
      /** the keys from there to the next list, where what is there may say that that is cut; else null */
      readonly beside: readonly string[] | null;
    };

/** What of an entity the wire form of its rows may hold, each kind by itself. */
export interface WireShape {
  readonly fields: readonly Field[];
  /** relations whose target is read from the row itself (RUN-036) */
  readonly references: readonly Relation[];
  readonly embedded: readonly EmbeddedRelation[];
}

/** Whether a relation's target is read from the row itself (RUN-036). */
export function isReferenceRelation(relation: Relation): boolean {
  return relation.cardinality === "one" && relation.materialize === undefined;
}

function readSteps({ path }: Pick<EmbeddedRelation, "path">): readonly PathStep[] {
  return path.map((step, at): PathStep => {
    const later = path.slice(at + 1);
    const next = later.findIndex((each) => "wildcard" in each);
    if ("wildcard" in step) return { kind: "each", isLast: next < 0 };
    const before = path[at - 1];
    const isOfRow = before === undefined || "wildcard" in before;
    const keys = later
      .slice(0, Math.max(0, next))
      .flatMap((each) => ("key" in each ? [each.key] : []));
    return { kind: "key", key: step.key, beside: isOfRow ? keys : null };
  });
}

function readShape({ fields, relations }: Entity): WireShape {
  const all = [...relations.values()];
  return {
    fields: [...fields.values()],
    references: all.filter(isReferenceRelation),
    embedded: all.flatMap((relation) => {
      const rule = relation.materialize;
      if (rule?.kind !== "from_parent_get") return [];
      const steps = readSteps(rule);
      const [first, second] = steps;
      const isList = steps.length === 2 && second?.kind === "each" && rule.keyInto === undefined;
      const list = isList && first?.kind === "key" ? first.key : null;
      return [{ ...rule, relation, steps, list }];
    }),
  };
}

const shapes = new WeakMap<Entity, WireShape>();

/** The shape of an entity's rows; it is frozen, and every row asks. */
export function wireShape(entity: Entity): WireShape {
  const known = shapes.get(entity);
  if (known !== undefined) return known;
  const shape = readShape(entity);
  shapes.set(entity, shape);
  return shape;
}

/** What an answer says of rows beyond those that it embeds, by the list that holds them. */
const cuts = new WeakMap<readonly EntityRow[], string>();

/** Why embedded rows are not all of them; null where nothing says so. */
export const cutOf = (rows: readonly EntityRow[]): string | null => cuts.get(rows) ?? null;

/** The same rows, noted as a part of them. */
export function markCut(rows: readonly EntityRow[], why: string): readonly EntityRow[] {
  cuts.set(rows, why);
  return rows;
}

/** Rows that stand in a row, and why they are not all of them. */
interface Embedded {
  readonly values: readonly Json[];
  readonly cut: string | null;
}

/** Follows a path from a row, and notes what it finds beside the rows. */
class EmbeddedRows {
  readonly #entity: Entity;
  readonly #embedded: EmbeddedRelation;
  cut: string | null = null;

  constructor(entity: Entity, embedded: EmbeddedRelation) {
    this.#entity = entity;
    this.#embedded = embedded;
  }

  get #owner(): string {
    return `${this.#entity.name}.${this.#embedded.relation.name}`;
  }

  /** The rows of one collection; `last` if no wildcard follows. */
  collection(value: Json, last: boolean): readonly Json[] {
    const { keyInto, valueInto } = this.#embedded;
    const map = last && keyInto !== undefined;
    if (map && isObject(value)) {
      return mapRows({ keyInto, ...(valueInto === undefined ? {} : { valueInto }) }, value);
    }
    // Some APIs write a map that is empty as an empty list.
    const fits = isArray(value) && (!map || value.length === 0);
    if (!fits && value !== null) {
      this.cut ??= isObject(value)
        ? `${this.#owner}: an object stands where a list was expected; its keys: ${names(Object.keys(value))}; if it is a map of rows, declare key_into beside path`
        : `${this.#owner}: ${typeName(value)} stands where a ${map ? "map" : "list"} was expected; correct path in the catalog`;
    }
    return isArray(value) ? value : [];
  }

  /**
   * Looks for signs that a collection is cut in the objects between the row and it (RUN-003): what stands in the
   * row itself are its fields.
   */
  look(body: Json, keys: readonly string[]): void {
    if (keys.length === 0 || !isObject(body)) return;
    const rows = followResponse(body, keys);
    if (rows === undefined || rows === null) return;
    const count = isArray(rows) ? rows.length : isObject(rows) ? Object.keys(rows).length : 0;
    const answer = {
      body,
      path: keys,
      headers: [],
      rows: count,
      pages: 1,
      sent: new Set<string>(),
    };
    const { more } = endSigns(answer);
    if (more === null) return;
    const says =
      more.total === null ? `that more follow (${more.at})` : `${more.total} (${more.at})`;
    this.cut ??= `${this.#owner}: the API says ${says}, ${count} came with the row; read them by a list of their own, if the catalog has one`;
  }
}

/** The rows a response embeds under a relation's path; undefined if the path is absent (RUN-037). */
function embeddedRows(wire: Json, owner: Entity, embedded: EmbeddedRelation): Embedded | undefined {
  const { steps, list } = embedded;
  const [first] = steps;
  if (first?.kind === "key" && !hasMember(wire, first.key)) return undefined;
  const all = list !== null && hasMember(wire, list) ? wire[list] : undefined;
  if (isArray(all) && !all.includes(null)) return { values: all, cut: null };
  const found = new EmbeddedRows(owner, embedded);
  let level: readonly Json[] = [wire];
  for (const step of steps) {
    if (step.kind === "each") {
      level = level.flatMap((value) => found.collection(value, step.isLast));
      continue;
    }
    const holders = level.filter((value) => hasMember(value, step.key));
    if (holders.length === 0 && level.length > 0) return undefined;
    level = holders.map((value) => (hasMember(value, step.key) ? (value[step.key] ?? null) : null));
    const { beside } = step;
    if (beside !== null) for (const value of level) found.look(value, beside);
  }
  return { values: level.filter((value) => value !== null), cut: found.cut };
}

const pointsAt = (target: Entity, part: string, owner: Entity): boolean => {
  const type = target.fields.get(part)?.type;
  if (type?.kind === "entity_ref" && type.target === owner.name) return true;
  return part.replaceAll("_", "").toLowerCase() === `${owner.name.toLowerCase()}id`;
};

/**
 * What embedded rows start from: the parent's ambient and identity under the parent's name, and for
 * key parts of their own the parent's field of that name. A simple parent's id never stands in for
 * theirs (RUN-037, RUN-044, RUN-047).
 */
function childAmbient(parent: EntityRow, nesting: Nesting): JsonObject {
  const { replaced, shared, pointing, names } = nesting;
  const ambient: Record<string, Json> = { ...parent.ambient };
  if (replaced !== null) delete ambient[replaced];
  for (const part of shared) {
    const value = parent.fields.get(part);
    if (value !== undefined && value !== null) ambient[part] = value;
  }
  if (parent.identity === null) return ambient;
  const own = referenceValue({ identity: parent.identity, embedded: null });
  for (const name of names) ambient[name] = own;
  for (const part of pointing) ambient[part] = own;
  return ambient;
}

const folded = (name: string): string => name.replaceAll("_", "").toLowerCase();

/**
 * The fields by which embedded rows refer to the row they stand in: those called like its entity (RUN-037). Others of
 * that type may mean another row of it, and of rows that have a get of their own that alone is asked.
 */
function parentFields({ cgs }: Catalog, owner: Entity, target: Entity): readonly string[] {
  const hasGet = capabilitiesOf(cgs, target.name).some(
    ({ kind, needsIdentity }) => kind === "get" && needsIdentity,
  );
  if (hasGet || owner.name === target.name) return [];
  const names = new Set([folded(owner.name), `${folded(owner.name)}id`]);
  const fields = [...target.fields.values()].filter(({ name, type }) => {
    return type.kind === "entity_ref" && type.target === owner.name && names.has(folded(name));
  });
  return fields.map(({ name }) => name);
}

/** What rows of one entity that stand in rows of another have of these: all follows from the catalog. */
interface Nesting {
  readonly entity: Entity;
  /** the key part of the parent that is not theirs; null where it has several */
  readonly replaced: string | null;
  /** key parts of theirs that the parent's fields may say */
  readonly shared: readonly string[];
  /** those of them that are the parent itself */
  readonly pointing: readonly string[];
  /** what the parent is called by */
  readonly names: readonly string[];
  readonly parentFields: readonly string[];
}

function readNesting(context: DecodeContext, owner: Entity, relation: Relation): Nesting {
  const entity = contextEntity(context, relation.target);
  const parts = keyParts(entity);
  const shared = parts.length > 1 ? parts : [];
  const name = owner.name.toLowerCase();
  return {
    entity,
    replaced: keyParts(owner).length === 1 ? owner.idField : null,
    shared,
    pointing: shared.filter((part) => pointsAt(entity, part, owner)),
    names: [name, `${name}_id`],
    parentFields: parentFields(context.catalog, owner, entity),
  };
}

const nestings = new WeakMap<Catalog, Map<EmbeddedRelation, Nesting>>();

/** How rows stand in others, by the relation: a catalog is frozen, and every row asks. */
function nestingOf(context: DecodeContext, owner: Entity, embedded: EmbeddedRelation): Nesting {
  const all = nestings.get(context.catalog) ?? new Map<EmbeddedRelation, Nesting>();
  nestings.set(context.catalog, all);
  const known = all.get(embedded) ?? readNesting(context, owner, embedded.relation);
  all.set(embedded, known);
  return known;
}

const NO_ROWS: readonly EntityRow[] = [];
const NO_SCOPE: JsonObject = Object.freeze({});

/** The rows of every `from_parent_get` relation that a row's wire form holds (RUN-037). */
export function decodeEdges(
  context: DecodeContext,
  decode: DecodeRow,
  row: EntityRow,
  owner: Entity,
): EntityRow["edges"] {
  const { embedded: relations } = wireShape(owner);
  let edges: Map<string, readonly EntityRow[]> | null = null;
  for (const embedded of relations) {
    const found = embeddedRows(row.wire, owner, embedded);
    if (found === undefined) continue;
    const { values, cut } = found;
    const rows =
      values.length === 0 ? NO_ROWS : nestedRows(context, decode, row, owner, embedded, values);
    edges ??= new Map();
    edges.set(embedded.relation.name, cut === null ? rows : markCut([...rows], cut));
  }
  return edges ?? NO_EDGES;
}

/** What embedded rows refer to the row that they stand in by; nothing without identity. */
function parentScope({ identity }: EntityRow, { parentFields }: Nesting): JsonObject {
  if (identity === null || parentFields.length === 0) return NO_SCOPE;
  const own = referenceValue({ identity, embedded: null });
  return Object.fromEntries(parentFields.map((name) => [name, own]));
}

function nestedRows(
  context: DecodeContext,
  decode: DecodeRow,
  row: EntityRow,
  owner: Entity,
  embedded: EmbeddedRelation,
  values: readonly Json[],
): readonly EntityRow[] {
  const nesting = nestingOf(context, owner, embedded);
  const { entity } = nesting;
  const ambient = childAmbient(row, nesting);
  const scope = parentScope(row, nesting);
  return values.map((value, index) =>
    decode(context, value, { entity, provides: null, ambient, requested: null, scope, index }),
  );
}
