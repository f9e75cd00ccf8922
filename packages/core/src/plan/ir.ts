import type { NoteCode } from "../check/typed-program.ts";
import type { Span } from "../base/span.ts";
import type { BudgetName, ReadBudget } from "../policy/policy.ts";
import type { PairedAs } from "../values/pair-key.ts";
import type { Json } from "../values/value-type.ts";

/** A value inside a plan (plan specification, section 2). Holes are filled when the plan runs. */
export type PlanValue =
  | { readonly lit: Json }
  | { readonly dec: string }
  | { readonly now: string }
  | {
      readonly from: string;
      readonly path: readonly string[];
      readonly type: string;
      readonly many: boolean;
    }
  | { readonly row: readonly string[]; readonly type: string }
  /** a cell of the row that a condition, key or aggregate is at */
  | { readonly cell: readonly string[]; readonly type: string }
  /** what node `total` found the related rows of the row at hand to come to, by the name it has there */
  | { readonly total: string; readonly of: string; readonly type: string }
  /** what an operation of {@link compute} makes of values */
  | {
      readonly op: string;
      readonly args: readonly PlanValue[];
      readonly type: string;
      readonly on?: string;
    }
  | { readonly ref: { readonly entity: string; readonly key: Readonly<Record<string, PlanValue>> } }
  | { readonly list: readonly PlanValue[] }
  | { readonly obj: Readonly<Record<string, PlanValue>> };

type CompareOp = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~" | "in";

/** A condition tested on rows in hand. Paths are lists of wire names. */
export type PlanPred =
  | { readonly and: readonly PlanPred[] }
  | { readonly or: readonly PlanPred[] }
  | { readonly not: PlanPred }
  | { readonly exists: readonly string[] }
  | { readonly test: PlanValue }
  | { readonly op: CompareOp; readonly path: readonly string[]; readonly value: PlanValue };

export type EffectClass = "read" | "write" | "side_effect" | "local";
type Cardinality = "one" | "opt" | "many";

/** The static row type of a node; `columns` null means whole rows of `entity`. Types as in TEACH-21. */
export interface ResultType {
  readonly card: Cardinality;
  readonly entity: string | null;
  readonly columns: readonly (readonly [name: string, type: string])[] | null;
}

/** Which catalog, at which effective digest, and which of its entities. */
export interface NodeCatalog {
  readonly entry_id: string;
  readonly digest: string;
  readonly entity: string;
}

/** What a step reads of each row: a column by its path, or a value computed from columns. */
export type PlanColumn = readonly string[] | PlanValue;

/** A key of a group: a column, under its own name, or a computed value under a name. */
export type PlanKey = readonly string[] | { readonly as: string; readonly value: PlanValue };

/** An aggregate of a plan. */
export interface PlanAgg {
  readonly as: string;
  readonly fn: "count" | "sum" | "avg" | "min" | "max" | "first" | "last";
  readonly path: PlanColumn | null;
}

/** What each side of a pair reads of its rows, and what both are compared as. */
interface PlanPair {
  readonly left: PlanColumn;
  readonly right: PlanColumn;
  readonly on: PairedAs;
}

/** The rows of `source` beside those of `with` whose keys are equal. */
export interface PairOp {
  readonly pair: {
    readonly with: string;
    /** what the columns of `with` are called by, before a dot */
    readonly as: string;
    readonly keys: readonly PlanPair[];
    /** whether rows of `source` stay that meet none */
    readonly left: boolean;
    /** the columns that further steps name */
    readonly wanted: readonly string[];
  };
}

export type ComputeOp =
  | { readonly filter: PlanPred }
  | {
      readonly sort: readonly { readonly path: PlanColumn; readonly desc: boolean }[];
      /** so many rows are read, which the source gives in this order (RUN-078) */
      readonly first?: number;
    }
  | { readonly limit: number }
  | { readonly singleton: true }
  /** the first row of each combination, or as many as `keep` says */
  | { readonly distinct: readonly PlanColumn[]; readonly keep?: number }
  | { readonly project: readonly (readonly string[])[] }
  | PairOp
  | { readonly aggregate: readonly PlanAgg[] }
  | {
      readonly group_by: {
        readonly keys: readonly PlanKey[];
        readonly aggs: readonly PlanAgg[];
      };
    }
  | {
      readonly render: { readonly text: string; readonly uses: Readonly<Record<string, string>> };
    };

interface NodeBase {
  readonly id: string;
  readonly effect_class: EffectClass;
  readonly stage: number;
  readonly result: ResultType;
}

type Args = Readonly<Record<string, PlanValue>>;
type Key = Readonly<Record<string, PlanValue>>;

interface RequestMembers {
  readonly catalog: NodeCatalog;
  readonly capability: string;
  readonly args: Args;
}

/** Reads a list: a query or a search, and the condition that is tested on its rows. */
export interface ListNode extends NodeBase, RequestMembers {
  readonly kind: "query" | "search";
  readonly filter: PlanPred | null;
  readonly limit: number | null;
  readonly wanted: readonly string[];
  /** its rows are not read: it gives one row, whose `count` is how many the API says that there are (RUN-079) */
  readonly count?: true;
}

/** Reads one row by its key; `missing` says what an absent row means. */
export interface GetNode extends NodeBase, RequestMembers {
  readonly kind: "get";
  readonly key: Key;
  readonly missing: "error" | "empty";
  readonly wanted: readonly string[];
}

type RelationVia =
  | "ref"
  | "from_parent_get"
  | "query_scoped"
  | "query_scoped_bindings"
  | "get_scoped_bindings"
  | "view";

/**
 * Follows a relation: from the rows of `source`, or from the one row whose key is `anchor`
 * (PLAN-002). Exactly one of the two is present. `capability` is null where rows are in hand.
 */
export interface RelationNode extends NodeBase {
  readonly kind: "relation";
  readonly catalog: NodeCatalog;
  readonly capability: string | null;
  readonly args: Args;
  readonly relation: string;
  /** the entity that owns the relation */
  readonly owner: string;
  readonly via: RelationVia;
  readonly source?: string;
  readonly anchor?: Key;
  readonly filter: PlanPred | null;
  readonly limit: number | null;
  readonly wanted: readonly string[];
  /** of an anchored one, as of a list (RUN-079) */
  readonly count?: true;
  /** of references: the list that gives several of their rows at once (RUN-080) */
  readonly batch?: string;
}

/** What is asked of rows that are related to a row; `exists` is true where there is one. */
export interface PlanTotal {
  readonly as: string;
  readonly fn: PlanAgg["fn"] | "exists";
  readonly path: readonly string[] | null;
}

/**
 * Fetches a to-one path so that a column or condition may read it, or, with `totals`, what the rows of a relation to
 * many come to.
 */
export interface JoinNode extends NodeBase {
  readonly kind: "join";
  readonly catalog: NodeCatalog;
  readonly capability: string | null;
  readonly args: Args;
  readonly source: string;
  readonly path: readonly string[];
  readonly as: string;
  readonly wanted: readonly string[];
  /** the list that gives the rows of several references, or what is related to several rows, at once (RUN-080) */
  readonly batch?: string;
  /** of the relation to many that `path` names: how it is followed, which of its rows count, and what is asked of them */
  readonly totals?: {
    /** the entity that owns the relation */
    readonly owner: string;
    readonly via: RelationVia;
    readonly filter: PlanPred | null;
    readonly asked: readonly PlanTotal[];
    /** the rows are not read: the API says how many there are (RUN-079) */
    readonly count?: true;
  };
}

/** Computes rows from the rows of `source`: one step of a program. */
export interface ComputeNode extends NodeBase {
  readonly kind: "compute";
  readonly source: string;
  readonly op: ComputeOp;
}

/** Gives a constant or computed value as a row. */
export interface DataNode extends NodeBase {
  readonly kind: "data";
  readonly value: PlanValue;
}

/** Makes new rows, with these columns, from the rows of `source`. */
export interface DeriveNode extends NodeBase {
  readonly kind: "derive";
  readonly source: string;
  readonly columns: readonly (readonly [string, PlanValue])[];
}

/** The effect that a node takes back, and what the row must be like for that (UNDO-06). */
export interface Undoes {
  /** the plan that it was an effect of, and its number among those that were done */
  readonly ref: string;
  readonly seq: number;
  readonly key: Readonly<Record<string, Json>>;
  /** a digest of what it left in each field; null where it left no row */
  readonly left: Readonly<Record<string, string>> | null;
  /** the same of what stood there before, in fields that this step sets to it: where it stands there, nothing is overwritten */
  readonly before?: Readonly<Record<string, string>>;
  /** those fields that its read gave ahead of the effect: one that is left out now is empty */
  readonly given?: readonly string[];
}

/** Creates a row. */
export interface CreateNode extends NodeBase, RequestMembers {
  readonly kind: "create";
  readonly undoes?: Undoes;
}

/** Changes the row whose key is `target`, or acts on it. */
export interface InvokeNode extends NodeBase, RequestMembers {
  readonly kind: "update" | "delete" | "action";
  readonly target: Key;
  readonly undoes?: Undoes;
}

type RequestNode = ListNode | GetNode | RelationNode | CreateNode | InvokeNode;
type WithoutPlace<N> = N extends unknown
  ? Omit<N, "id" | "stage" | "result" | "effect_class">
  : never;

/** The body of a for_each: a request node without id, stage and result. */
export type ForEachBody = WithoutPlace<RequestNode>;

/** Sends one request per row of `source`. */
export interface ForEachNode extends NodeBase {
  readonly kind: "for_each";
  readonly source: string;
  readonly body: ForEachBody;
}

/** One node of a plan (plan specification, section 2). All members are hashed. */
export type PlanNode =
  | ListNode
  | GetNode
  | RelationNode
  | JoinNode
  | ComputeNode
  | DataNode
  | DeriveNode
  | CreateNode
  | InvokeNode
  | ForEachNode;

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
  /** what takes it back, as the catalog says: `restore`, a capability's label, or `none`; left out where it says nothing (UNDO-02) */
  readonly undo?: string;
  /** fields that a PUT may empty, since they are not sent; left out where there are none (PLAN-042) */
  readonly empties?: readonly string[];
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
  /** where a run without the plan's ref stops, since nobody has reviewed what it reads; left out where it does not (PLAN-054) */
  readonly stops_at?: ReadBudget;
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
