import type { TableRow } from "./row.ts";
import type { Scene } from "./scene.ts";

/**
 * The name that a row's Meaning says (TEACH-22). In `names` it is left out where the left cell has it
 * already: as the whole of a slot's, the entity of a head, the step or method of another row (TEACH-13).
 */
export function saidName({ spell }: Scene, row: Exclude<TableRow, { kind: "retyped" }>): string {
  if (spell.notation === "symbols") return row.name;
  const isSaid = (): boolean => {
    switch (row.kind) {
      case "slot":
        return spell.name(row.name) === row.name;
      case "head":
      case "no_reads":
        return spell.entity(row.entity) === row.name;
      case "relation":
        return row.left.includes(`.${row.name}`);
      case "get":
      case "query":
      case "search":
      case "call":
      case "create":
      case "method":
        return row.left.includes(`.${row.name}(`);
    }
  };
  return isSaid() ? "" : row.name;
}
