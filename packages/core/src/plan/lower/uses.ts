import type { Rows } from "../../check/typed-program.ts";
import { rowSource, valueSources } from "./rows-graph.ts";

/** By rows, the steps that use them. */
export type Uses = ReadonlyMap<Rows, readonly (Rows | null)[]>;

/** Which steps use which rows; null stands for a result of the program. */
export function usesOf(order: readonly Rows[], roots: readonly Rows[]): Uses {
  const uses = new Map<Rows, (Rows | null)[]>();
  const use = (rows: Rows, by: Rows | null): void => {
    const known = uses.get(rows);
    if (known === undefined) uses.set(rows, [by]);
    else known.push(by);
  };
  for (const rows of order) {
    const source = rowSource(rows);
    if (source !== null) use(source, rows);
    for (const each of new Set(valueSources(rows))) use(each, rows);
  }
  for (const root of new Set(roots)) use(root, null);
  return uses;
}

/** The step that alone uses some rows; null if there are several, or a result is one. */
export function onlyUse(uses: Uses, rows: Rows): Rows | null {
  const by = uses.get(rows) ?? [];
  const [only] = by;
  return by.length === 1 && only !== undefined ? only : null;
}
