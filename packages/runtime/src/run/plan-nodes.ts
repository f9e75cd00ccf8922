import type { PlanNode, PlanValue, Pred } from "@plasm/core";

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

/** A value that comes from another node. */
export type Hole = Extract<PlanValue, { from: string }>;

/** The value and all inside it. */
function parts(value: PlanValue): readonly PlanValue[] {
  if ("list" in value) return [value, ...value.list.flatMap(parts)];
  if ("obj" in value) return [value, ...Object.values(value.obj).flatMap(parts)];
  if ("ref" in value) return [value, ...Object.values(value.ref.key).flatMap(parts)];
  return [value];
}

function predValues(pred: Pred | null): readonly PlanValue[] {
  if (pred === null || "exists" in pred) return [];
  if ("and" in pred) return pred.and.flatMap(predValues);
  if ("or" in pred) return pred.or.flatMap(predValues);
  return "not" in pred ? predValues(pred.not) : [pred.value];
}

/** The values a request is made of: arguments, key, anchor, target, and those of its condition. */
export function requestValues(body: ForEachBody): readonly PlanValue[] {
  const members = [body.args];
  if (body.kind === "get") members.push(body.key);
  if ("target" in body) members.push(body.target);
  if ("anchor" in body && body.anchor !== undefined) members.push(body.anchor);
  const tested = "filter" in body ? predValues(body.filter) : [];
  return [...members.flatMap((member) => Object.values(member)), ...tested];
}

/** The values a node sends, tests or computes with. */
export function nodeValues(node: PlanNode): readonly PlanValue[] {
  switch (node.kind) {
    case "query":
    case "search":
    case "get":
    case "relation":
    case "create":
    case "update":
    case "delete":
    case "action":
      return requestValues(node);
    case "join":
      return Object.values(node.args);
    case "compute":
      return "filter" in node.op ? predValues(node.op.filter) : [];
    case "data":
      return [node.value];
    case "derive":
      return node.columns.map(([, value]) => value);
    case "for_each":
      return requestValues(node.body);
  }
}

/** The holes of values, those inside others included. */
export function holesOf(values: readonly PlanValue[]): readonly Hole[] {
  return values.flatMap(parts).filter((value) => "from" in value);
}

/** The paths on the row a `=>` is at. */
export function cursorPaths(values: readonly PlanValue[]): readonly (readonly string[])[] {
  return values.flatMap(parts).flatMap((value) => ("row" in value ? [value.row] : []));
}
