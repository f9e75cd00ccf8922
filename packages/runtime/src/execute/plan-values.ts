import type { PlanNode, PlanValue, Pred } from "@plasm/core";
import type { ForEachBody } from "./node-types.ts";

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
