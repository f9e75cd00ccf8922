import type { PlanNode } from "@plasm/core";

export type ListNode = Extract<PlanNode, { kind: "query" | "search" }>;
export type GetNode = Extract<PlanNode, { kind: "get" }>;
export type RelationNode = Extract<PlanNode, { kind: "relation" }>;
export type JoinNode = Extract<PlanNode, { kind: "join" }>;
export type DataNode = Extract<PlanNode, { kind: "data" }>;
export type DeriveNode = Extract<PlanNode, { kind: "derive" }>;
export type ComputeNode = Extract<PlanNode, { kind: "compute" }>;
export type ForEachNode = Extract<PlanNode, { kind: "for_each" }>;
export type ForEachBody = ForEachNode["body"];

/** A node that changes something: create, update, delete or action. */
export type EffectNode = Extract<PlanNode, { kind: "create" | "update" | "delete" | "action" }>;
/** What an effect is, as a node or as the body of a for_each. */
export type EffectBody = Extract<ForEachBody, { kind: EffectNode["kind"] }>;
/** A read in the body of a for_each. */
export type ReadBody = Exclude<ForEachBody, EffectBody>;

/** Whether a for_each runs an effect per row. */
export function isEffectBody(body: ForEachBody): body is EffectBody {
  switch (body.kind) {
    case "create":
    case "update":
    case "delete":
    case "action":
      return true;
    case "query":
    case "search":
    case "get":
    case "relation":
      return false;
  }
}

/** Whether a node is a barrier between reads (PLAN-004). */
export function isEffect(node: PlanNode): node is EffectNode | ForEachNode {
  switch (node.kind) {
    case "create":
    case "update":
    case "delete":
    case "action":
      return true;
    case "for_each":
      return isEffectBody(node.body);
    case "query":
    case "search":
    case "get":
    case "relation":
    case "join":
    case "compute":
    case "data":
    case "derive":
      return false;
  }
}
