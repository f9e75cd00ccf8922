import type { FilterRows, JoinRows, Rows } from "../../check/typed-program.ts";
import { onlyUse, type Uses } from "./uses.ts";

/** Adjacent filters, which are one (LANG-029), with the joins that they and those between them read. */
export interface FilterBlock {
  readonly top: FilterRows;
  readonly base: Rows;
  /** every step from behind the base to the top */
  readonly steps: readonly (FilterRows | JoinRows)[];
}

/**
 * The filters that no read takes, each with those before it that it is the only use of, by the last
 * one (PLAN-003). `taken` are steps that belong to reads.
 */
export function filterBlocks(
  order: readonly Rows[],
  uses: Uses,
  taken: ReadonlySet<Rows>,
): ReadonlyMap<Rows, FilterBlock> {
  const blocks = new Map<Rows, FilterBlock>();
  const inside = new Set<Rows>();
  for (const top of order.toReversed()) {
    if (top.kind !== "filter" || taken.has(top) || inside.has(top)) continue;
    const steps: (FilterRows | JoinRows)[] = [top];
    let above: FilterRows | JoinRows = top;
    let at: Rows = top.source;
    while (
      (at.kind === "filter" || at.kind === "join") &&
      !taken.has(at) &&
      at.stage === top.stage &&
      onlyUse(uses, at) === above
    ) {
      steps.unshift(at);
      inside.add(at);
      above = at;
      at = at.source;
    }
    blocks.set(top, { top, base: at, steps });
  }
  return blocks;
}
