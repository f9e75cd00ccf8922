import type { PlanNode, PlanValue, Pred } from "./ir.ts";
import type { Rows } from "../check/typed-program.ts";
import { rowSource, valueSources } from "./lower/rows-graph.ts";

/** The condition a node tests on its own rows, or null. */
export function ownFilter(node: PlanNode): Pred | null {
  switch (node.kind) {
    case "query":
    case "search":
    case "relation":
      return node.filter;
    case "for_each":
      return "filter" in node.body ? node.body.filter : null;
    case "get":
    case "join":
    case "compute":
    case "data":
    case "derive":
    case "create":
    case "update":
    case "delete":
    case "action":
      return null;
  }
}

/** The values a node sends, tests or computes with. */
export function nodeValues(node: PlanNode): readonly PlanValue[] {
  switch (node.kind) {
    case "query":
    case "search":
      return [...Object.values(node.args), ...predValues(node.filter)];
    case "relation":
      return [
        ...Object.values(node.anchor ?? {}),
        ...Object.values(node.args),
        ...predValues(node.filter),
      ];
    case "get":
      return [...Object.values(node.key), ...Object.values(node.args)];
    case "join":
    case "create":
      return Object.values(node.args);
    case "update":
    case "delete":
    case "action":
      return [...Object.values(node.target), ...Object.values(node.args)];
    case "compute":
      return "filter" in node.op ? predValues(node.op.filter) : [];
    case "data":
      return [node.value];
    case "derive":
      return node.columns.map(([, value]) => value);
    case "for_each":
      return bodyValues(node.body);
  }
}

function bodyValues(body: Extract<PlanNode, { kind: "for_each" }>["body"]): readonly PlanValue[] {
  const members = [body.args];
  if (body.kind === "get") members.push(body.key);
  if ("target" in body) members.push(body.target);
  const tested = "filter" in body ? predValues(body.filter) : [];
  return [...members.flatMap((member) => Object.values(member)), ...tested];
}

function predValues(pred: Pred | null): readonly PlanValue[] {
  if (pred === null) return [];
  if ("and" in pred) return pred.and.flatMap(predValues);
  if ("or" in pred) return pred.or.flatMap(predValues);
  if ("not" in pred) return predValues(pred.not);
  return "exists" in pred ? [] : [pred.value];
}

/** By rows, the steps that use them. */
export type Uses = ReadonlyMap<Rows, readonly (Rows | null)[]>;

/** Which steps use which rows; null stands for a result of the program. */
export function usesOf(order: readonly Rows[], roots: readonly Rows[]): Uses {
  const uses = new Map<Rows, (Rows | null)[]>();
  const use = (rows: Rows, by: Rows | null): void => {
    const known = uses.get(rows);
    if (known === undefined) uses.set(rows, [by]);
    else known.push(by);
  };
  for (const rows of order) {
    const source = rowSource(rows);
    if (source !== null) use(source, rows);
    for (const each of new Set(valueSources(rows))) use(each, rows);
  }
  for (const root of new Set(roots)) use(root, null);
  return uses;
}

/** The step that alone uses some rows; null if there are several, or a result is one. */
export function onlyUse(uses: Uses, rows: Rows): Rows | null {
  const by = uses.get(rows) ?? [];
  const [only] = by;
  return by.length === 1 && only !== undefined ? only : null;
}
