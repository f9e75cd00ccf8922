import type { PlanValue, Pred } from "./value.ts";

export type EffectClass = "read" | "write" | "side_effect" | "local";
export type Cardinality = "one" | "opt" | "many";

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

export interface Agg {
  readonly as: string;
  readonly fn: "count" | "sum" | "avg" | "min" | "max";
  readonly path: readonly string[] | null;
}

export type ComputeOp =
  | { readonly filter: Pred }
  | { readonly sort: readonly { readonly path: readonly string[]; readonly desc: boolean }[] }
  | { readonly limit: number }
  | { readonly singleton: true }
  | { readonly distinct: readonly (readonly string[])[] }
  | { readonly project: readonly (readonly string[])[] }
  | { readonly aggregate: readonly Agg[] }
  | {
      readonly group_by: {
        readonly keys: readonly (readonly string[])[];
        readonly aggs: readonly Agg[];
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

export interface ListNode extends NodeBase, RequestMembers {
  readonly kind: "query" | "search";
  readonly filter: Pred | null;
  readonly limit: number | null;
  readonly wanted: readonly string[];
}

export interface GetNode extends NodeBase, RequestMembers {
  readonly kind: "get";
  readonly key: Key;
  readonly missing: "error" | "empty";
  readonly wanted: readonly string[];
}

export type RelationVia =
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
  readonly filter: Pred | null;
  readonly limit: number | null;
  readonly wanted: readonly string[];
}

/** Fetches a to-one path so that a column or condition may read it. */
export interface JoinNode extends NodeBase {
  readonly kind: "join";
  readonly catalog: NodeCatalog;
  readonly capability: string | null;
  readonly args: Args;
  readonly source: string;
  readonly path: readonly string[];
  readonly as: string;
  readonly wanted: readonly string[];
}

export interface ComputeNode extends NodeBase {
  readonly kind: "compute";
  readonly source: string;
  readonly op: ComputeOp;
}

export interface DataNode extends NodeBase {
  readonly kind: "data";
  readonly value: PlanValue;
}

export interface DeriveNode extends NodeBase {
  readonly kind: "derive";
  readonly source: string;
  readonly columns: readonly (readonly [string, PlanValue])[];
}

export interface CreateNode extends NodeBase, RequestMembers {
  readonly kind: "create";
}

export interface InvokeNode extends NodeBase, RequestMembers {
  readonly kind: "update" | "delete" | "action";
  readonly target: Key;
}

type RequestNode = ListNode | GetNode | RelationNode | CreateNode | InvokeNode;
type WithoutPlace<N> = N extends unknown
  ? Omit<N, "id" | "stage" | "result" | "effect_class">
  : never;

/** The body of a for_each: a request node without id, stage and result. */
export type ForEachBody = WithoutPlace<RequestNode>;

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
