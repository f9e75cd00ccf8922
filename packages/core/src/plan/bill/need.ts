import { nodeValues } from "../lower/node-values.ts";
import type { PlanNode } from "../node.ts";
import type { PlanReturn } from "../plan.ts";
import type { PlanValue } from "../value.ts";

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
}

const PAGE: Need = { all: null, rows: null, page: true, scan: false };
const upTo = (rows: number): Need => ({ ...PAGE, rows, page: false });

/** The need of every node of a plan, by id. */
export function nodeNeeds(
  nodes: readonly PlanNode[],
  returns: readonly PlanReturn[],
): ReadonlyMap<string, Need> {
  const needs = new Map<string, Need>();
  const ask = (id: string, need: Need): void => {
    needs.set(id, merged(needs.get(id), need));
  };
  for (const { node, page_size } of returns) {
    ask(node, page_size === null ? PAGE : upTo(page_size));
  }
  for (const node of nodes.toReversed()) {
    if ("source" in node && node.source !== undefined) {
      ask(node.source, sourceNeed(node, needs.get(node.id) ?? PAGE));
    }
    for (const id of usedNodes(node)) ask(id, { ...PAGE, all: TEMPLATE });
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
  return { all: known.all ?? need.all, rows, page, scan: known.scan || need.scan };
}

type SourcedNode = Extract<
  PlanNode,
  { kind: "compute" | "relation" | "join" | "derive" | "for_each" }
>;

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
  if ("sort" in op) return { ...PAGE, all: "sort reads all" };
  if ("distinct" in op) return { ...PAGE, all: "distinct reads all" };
  if ("aggregate" in op) return { ...PAGE, all: "aggregate reads all" };
  if ("group_by" in op) return { ...PAGE, all: "group_by reads all" };
  return { ...PAGE, all: TEMPLATE };
}

const TEMPLATE = "the template reads all";

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
  else if ("obj" in value) inner(Object.values(value.obj));
}
