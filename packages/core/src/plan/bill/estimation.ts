import type { AccessRules } from "../../check/access.ts";
import type { ReadFacts } from "../lower/rows-graph.ts";
import type { Figure, PlanNode } from "../ir.ts";
import type { BilledHydration } from "./reads.ts";
import type { Need } from "../demand.ts";

/** What one node is predicted to cost and give (PLAN-020). */
export interface Estimate {
  readonly requests: Figure;
  readonly rows: Figure;
  /** list pages among the requests */
  readonly pages: Figure;
  /** how many times the node asks: once, per source row, or per value */
  readonly asks: Figure;
  readonly hydration: BilledHydration | null;
  /** the source rows of a relation that a get each completes first (RUN-050) */
  readonly parents?: BilledHydration | null;
  readonly paged: boolean;
}

/** What an estimate depends on besides the node. */
export interface EstimateContext {
  readonly rules: AccessRules;
  readonly pagesBudget: number;
  node(id: string): PlanNode | undefined;
  need(id: string): Need;
  facts(id: string): ReadFacts | null;
  /** whether another read goes by this capability of its catalog, with no effect on that catalog between them */
  readBeside(node: PlanNode, entryId: string, capability: string): boolean;
  /** the estimate of an input; inputs are estimated first */
  of(id: string): Estimate;
}
