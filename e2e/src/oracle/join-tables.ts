import { isSame } from "./compare-cells.ts";
import type { Step } from "./program.ts";
import type { State } from "./state.ts";
import { type Item, madeRows, type Table, typedAt } from "./table.ts";

/** Pairs of rows whose columns are equal, in the order of the left, then of the right (LANG-090). */
export function joined(
  state: State,
  table: Table,
  right: Table | undefined,
  step: Extract<Step, { kind: "join" }>,
): Table {
  if (right === undefined) throw new Error(`no label ${step.label}`);
  const named = (name: string): string => `${step.label}.${name}`;
  const meets = (a: Item, b: Item): boolean =>
    step.pairs.every(([own, other]) => {
      const left = typedAt(state, table, a, [own]);
      const cell = b.cells[other] ?? null;
      return left.cell !== null && cell !== null && isSame(left.type, left.cell, cell);
    });
  const beside = (a: Item, b: Item | null): Item => ({
    row: null,
    cells: {
      ...a.cells,
      ...Object.fromEntries(
        right.columns.map(({ name }) => [named(name), b?.cells[name] ?? null] as const),
      ),
    },
  });
  const items = table.items.flatMap((a): readonly Item[] => {
    const met = right.items.filter((b) => meets(a, b)).map((b) => beside(a, b));
    return met.length === 0 && step.outer ? [beside(a, null)] : met;
  });
  const isOpen = table.certain === "open" || right.certain === "open";
  const isExact = table.certain === "exact" && right.certain === "exact";
  const columns = right.columns.map((each) => ({ ...each, name: named(each.name) }));
  return madeRows([...table.columns, ...columns], items, {
    single: false,
    ordered: table.ordered && right.ordered,
    certain: isOpen ? "open" : isExact ? "exact" : "told",
  });
}
