import { isFaulty, isTestable } from "../../check/reads/list-candidates.ts";
import { readTooLate } from "../../check/reads/list-problems.ts";
import type {
  AggregateRows,
  DistinctRows,
  GroupByRows,
  LimitRows,
  ProjectRows,
  Rows,
  SingletonRows,
  SortRows,
  TypedPred,
} from "../../check/typed-program.ts";
import type { ComputeOp } from "../node.ts";
import { type Lowering, resultType } from "./lowering.ts";
import { planPred, predInputs } from "./plan-pred.ts";

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

/** Steps that compute with the rows of their source alone. */
export type ComputedRows =
  | LimitRows
  | SortRows
  | ProjectRows
  | SingletonRows
  | DistinctRows
  | AggregateRows
  | GroupByRows;

export function lowerStep(lowering: Lowering, rows: ComputedRows): string {
  return computeNode(lowering, rows, lowering.idOf(rows.source), rows.stage, operation(rows));
}

function operation(rows: ComputedRows): ComputeOp {
  switch (rows.kind) {
    case "limit":
      return { limit: rows.n };
    case "sort":
      return { sort: rows.keys.map(({ path, desc }) => ({ path, desc })) };
    case "project":
      return { project: rows.paths };
    case "singleton":
      return { singleton: true };
    case "distinct":
      return { distinct: rows.paths };
    case "aggregate":
      return { aggregate: rows.aggs };
    case "group_by":
      return { group_by: { keys: rows.keys, aggs: rows.aggs } };
  }
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
