import type { NoteCode } from "../check/typed-program.ts";
import type { Span } from "../source/span.ts";
import type { BudgetName } from "../policy/policy.ts";
import type { PlanNode } from "./node.ts";

/** A predicted figure: what is sent is exactly, at most, or not known (PLAN-020). */
export type Figure =
  | { readonly exact: number }
  | { readonly max: number }
  | { readonly unknown: string };

export type ReasonCode =
  | "effect"
  | "unbounded_read"
  | "relation_fanout"
  | "mutating_for_each"
  | "unbounded_for_each"
  | "scan"
  | "wide_read"
  | "unused_seed"
  | "duplicate_effect"
  | "heavy_work"
  | NoteCode;

/** Why a plan needs review, or what its reader should know (PLAN-021). */
export interface Reason {
  readonly code: ReasonCode;
  readonly severity: "expensive" | "review" | "info";
  readonly node: string | null;
  readonly detail: string;
  readonly estimate: { readonly requests: number | null; readonly rows: number | null };
}

/** What one node is predicted to cost (OPS-37). */
export interface NodeBill {
  readonly requests: Figure;
  readonly rows: Figure;
  /** list pages among the requests, if it reads lists */
  readonly pages?: Figure;
  /** rows are completed by a get each: for certain, or where a row turns out to lack a field */
  readonly hydration?: "certain" | "possible";
  /** the same of the rows that a relation is followed from, which may not hold its rows (RUN-050) */
  readonly parents?: "certain" | "possible";
}

/** What a plan may cost, as a dry run tells it: figures of the whole, and of each node (PLAN-040). */
export interface Bill {
  readonly requests: Figure;
  readonly pages: Figure;
  readonly rows: Figure;
  readonly fan_out: Figure;
  readonly effects: Figure;
  readonly hydration: { readonly certain: number; readonly possible: number };
  /** what its local steps may cost, in units of the budget `work`; left out where it is little of that (PLAN-053) */
  readonly work?: number;
  readonly nodes: Readonly<Record<string, NodeBill>>;
}

export interface PlannedEffect {
  readonly node: string;
  readonly catalog: string;
  readonly capability: string;
  readonly target: string | null;
  readonly args: Readonly<Record<string, string>>;
  readonly for_each: string | null;
  /** capabilities read before it, in order; left out where there are none (RUN-104) */
  readonly reads?: readonly string[];
}

/** A result of a plan: its label, the node that gives it, and the rows of its first page. */
export interface PlanReturn {
  readonly label: string;
  readonly node: string;
  readonly page_size: number | null;
}

/** The five members a commit id is made of (PLAN-012, OPS-1). */
export interface PlanBody {
  readonly version: 1;
  readonly nodes: readonly PlanNode[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  readonly topological_order: readonly string[];
  readonly returns: readonly PlanReturn[];
}

/** What is known of a plan beside its commit: verdict, reasons, bill, effects and names of nodes. */
export interface PlanSummary {
  readonly verdict: "ok" | "review";
  readonly reasons: readonly Reason[];
  readonly bill: Bill;
  readonly effects: readonly PlannedEffect[];
  readonly budgets: Readonly<Record<BudgetName, number>>;
  readonly nodes: Readonly<Record<string, NodeSource>>;
}

/** The step of the program that a node was made from. */
export interface NodeSource {
  readonly label: string | null;
  readonly text: string;
  readonly span: Span;
  /**
   * arguments that nobody wrote and that the request carries, each with what it is of the row at hand, as
   * `_` or `_.city`; left out where there are none (RUN-010, RUN-044)
   */
  readonly bound?: Readonly<Record<string, string>>;
}

/** A checked program as data: what a dry run shows and a live run executes (PLAN-001). */
export interface Plan extends PlanBody {
  readonly commit: string;
  readonly name: string;
  readonly source: string;
  readonly summary: PlanSummary;
}
