import type { Cgs, Json, ValueType } from "@plasm/core";
import { type Exact, jsonAt } from "@plasm/core/internal";
import type { EntityRow } from "../decode/entity-row.ts";
import { referenceValue, rowReference } from "../decode/row-references.ts";

/** One row between nodes: an entity's row, a projection of one, or plain columns. */
export interface Row {
  /** the row that carries the identity, or null */
  readonly base: EntityRow | null;
  /** the row's columns, a missing one being unknown; null for the whole of `base` */
  readonly cells: ReadonlyMap<string, Json> | null;
  /** rows fetched by joins, by the path that leads to them; null where the reference is null */
  readonly joined: ReadonlyMap<string, EntityRow | null>;
  /** what its related rows come to, by {@link totalKey} */
  readonly totals?: ReadonlyMap<string, Json>;
  /** declared types of the columns of a row of no entity, by name; one that is not there is json */
  readonly types?: ColumnTypes;
  /** what tells the row from others when it is made anew; its identity by default (PLAN-083) */
  readonly name?: string;
}

/** The name that something asked of related rows has on a row: which node found it out, and what it is called there. */
export const totalKey = (node: string, of: string): string => `${node} ${of}`;

/** What a row is known by when it comes again; null if by nothing (PLAN-083). */
export const rowName = ({ name, base }: Row): string | null => name ?? base?.identity?.text ?? null;

export type ColumnTypes = ReadonlyMap<string, ValueType>;

const NONE: ReadonlyMap<string, EntityRow | null> = new Map();

/** A row of an entity as it was read, with nothing joined to it. */
export function wholeRow(base: EntityRow): Row {
  return { base, cells: null, joined: NONE };
}

const JSON_TYPE: ValueType = Object.freeze({ kind: "json" });

/** The target of an entity_ref field or one-relation, or null: what a path may step through. */
function stepTarget(cgs: Cgs, entity: string, name: string): string | null {
  const owner = cgs.entities.get(entity);
  const field = owner?.fields.get(name);
  if (field !== undefined) return field.type.kind === "entity_ref" ? field.type.target : null;
  const relation = owner?.relations.get(name);
  return relation?.cardinality === "one" ? relation.target : null;
}

/**
 * The declared type of a path: on rows of an entity, or of no entity with columns of these types.
 * Paths into anything but references are json.
 */
export function pathType(
  cgs: Cgs | null,
  entity: string | null,
  path: readonly string[],
  types?: ColumnTypes,
): ValueType {
  if (types !== undefined) return types.get(path.join(".")) ?? JSON_TYPE;
  const [name, ...rest] = path;
  if (cgs === null || entity === null || name === undefined) return JSON_TYPE;
  const field = cgs.entities.get(entity)?.fields.get(name);
  if (rest.length === 0 && field !== undefined) return field.type;
  const target = stepTarget(cgs, entity, name);
  if (target !== null) {
    return rest.length === 0 ? { kind: "entity_ref", target } : pathType(cgs, target, rest);
  }
  const dotted = rest.length === 0 && name.includes(".") ? name.split(".") : null;
  return dotted === null ? JSON_TYPE : pathType(cgs, entity, dotted);
}

/** A path into a value; undefined while the value is unknown. */
const descend = (value: Json | undefined, path: readonly string[]): Json | undefined =>
  value === undefined ? undefined : jsonAt(value, path);

/** A path on an entity's row; undefined while unknown, null where a reference on the way is null. */
function entityCell(
  cgs: Cgs,
  base: EntityRow,
  path: readonly string[],
  joined: Row["joined"],
  prefix: string,
): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return undefined;
  const target = stepTarget(cgs, base.entity, name);
  if (target === null) return descend(base.fields.get(name), rest);
  const entity = cgs.entities.get(target);
  if (entity === undefined) return undefined;
  const reference = rowReference(base, name, entity);
  if (rest.length === 0)
    return reference === undefined ? base.fields.get(name) : referenceValue(reference);
  const place = prefix + name;
  const fetched = joined.get(place);
  if (fetched === null || reference === null) return null;
  if (fetched !== undefined) return entityCell(cgs, fetched, rest, joined, `${place}.`);
  if (reference === undefined) return undefined;
  const [part] = rest;
  if (rest.length === 1 && part !== undefined && Object.hasOwn(reference.identity.key, part)) {
    return reference.identity.key[part];
  }
  const { embedded } = reference;
  return embedded === null ? undefined : entityCell(cgs, embedded, rest, joined, `${place}.`);
}

/** A cell of a row that a join fetched, of which the path behind the join is known. */
function fetchedCell(fetched: EntityRow | null, path: readonly string[]): Json | undefined {
  const [name = "", ...rest] = path;
  if (fetched === null) return null;
  const reference = fetched.references.get(name);
  if (reference !== undefined && !fetched.fields.has(name)) return referenceValue(reference);
  return descend(fetched.fields.get(name), rest);
}

/** How many segments of a path lead to a row that a join fetched; 0 for none. */
export function joinedLength(row: Row, path: readonly string[]): number {
  for (let length = path.length - 1; length > 0; length--) {
    if (row.joined.has(path.slice(0, length).join("."))) return length;
  }
  return 0;
}

/** A path on columns: the column of that name, a fetched row's cell, or a part of a column. */
function columnCell(
  cells: ReadonlyMap<string, Json>,
  row: Row,
  path: readonly string[],
): Json | undefined {
  const whole = path.join(".");
  if (cells.has(whole)) return cells.get(whole);
  const joined = joinedLength(row, path);
  if (joined > 0) {
    const fetched = row.joined.get(path.slice(0, joined).join(".")) ?? null;
    return fetchedCell(fetched, path.slice(joined));
  }
  for (let length = path.length - 1; length > 0; length--) {
    const column = path.slice(0, length).join(".");
    if (cells.has(column)) return descend(cells.get(column), path.slice(length));
  }
  return undefined;
}

/** The value at a path of a row: undefined while unknown, null for none (RUN-035, LANG-024); `cgs` is its catalog's. */
export function readCell(cgs: Cgs | null, row: Row, path: readonly string[]): Json | undefined {
  if (row.cells !== null) return columnCell(row.cells, row, path);
  if (row.base === null || cgs === null) return undefined;
  const [name] = path;
  const dotted =
    path.length === 1 && name?.includes(".") === true && !row.base.fields.has(name)
      ? name.split(".")
      : path;
  return entityCell(cgs, row.base, dotted, row.joined, "");
}

/** A column that a step reads: its declared type, and its cell of a row; undefined while unknown. */
export interface RowColumn {
  readonly name: string;
  readonly type: ValueType;
  readonly read: (row: Row) => Json | undefined;
  /** a cell that is computed, in the middle of its expression; read in place of `read` */
  readonly exactly?: (row: Row) => Exact;
  /** how many pieces of work computing its cells took since it was last asked; of one that is computed */
  readonly computed?: () => number;
}

/** What types the columns of rows: the fields of their entity, or their own types if they have none. */
interface Typing {
  readonly cgs: Cgs | null;
  readonly entity: string | null;
  readonly types?: ColumnTypes;
}

/** A name whose cell is that of a field: a reference field's, too, is among them. */
function isField({ cgs, entity }: Typing, name: string): boolean {
  return cgs?.entities.get(entity ?? "")?.fields.has(name) === true;
}

/** The column at a path of rows. */
export function rowColumn(typing: Typing, path: readonly string[]): RowColumn {
  const { cgs, entity, types } = typing;
  const own = { name: path.join("."), type: pathType(cgs, entity, path, types) };
  const read = (row: Row): Json | undefined => readCell(cgs, row, path);
  const [first] = path;
  if (path.length !== 1 || first === undefined || !isField(typing, first)) {
    return { ...own, read };
  }
  return {
    ...own,
    read: (row) => (row.cells === null ? row.base?.fields.get(first) : read(row)),
  };
}
