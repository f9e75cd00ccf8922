import type { Cgs, Json } from "@plasm/core";
import { readCell, type Row } from "./row.ts";

/** A row with exactly these columns, named by their paths, identity kept (LANG-061, LANG-064). */
export function projectRow(cgs: Cgs | null, row: Row, paths: readonly (readonly string[])[]): Row {
  const cells = new Map<string, Json>();
  for (const path of paths) {
    const value = readCell(cgs, row, path);
    if (value !== undefined) cells.set(path.join("."), value);
  }
  return { ...row, cells };
}
