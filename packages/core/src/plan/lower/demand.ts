import { compareCodePoints } from "../../text/compare-code-points.ts";
import type { PlanNode } from "../node.ts";
import type { PlanValue } from "../value.ts";
import type { Draft } from "./draft.ts";
import { predFields } from "./plan-pred.ts";
import { nodeValues, ownFilter } from "./node-values.ts";

/**
 * The fields wanted of each read: those that a step, condition, argument or relation names (RUN-057),
 * sorted. `order` holds the drafts of a plan, inputs first.
 */
export function wantedFields(order: readonly Draft[]): ReadonlyMap<string, readonly string[]> {
  const wanted = new Map<string, Set<string>>();
  const want = (id: string, fields: Iterable<string>): void => {
    const known = wanted.get(id) ?? new Set();
    for (const field of fields) known.add(field);
    wanted.set(id, known);
  };
  for (const draft of order.toReversed()) {
    const { node } = draft;
    want(node.id, predFields(ownFilter(node)));
    if ("source" in node && node.source !== undefined) {
      want(node.source, sourceFields(draft, wanted.get(node.id) ?? []));
    }
    for (const value of nodeValues(node)) wantCells(value, want);
  }
  return new Map([...wanted].map(([id, fields]) => [id, [...fields].toSorted(compareCodePoints)]));
}

/** What a node wants of its source: what it names itself, and what is wanted of rows it passes on. */
function sourceFields(draft: Draft, passed: Iterable<string>): Iterable<string> {
  const { node } = draft;
  switch (node.kind) {
    case "compute":
      return [...passed, ...operationFields(node)];
    case "relation":
      return draft.read?.bindings ?? [];
    case "join":
      return [...passed, ...node.path.slice(0, 1)];
    case "derive":
    case "for_each":
      return nodeValues(node).flatMap(rowFields);
    case "query":
    case "search":
    case "get":
    case "data":
    case "create":
    case "update":
    case "delete":
    case "action":
      return [];
  }
}

/** The cells of the row at hand that a value names. */
function rowFields(value: PlanValue): readonly string[] {
  if ("row" in value) return value.row.slice(0, 1);
  if ("ref" in value) return Object.values(value.ref.key).flatMap(rowFields);
  if ("list" in value) return value.list.flatMap(rowFields);
  return "obj" in value ? Object.values(value.obj).flatMap(rowFields) : [];
}

function operationFields(node: Extract<PlanNode, { kind: "compute" }>): readonly string[] {
  const { op } = node;
  if ("filter" in op) return predFields(op.filter);
  if ("sort" in op) return op.sort.flatMap(({ path }) => path.slice(0, 1));
  if ("distinct" in op) return op.distinct.flatMap((path) => path.slice(0, 1));
  if ("project" in op) return op.project.flatMap((path) => path.slice(0, 1));
  if ("aggregate" in op) return op.aggregate.flatMap(({ path }) => path?.slice(0, 1) ?? []);
  if ("group_by" in op) {
    const { keys, aggs } = op.group_by;
    return [...keys, ...aggs.map(({ path }) => path ?? [])].flatMap((path) => path.slice(0, 1));
  }
  return [];
}

function wantCells(value: PlanValue, want: (id: string, fields: Iterable<string>) => void): void {
  if ("from" in value) want(value.from, value.path.slice(0, 1));
  else if ("ref" in value) Object.values(value.ref.key).forEach((each) => wantCells(each, want));
  else if ("list" in value) value.list.forEach((each) => wantCells(each, want));
  else if ("obj" in value) Object.values(value.obj).forEach((each) => wantCells(each, want));
}
