import type { Cgs, Json, ValueType } from "@plasm/core";
import { type ColumnTypes, pathType, readCell, type Row } from "./row.ts";

/** A column that a step reads: its declared type, and its cell of a row; undefined while unknown. */
export interface RowColumn {
  readonly name: string;
  readonly type: ValueType;
  readonly read: (row: Row) => Json | undefined;
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
