import { type CatalogSet, type PlanBody, type PlanNode, templateReads } from "@plasm/core";
import { FIXED } from "../limits/limits.ts";
import { readsPerValue } from "./argument-sets.ts";
import type { Demand } from "./feed.ts";
import type { ComputeNode } from "./node-types.ts";
import { cursorPaths, holesOf, nodeValues } from "./plan-values.ts";

type Nodes = ReadonlyMap<string, PlanNode>;

function nodeOf(nodes: Nodes, id: string): PlanNode {
  const node = nodes.get(id);
  if (node === undefined) throw new Error(`the plan has no node ${id}`);
  return node;
}

/** Whether a row-wise chain ends in a list that is tested locally, so that pages may hold few rows. */
function isFiltered(nodes: Nodes, node: PlanNode): boolean {
  if (node.kind === "query" || node.kind === "search") return node.filter !== null;
  if (node.kind === "join") return isFiltered(nodes, nodeOf(nodes, node.source));
  if (node.kind !== "compute") return false;
  return "filter" in node.op || isFiltered(nodes, nodeOf(nodes, node.source));
}

/** What a returned node reads by itself when its statement sets no page size (RUN-076). */
function ownDemand(nodes: Nodes, node: PlanNode, catalogs: CatalogSet): Demand {
  switch (node.kind) {
    case "query":
    case "search":
      if (node.limit !== null || readsPerValue(node, catalogs)) return "all";
      return node.filter === null ? "page" : { rows: FIXED.localFilterPage };
    case "compute": {
      if ("filter" in node.op || "project" in node.op) {
        const inner = ownDemand(nodes, nodeOf(nodes, node.source), catalogs);
        const wider = inner === "page" && isFiltered(nodes, node);
        return wider ? { rows: FIXED.localFilterPage } : inner;
      }
      return "all";
    }
    case "join":
      return ownDemand(nodes, nodeOf(nodes, node.source), catalogs);
    default:
      return "all";
  }
}

/** How far each return reads its node: its page size, else what the node reads by itself (RUN-076). */
export function returnDemand(
  plan: PlanBody,
  node: string,
  pageSize: number | null,
  catalogs: CatalogSet,
): Demand {
  if (pageSize !== null) return { rows: pageSize };
  const nodes = new Map(plan.nodes.map((each) => [each.id, each]));
  return ownDemand(nodes, nodeOf(nodes, node), catalogs);
}

/** The nodes whose row as a whole is a value of this one. */
function wholeInputs(node: PlanNode): readonly string[] {
  const values = nodeValues(node);
  const holes = holesOf(values).filter(({ path }) => path.length === 0);
  const cursor = cursorPaths(values).some((path) => path.length === 0);
  const source = cursor && "source" in node && node.source !== undefined ? [node.source] : [];
  return [...holes.map(({ from }) => from), ...source, ...wholeInTemplate(node)];
}

/** The nodes whose rows a template uses themselves, not only their columns. */
function wholeInTemplate(node: PlanNode): readonly string[] {
  if (node.kind !== "compute" || !("render" in node.op)) return [];
  const { text, uses } = node.op.render;
  const reads = templateReads(text);
  return Object.entries({ ...uses, rows: node.source }).flatMap(([name, id]) =>
    reads.get(name)?.whole === true ? [id] : [],
  );
}

/** Whether a step makes columns of its own, of wanted fields, in place of whole rows. */
function makesColumns({ op }: ComputeNode): boolean {
  return "project" in op || "aggregate" in op || "group_by" in op || "render" in op;
}

/**
 * The nodes of which whole rows are needed: returned as they are, or used as a value. Of the others
 * the wanted fields suffice (RUN-057).
 */
export function wholeNodes(plan: PlanBody): ReadonlySet<string> {
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const whole = new Set<string>();
  const visit = (id: string): void => {
    if (whole.has(id)) return;
    whole.add(id);
    const node = nodeOf(nodes, id);
    const keepsRows = node.kind === "compute" && !makesColumns(node);
    if (keepsRows || node.kind === "join") visit(node.source);
  };
  for (const node of plan.nodes) wholeInputs(node).forEach(visit);
  for (const { node } of plan.returns) visit(node);
  return whole;
}
