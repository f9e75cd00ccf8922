import type { Json, PlanValue } from "@plasm/core";
import { type NoteFault, type RowValue, rowValue } from "../rows/computed.ts";
import { cellLayout, ColumnCells } from "../rows/column-cells.ts";
import { readCell, type Row, rowColumn } from "../rows/row.ts";
import type { RowSchema } from "./engine.ts";
import { keyPart } from "./resolve-value.ts";
import type { RowWork } from "../rows/row-work.ts";

/** Whether a value takes nothing but constants and cells of its row: such a one is computed at once. */
export function isPlain(value: PlanValue): boolean {
  if ("lit" in value || "dec" in value) return true;
  if ("row" in value) return value.row.length > 0;
  if ("total" in value) return true;
  return "args" in value && value.args.every(isPlain);
}

/** A cell of a row, else a part of its key: rows keep it, whatever columns they are left with (LANG-061). */
function cellReader(schema: RowSchema, path: readonly string[]): RowValue {
  const column = rowColumn(schema, path);
  return (row) => column.read(row) ?? readCell(schema.cgs, row, path) ?? keyPart(path, row) ?? null;
}

const NONE: readonly Json[] = Object.freeze([]);

/** The cells of derived rows whose values are all plain. */
export function plainCells(
  columns: readonly (readonly [string, PlanValue])[],
  schema: RowSchema,
  fault: NoteFault,
  work: RowWork,
): (row: Row) => ReadonlyMap<string, Json> {
  const layout = cellLayout(columns.map(([name]) => name));
  const byName = new Map(columns);
  const made = layout.names.flatMap((name) => {
    const value = byName.get(name);
    return value === undefined
      ? []
      : [rowValue(value, (path) => cellReader(schema, path), fault, work)];
  });
  const [first = () => null, ...more] = made;
  const cellsOf =
    more.length === 0
      ? (): readonly Json[] => NONE
      : (row: Row): readonly Json[] => more.map((of) => of(row));
  return (row) => {
    work.begin();
    return new ColumnCells(layout, first(row), cellsOf(row));
  };
}
