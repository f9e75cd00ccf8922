import { compareCodePoints } from "../../text/compare-code-points.ts";
import { type TemplateReads, templateReads } from "../../templates/template-reads.ts";
import type { ComputeNode, PlanNode } from "../node.ts";
import type { PlanValue } from "../value.ts";
import type { Draft } from "./draft.ts";
import { predPaths } from "./plan-pred.ts";
import { nodeValues, ownFilter } from "./node-values.ts";

type Path = readonly string[];

/**
 * The fields wanted of each read: those that a step, condition, argument or relation names (RUN-057),
 * sorted; of a join those of the row it fetches. `order` holds the drafts of a plan, inputs first.
 */
export function wantedFields(order: readonly Draft[]): ReadonlyMap<string, readonly string[]> {
  const wanted = new Map<string, Path[]>();
  const want = (id: string, paths: readonly Path[]): void => {
    wanted.set(id, [...(wanted.get(id) ?? []), ...paths]);
  };
  for (const draft of order.toReversed()) {
    const { node } = draft;
    want(node.id, predPaths(ownFilter(node)));
    if ("source" in node && node.source !== undefined) {
      want(node.source, distinct(sourcePaths(node, draft, wanted.get(node.id) ?? [])));
    }
    for (const [id, paths] of usedPaths(node)) want(id, paths);
    for (const value of nodeValues(node)) wantCells(value, want);
  }
  return new Map(order.map(({ node }) => [node.id, fieldsOf(node, wanted.get(node.id) ?? [])]));
}

/** The first names of paths; of a join the names behind its own path. */
function fieldsOf(node: PlanNode, paths: readonly Path[]): readonly string[] {
  const own = node.kind === "join" ? node.path : [];
  const names = paths.flatMap((path) => {
    const isBehind = own.every((name, at) => path[at] === name);
    const name = path[own.length];
    return isBehind && name !== undefined ? [name] : [];
  });
  return [...new Set(names)].toSorted(compareCodePoints);
}

function distinct(paths: readonly Path[]): readonly Path[] {
  return [...new Map(paths.map((path) => [path.join("."), path])).values()];
}

type SourcedNode = Extract<
  PlanNode,
  { kind: "compute" | "relation" | "join" | "derive" | "for_each" }
>;

/** What a node wants of its source: what it names itself, and what is wanted of rows it passes on. */
function sourcePaths(node: SourcedNode, { read }: Draft, passed: readonly Path[]): readonly Path[] {
  switch (node.kind) {
    case "compute":
      return operationPaths(node, passed);
    case "relation":
      return (read?.bindings ?? []).map((field) => [field]);
    case "join":
      return [...passed, node.path];
    case "derive":
    case "for_each":
      return nodeValues(node).flatMap(rowPaths);
  }
}

/** The cells of the row at hand that a value names. */
function rowPaths(value: PlanValue): readonly Path[] {
  if ("row" in value) return value.row.length === 0 ? [] : [value.row];
  if ("ref" in value) return Object.values(value.ref.key).flatMap(rowPaths);
  if ("list" in value) return value.list.flatMap(rowPaths);
  return "obj" in value ? Object.values(value.obj).flatMap(rowPaths) : [];
}

/** Steps that keep rows pass on what is wanted of them; the others make columns of their own. */
function operationPaths({ op }: ComputeNode, passed: readonly Path[]): readonly Path[] {
  if ("filter" in op) return [...passed, ...predPaths(op.filter)];
  if ("sort" in op) return [...passed, ...op.sort.map(({ path }) => path)];
  if ("distinct" in op) return [...passed, ...op.distinct];
  if ("project" in op) return [...passed, ...op.project];
  if ("limit" in op || "singleton" in op) return passed;
  if ("aggregate" in op) return op.aggregate.flatMap(({ path }) => (path === null ? [] : [path]));
  if ("group_by" in op) {
    const { keys, aggs } = op.group_by;
    return [...keys, ...aggs.flatMap(({ path }) => (path === null ? [] : [path]))];
  }
  return columnPaths(templateReads(op.render.text).get("rows"));
}

/** What a template reads of the nodes it uses besides its source. */
function usedPaths(node: PlanNode): readonly (readonly [id: string, paths: readonly Path[]])[] {
  if (node.kind !== "compute" || !("render" in node.op)) return [];
  const { text, uses } = node.op.render;
  const reads = templateReads(text);
  return Object.entries(uses).map(([name, id]) => [id, columnPaths(reads.get(name))]);
}

/** The columns a template reads; a column's name is its path (LANG-064). */
function columnPaths(reads: TemplateReads | undefined): readonly Path[] {
  return reads?.columns.map((column) => column.split(".")) ?? [];
}

function wantCells(value: PlanValue, want: (id: string, paths: readonly Path[]) => void): void {
  if ("from" in value) want(value.from, value.path.length === 0 ? [] : [value.path]);
  else if ("ref" in value) Object.values(value.ref.key).forEach((each) => wantCells(each, want));
  else if ("list" in value) value.list.forEach((each) => wantCells(each, want));
  else if ("obj" in value) Object.values(value.obj).forEach((each) => wantCells(each, want));
}
