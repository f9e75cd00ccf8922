import type { SideTotal } from "./measure-tokens.ts";

const COLUMNS = ["definitions", "learn", "warm", "cold", "input", "turns", "requests"] as const;

/** Totals as lines a reader compares at a glance, o200k. */
export function tokenTable(totals: readonly SideTotal[]): string {
  const head = COLUMNS.map((column) => column.padStart(12)).join("");
  const kinds = [...new Set(totals.map(({ kind }) => kind))];
  return kinds
    .map((kind) => {
      const own = totals.filter((each) => each.kind === kind && each.tokenizer === "o200k");
      const lines = own.map((each) => {
        const cells = COLUMNS.map((column) => String(each[column]).padStart(12)).join("");
        return `${cells}  ${each.side}`;
      });
      return [`${kind}, ${own[0]?.tasks ?? 0} tasks`, head, ...lines].join("\n");
    })
    .join("\n\n");
}
