import { conjuncts } from "../../check/reads/keyed-conditions.ts";
import type { Card } from "../../check/row-type.ts";
import type { JoinRows, TypedPred } from "../../check/typed-program.ts";
import { compareCodePoints } from "../../text/compare-code-points.ts";
import type { FilterBlock } from "./filter-blocks.ts";
import { areTestable, filterNode } from "./lower-compute.ts";
import { lowerJoin } from "./lower-join.ts";
import type { Lowering } from "./lowering.ts";
import { lacksValue } from "./plan-value.ts";

/** The joins of a block in order of their paths, then one filter. Null: in error, reported. */
export function lowerBlock(lowering: Lowering, { top, base, steps }: FilterBlock): string | null {
  const conditions: TypedPred[] = [];
  for (const step of steps) {
    if (step.kind !== "filter") continue;
    const own = conjuncts(step.pred);
    if (!areTestable(lowering, step, own) || own.some(lacksValue)) return null;
    conditions.push(...own);
  }
  const joins = steps.filter((step) => step.kind === "join");
  const joined = joinedNode(lowering, joins, lowering.idOf(base), base.type.card);
  return filterNode(lowering, top, joined, top.stage, conditions);
}

/** Joins over a node in order of their paths, the nearer row before what is read of it. */
export function joinedNode(
  lowering: Lowering,
  joins: readonly JoinRows[],
  source: string,
  card: Card,
): string {
  const ordered = joins.toSorted((a, b) => compareCodePoints(a.path.join("."), b.path.join(".")));
  return ordered.reduce(
    (id, join) => lowerJoin(lowering, { ...join, type: { ...join.type, card } }, id),
    source,
  );
}
