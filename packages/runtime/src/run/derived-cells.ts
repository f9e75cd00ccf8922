import type { Json, PlanValue } from "@plasm/core";
import { type NoteFault, type RowValue, rowValue } from "../rows/computed.ts";
import { readCell, type Row } from "../rows/row.ts";
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
function cellReader({ cgs }: RowSchema, path: readonly string[]): RowValue {
  return (row) => readCell(cgs, row, path) ?? keyPart(path, row) ?? null;
}

/** The cells of derived rows whose values are all plain. */
export function plainCells(
  columns: readonly (readonly [string, PlanValue])[],
  schema: RowSchema,
  fault: NoteFault,
  work: RowWork,
): (row: Row) => ReadonlyMap<string, Json> {
  const made = columns.map(([name, value]) => {
    const of = rowValue(value, (path) => cellReader(schema, path), fault, work);
    return [name, of] as const;
  });
  return (row) => {
    const cells = new Map<string, Json>();
    work.begin();
    for (const [name, of] of made) cells.set(name, of(row));
    return cells;
  };
}
