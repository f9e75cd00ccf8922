import { compareCodePoints } from "../base/text.ts";
import { type TemplateReads, templateReads } from "../templates/template-reads.ts";
import type { ComputeNode, PlanNode, PlanReturn, PlanValue } from "./ir.ts";
import type { Draft } from "./lower/rows-graph.ts";
import { conditionPaths } from "./lower/lower-compute.ts";
import { columnPaths, cursorPaths, nodeValues, opColumns, ownFilter } from "./algebra.ts";
import { isPair, pairedColumns, sidePaths } from "./pairs.ts";

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
    want(node.id, conditionPaths(ownFilter(node)));
    want(node.id, totalPaths(node));
    if ("source" in node && node.source !== undefined) {
      want(node.source, distinct(sourcePaths(node, draft, wanted.get(node.id) ?? [])));
    }
    for (const [id, paths] of usedPaths(node, wanted.get(node.id) ?? [])) want(id, paths);
    for (const value of nodeValues(node)) wantCells(value, want);
  }
  return new Map(order.map(({ node }) => [node.id, fieldsOf(node, wanted.get(node.id) ?? [])]));
}

/** What totals read of related rows, behind the path of their join. */
function totalPaths(node: PlanNode): readonly Path[] {
  if (node.kind !== "join" || node.totals === undefined) return [];
  const { filter, asked } = node.totals;
  const read = asked.flatMap(({ path }) => (path === null ? [] : [path]));
  return [...conditionPaths(filter), ...read].map((path) => [...node.path, ...path]);
}

/** The first names of paths; of a join the names behind its own path, of a pair its columns. */
function fieldsOf(node: PlanNode, paths: readonly Path[]): readonly string[] {
  if (isPair(node)) return pairedColumns(node, paths);
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
      return node.totals === undefined
        ? [...passed, node.path]
        : [...notBehind(passed, node.path), ...(read?.bindings ?? []).map((field) => [field])];
    case "derive":
    case "for_each":
      return cursorPaths(nodeValues(node)).filter(({ length }) => length > 0);
  }
}

/** Paths that do not lead behind a relation: what is behind it is asked of its own rows. */
function notBehind(paths: readonly Path[], [relation]: Path): readonly Path[] {
  return paths.filter(([first, ...rest]) => first !== relation || rest.length === 0);
}

/** Steps that keep rows pass on what is wanted of them; the others make columns of their own. */
function operationPaths({ op }: ComputeNode, passed: readonly Path[]): readonly Path[] {
  if ("filter" in op) return [...passed, ...conditionPaths(op.filter)];
  if ("render" in op) return readColumns(templateReads(op.render.text).get("rows"));
  if ("pair" in op) return sidePaths(op, passed).left;
  const own = columnPaths(opColumns(op));
  return "aggregate" in op || "group_by" in op ? own : [...passed, ...own];
}

/** What a template or a pair reads of the nodes it uses besides its source. */
function usedPaths(
  node: PlanNode,
  passed: readonly Path[],
): readonly (readonly [id: string, paths: readonly Path[]])[] {
  if (isPair(node)) return [[node.op.pair.with, distinct(sidePaths(node.op, passed).right)]];
  if (node.kind !== "compute" || !("render" in node.op)) return [];
  const { text, uses } = node.op.render;
  const reads = templateReads(text);
  return Object.entries(uses).map(([name, id]) => [id, readColumns(reads.get(name))]);
}

/** The columns a template reads; a column's name is its path (LANG-064). */
function readColumns(reads: TemplateReads | undefined): readonly Path[] {
  return reads?.columns.map((column) => column.split(".")) ?? [];
}

function wantCells(value: PlanValue, want: (id: string, paths: readonly Path[]) => void): void {
  if ("from" in value) want(value.from, value.path.length === 0 ? [] : [value.path]);
  else if ("ref" in value) Object.values(value.ref.key).forEach((each) => wantCells(each, want));
  else if ("list" in value) value.list.forEach((each) => wantCells(each, want));
  else if ("args" in value) value.args.forEach((each) => wantCells(each, want));
  else if ("obj" in value) Object.values(value.obj).forEach((each) => wantCells(each, want));
}

/**
 * How far a node is read for its consumers (RUN-076): to the end if `all` says who asks for it, else
 * until `rows` rows are there, else one page. `scan` says that a filter drops rows on the way.
 */
export interface Need {
  readonly all: string | null;
  readonly rows: number | null;
  /** one page is asked for, which may hold more than `rows` */
  readonly page: boolean;
  readonly scan: boolean;
  /** some consumer asks for less than all, so that it may be read in parts */
  readonly partly: boolean;
}

const PAGE: Need = { all: null, rows: null, page: true, scan: false, partly: false };
const upTo = (rows: number): Need => ({ ...PAGE, rows, page: false });

/** The need of every node of a plan, by id. */
export function nodeNeeds(
  nodes: readonly PlanNode[],
  returns: readonly PlanReturn[],
): ReadonlyMap<string, Need> {
  const needs = new Map<string, Need>();
  const ask = (id: string, need: Need): void => {
    const own = { ...need, partly: need.partly || need.all === null };
    needs.set(id, merged(needs.get(id), own));
  };
  for (const { node, page_size } of returns) {
    ask(node, page_size === null ? PAGE : upTo(page_size));
  }
  for (const node of nodes.toReversed()) {
    if ("source" in node && node.source !== undefined) {
      ask(node.source, sourceNeed(node, needs.get(node.id) ?? PAGE));
    }
    for (const id of usedNodes(node)) ask(id, { ...PAGE, all: TEMPLATE });
    if (isPair(node)) ask(node.op.pair.with, { ...PAGE, all: JOIN });
    const column = node.effect_class === "read" ? "a condition takes all" : "a value takes all";
    for (const value of nodeValues(node)) askCells(value, column, ask);
  }
  return needs;
}

function merged(known: Need | undefined, need: Need): Need {
  if (known === undefined) return need;
  const rows = known.rows === null ? need.rows : Math.max(known.rows, need.rows ?? 0);
  // One page and n rows are both asked for: n rows are read, the page is among them.
  const page = known.page || need.page;
  const partly = known.partly || need.partly;
  return { all: known.all ?? need.all, rows, page, scan: known.scan || need.scan, partly };
}

function sourceNeed(node: SourcedNode, own: Need): Need {
  switch (node.kind) {
    case "compute":
      return operationNeed(node, own);
    case "relation":
      return { ...PAGE, all: `.${node.relation} reads all` };
    case "join":
      return own;
    case "derive":
      // It makes its rows one by one: a page size or limit further on holds for what it reads.
      return own.rows === null ? { ...own, all: own.all ?? "=> reads all" } : own;
    case "for_each":
      return { ...PAGE, all: "=> reads all" };
  }
}

function operationNeed(node: Extract<PlanNode, { kind: "compute" }>, own: Need): Need {
  const { op } = node;
  if ("project" in op) return own;
  if ("limit" in op) return upTo(op.limit);
  if ("filter" in op) return { ...own, scan: true };
  if ("singleton" in op) return upTo(2);
  if ("sort" in op)
    return op.first === undefined ? { ...PAGE, all: "sort reads all" } : upTo(op.first);
  if ("distinct" in op) return { ...PAGE, all: "distinct reads all" };
  if ("aggregate" in op) return { ...PAGE, all: "aggregate reads all" };
  if ("group_by" in op) return { ...PAGE, all: "group_by reads all" };
  if ("pair" in op) return { ...PAGE, all: JOIN };
  return { ...PAGE, all: TEMPLATE };
}

const TEMPLATE = "the template reads all";
const JOIN = "join reads all";

/** The nodes that a template uses besides its source: it sees all their rows (LANG-067). */
function usedNodes(node: PlanNode): readonly string[] {
  return node.kind === "compute" && "render" in node.op ? Object.values(node.op.render.uses) : [];
}

/** What values ask for: a page of a row, all rows of a `column`. */
function askCells(value: PlanValue, column: string, ask: (id: string, need: Need) => void): void {
  const inner = (values: readonly PlanValue[]): void =>
    values.forEach((each) => askCells(each, column, ask));
  if ("from" in value) ask(value.from, value.many ? { ...PAGE, all: column } : PAGE);
  else if ("ref" in value) inner(Object.values(value.ref.key));
  else if ("list" in value) inner(value.list);
  else if ("args" in value) inner(value.args);
  else if ("obj" in value) inner(Object.values(value.obj));
}
