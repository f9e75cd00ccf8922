/**
 * A left cell as parts: code, and the holes an agent fills. `$` is a value, `..` stands for options
 * (TEACH-19). A sample is program text that fits the hole.
 */
export type CellPart = string | Hole;

export interface Hole {
  readonly hole: "$" | "..";
  readonly sample: string;
}

export type Cell = readonly CellPart[];

/** A cell as printed: its holes as `$` and `..`. */
export function printCell(cell: Cell): string {
  return cell.map((part) => (typeof part === "string" ? part : part.hole)).join("");
}

/** A cell as a program: its holes replaced by samples. */
export function fillCell(cell: Cell): string {
  return cell.map((part) => (typeof part === "string" ? part : part.sample)).join("");
}

/** Cells one after the other with a text between them. */
export function joinCells(cells: readonly Cell[], between: string): Cell {
  return cells.flatMap((cell, at) => (at === 0 ? [...cell] : [between, ...cell]));
}
