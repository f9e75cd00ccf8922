import { type EntityKey, entityOf } from "../../catalog/federation.ts";
import type { Relation } from "../../model/model.ts";
import type { Exposure } from "../../symbols/exposure.ts";
import { compareCodePoints } from "../../base/text.ts";
import { type Column, type ColumnType, entityRows, type RowType } from "../types.ts";
import type { AccessRules } from "../access.ts";
import { getsByKey } from "../reads/gets-by-key.ts";
import { navigation, type RelationReading } from "../relations/relation-reading.ts";

/** What a name is on rows of a type (LANG-024). */
export type ColumnMeaning =
  | { readonly kind: "column"; readonly type: ColumnType }
  /** a relation whose target is not in the row */
  | { readonly kind: "relation" }
  /** a field that a projection left out */
  | { readonly kind: "removed"; readonly by: string }
  | { readonly kind: "none" };

/** The column of a wire name: a field, else a one-relation whose reference is in the row (RUN-036). */
export function columnMeaning(exposure: Exposure, rows: RowType, name: string): ColumnMeaning {
  if (rows.columns !== null) {
    const column = indexOf(rows.columns).byName.get(name);
    if (column !== undefined) return { kind: "column", type: column.type };
    if (rows.open) return { kind: "column", type: { entryId: null, type: { kind: "json" } } };
  }
  const own = rows.entity === null ? null : entityColumn(exposure, rows, name);
  if (own === null) return { kind: "none" };
  if (rows.columns === null || own.kind !== "column") return own;
  return rows.removedBy === null ? { kind: "none" } : { kind: "removed", by: rows.removedBy };
}

interface ColumnIndex {
  readonly byName: ReadonlyMap<string, Column>;
  /** how many parts the longest name with dots has */
  readonly longest: number;
}

/** By the list itself, which never changes: a step may name thousands of columns of thousands. */
const INDEXES = new WeakMap<readonly Column[], ColumnIndex>();

function indexOf(columns: readonly Column[]): ColumnIndex {
  const known = INDEXES.get(columns);
  if (known !== undefined) return known;
  const byName = new Map<string, Column>();
  let longest = 1;
  for (const column of columns) {
    if (byName.has(column.name)) continue;
    byName.set(column.name, column);
    if (column.name.includes(".")) longest = Math.max(longest, column.name.split(".").length);
  }
  const index = { byName, longest };
  INDEXES.set(columns, index);
  return index;
}

/**
 * The column of the longest name with dots that a path begins with: a path that a projection made a column
 * (LANG-064). Null if there is none.
 */
export function longestColumn({ columns }: RowType, path: readonly string[]): Column | null {
  if (columns === null || path.length < 2) return null;
  const { byName, longest } = indexOf(columns);
  for (let length = Math.min(path.length, longest); length > 1; length--) {
    const column = byName.get(path.slice(0, length).join("."));
    if (column !== undefined) return column;
  }
  return null;
}

function entityColumn(exposure: Exposure, rows: RowType, name: string): ColumnMeaning | null {
  if (rows.entity === null) return null;
  const { entryId } = rows.entity;
  const entity = entityOf(exposure.catalogs, rows.entity);
  const field = entity.fields.get(name);
  if (field !== undefined) return { kind: "column", type: { entryId, type: field.type } };
  const relation = entity.relations.get(name);
  if (relation === undefined) return null;
  if (!isInRow(relation)) return { kind: "relation" };
  return {
    kind: "column",
    type: { entryId, type: { kind: "entity_ref", target: relation.target } },
  };
}

/** Whether a row carries the reference of a relation (RUN-036, RUN-037). */
function isInRow(relation: Relation): boolean {
  if (relation.cardinality === "many") return false;
  return relation.materialize === undefined || relation.materialize.kind === "from_parent_get";
}

/** The columns that may be named, sorted; empty for open rows. */
export function columnNames(exposure: Exposure, rows: RowType): readonly string[] {
  return columnsOf(exposure, rows)
    .map(([name]) => name)
    .toSorted(compareCodePoints);
}

/** The columns of rows with their types, in order of declaration. */
export function columnsOf(
  exposure: Exposure,
  rows: RowType,
): readonly (readonly [name: string, type: ColumnType])[] {
  if (rows.columns !== null) return rows.columns.map((each) => [each.name, each.type]);
  if (rows.entity === null) return [];
  const { entryId } = rows.entity;
  const entity = entityOf(exposure.catalogs, rows.entity);
  const fields = [...entity.fields.values()].map((field): readonly [string, ColumnType] => [
    field.name,
    { entryId, type: field.type },
  ]);
  const references = [...entity.relations.values()]
    .filter((relation) => isInRow(relation) && !entity.fields.has(relation.name))
    .map((relation): readonly [string, ColumnType] => [
      relation.name,
      { entryId, type: { kind: "entity_ref", target: relation.target } },
    ]);
  return [...fields, ...references];
}

/** A row that is fetched so that a path may read a field of it (LANG-053, LANG-064). */
export interface Join {
  /** the reference, from the rows at hand */
  readonly path: readonly string[];
  readonly target: EntityKey;
  readonly reading: RelationReading;
}

/** The row a name leads to, by a to-one step; null if it leads nowhere or to many (LANG-053). */
export function linkOf(rules: AccessRules, rows: RowType, name: string): Omit<Join, "path"> | null {
  const column = columnMeaning(rules.exposure, rows, name);
  if (column.kind === "column") return linkOfType(rules, column.type);
  if (column.kind !== "relation" || rows.entity === null) return null;
  const to = navigation(rules, rows.entity, name);
  if (to === null || to.cardinality !== "one" || to.reading === null) return null;
  return { target: to.target, reading: to.reading };
}

/** The row a reference leads to; null for other types and where no get reads it. */
export function linkOfType(
  rules: AccessRules,
  { type, entryId }: ColumnType,
): Omit<Join, "path"> | null {
  if (type.kind !== "entity_ref" || entryId === null) return null;
  const target = { entryId, entity: type.target };
  return getsByKey(rules, target).length === 0 ? null : { target, reading: { via: "ref" } };
}

/** The rows a bound path needs besides the one at hand, nearest first. */
export function joinsOf(
  rules: AccessRules,
  rows: RowType,
  path: readonly string[],
): readonly Join[] {
  const joins: Join[] = [];
  let at = rows;
  let from = 0;
  while (from < path.length) {
    const length = columnLength(at, path.slice(from));
    const name = path.slice(from, from + length).join(".");
    from += length;
    if (from >= path.length) break;
    const link = linkOf(rules, at, name);
    if (link === null) break;
    joins.push({ path: path.slice(0, from), ...link });
    at = entityRows(link.target, "opt");
  }
  return joins;
}

/** How many segments the column at the start of a path has: a projected path is one column. */
function columnLength(rows: RowType, path: readonly string[]): number {
  return longestColumn(rows, path)?.name.split(".").length ?? 1;
}
