import { type ComputeNode, isPath, opColumns, type PlanColumn } from "@plasm/core/internal";
import { isFilled } from "../rows/computed.ts";
import { fillShared } from "./resolve-value.ts";
import type { WholeStep } from "./whole-source.ts";

/** What a step reads of rows, with all that is the same for every row filled in (PLAN-063). */
export async function filledColumn(step: WholeStep, column: PlanColumn): Promise<PlanColumn> {
  const use = { engine: step.engine, feed: step.feed, slot: null };
  return isPath(column) ? column : fillShared(column, use);
}

/** Whether nothing is left to be filled in of what a step computes. */
export const isKnownOp = (op: ComputeNode["op"]): boolean =>
  opColumns(op).every((column) => isPath(column) || isFilled(column));
