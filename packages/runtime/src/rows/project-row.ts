import type { Cgs, Json } from "@plasm/core";
import { readCell, type Row } from "./row.ts";
import { type Size, sizeOf } from "../value-size.ts";

/** A row with exactly these columns, named by their paths, identity kept (LANG-061, LANG-064). */
export function projectRow(cgs: Cgs | null, row: Row, paths: readonly (readonly string[])[]): Row {
  const cells = new Map<string, Json>();
  for (const path of paths) {
    const value = readCell(cgs, row, path);
    if (value !== undefined) cells.set(path.join("."), value);
  }
  return { ...row, cells };
}

/** What rows of exactly these columns come to when they are written out. */
export function projectedSize(
  cgs: Cgs | null,
  rows: readonly Row[],
  paths: readonly (readonly string[])[],
): Size {
  let cells = 0;
  let bytes = 0;
  for (const row of rows) {
    for (const path of paths) {
      const value = readCell(cgs, row, path);
      if (value === undefined) continue;
      const size = sizeOf(value);
      cells += size.cells;
      bytes += size.bytes;
    }
  }
  return { cells, bytes };
}
