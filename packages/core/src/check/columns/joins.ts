import type { EntityKey } from "../../federation/entity-key.ts";
import type { AccessRules } from "../access.ts";
import { getsByKey } from "../reads/gets-by-key.ts";
import { navigation, type RelationReading } from "../relations/relation-reading.ts";
import { type ColumnType, entityRows, type RowType } from "../row-type.ts";
import { columnMeaning, longestColumn } from "./row-columns.ts";

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
