import { conjuncts } from "../../check/reads/keyed-conditions.ts";
import { isFaulty, isTestable } from "../../check/reads/list-candidates.ts";
import { readTooLate } from "../../check/reads/list-problems.ts";
import type {
  FilterRows,
  LimitRows,
  ProjectRows,
  Rows,
  SortRows,
  TypedPred,
} from "../../check/typed-program.ts";
import type { ComputeOp } from "../node.ts";
import { type Lowering, resultType } from "./lowering.ts";
import { planPred, predInputs } from "./plan-pred.ts";
import { lacksValue } from "./plan-value.ts";

/**
 * A filter that reaches no read: every condition is tested on the rows in hand. Null: in error,
 * reported.
 */
export function lowerFilter(lowering: Lowering, rows: FilterRows): string | null {
  const conditions = conjuncts(rows.pred);
  if (!areTestable(lowering, rows, conditions) || conditions.some(lacksValue)) return null;
  return filterNode(lowering, rows, lowering.idOf(rows.source), rows.stage, conditions);
}

/** A filter node over `source`; the source itself if there are no conditions. */
export function filterNode(
  lowering: Lowering,
  rows: Rows,
  source: string,
  stage: number,
  conditions: readonly TypedPred[],
): string {
  const filter = planPred(lowering, conditions);
  if (filter === null) return source;
  return computeNode(lowering, rows, source, stage, { filter }, predInputs(filter));
}

/** Whether conditions can be tested on rows; reports those that only a request could test (RUN-112). */
export function areTestable(
  lowering: Lowering,
  rows: Rows,
  conditions: readonly TypedPred[],
): boolean {
  if (conditions.some(isFaulty)) return false;
  const refused = conditions.filter((pred) => !isTestable(pred));
  for (const pred of refused) lowering.context.found.add(readTooLate(lowering.context, rows, pred));
  return refused.length === 0;
}

export function lowerLimit(lowering: Lowering, rows: LimitRows): string {
  return computeNode(lowering, rows, lowering.idOf(rows.source), rows.stage, { limit: rows.n });
}

export function lowerSort(lowering: Lowering, rows: SortRows): string {
  const sort = rows.keys.map(({ path, desc }) => ({ path, desc }));
  return computeNode(lowering, rows, lowering.idOf(rows.source), rows.stage, { sort });
}

export function lowerProject(lowering: Lowering, rows: ProjectRows): string {
  const source = lowering.idOf(rows.source);
  return computeNode(lowering, rows, source, rows.stage, { project: rows.paths });
}

/** Adds a compute node whose result is that of `rows`. */
export function computeNode(
  lowering: Lowering,
  rows: Rows,
  source: string,
  stage: number,
  op: ComputeOp,
  further: readonly string[] = [],
): string {
  const result = resultType(lowering.exposure, rows.type);
  const effect_class = "local";
  return lowering.drafts.add(
    { id: "", kind: "compute", effect_class, stage, source, op, result },
    [source, ...further],
    rows,
  );
}
