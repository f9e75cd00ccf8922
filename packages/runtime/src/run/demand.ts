import type { CatalogSet, PlanBody, PlanNode } from "@plasm/core";
import {
  type ComputeNode,
  cursorPaths,
  holesOf,
  isEffect,
  isPair,
  nodeValues,
  templateReads,
} from "@plasm/core/internal";
import { FIXED } from "../limits/limits.ts";
import { readsPerValue } from "./list-sets.ts";
import type { Demand } from "./feed.ts";

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
    if (isPair(node)) visit(node.op.pair.with);
  };
  for (const node of plan.nodes) wholeInputs(node).forEach(visit);
  for (const { node } of plan.returns) visit(node);
  return whole;
}

/** A node that must be read so far before its stage ends. */
interface StageRead {
  readonly node: string;
  readonly demand: Demand;
}

/** How far a consumer, itself read so far, reads the node that its rows are made of. */
function sourceDemand(consumer: PlanNode, own: Demand): Demand {
  switch (consumer.kind) {
    case "join":
    case "derive":
      return own;
    case "compute": {
      const { op } = consumer;
      if ("project" in op) return own;
      if ("singleton" in op) return { rows: 2 };
      if ("sort" in op && op.first !== undefined) return { rows: op.first };
      if (!("limit" in op)) return "all";
      return { rows: typeof own === "object" ? Math.min(own.rows, op.limit) : op.limit };
    }
    default:
      return "all";
  }
}

/** What a consumer that is read as far as these reads of other nodes. */
function inputReads(consumer: PlanNode, demands: readonly Demand[]): readonly StageRead[] {
  const filled = holesOf(nodeValues(consumer)).map(({ from, many }): StageRead => ({
    node: from,
    demand: many ? "all" : { rows: 1 },
  }));
  const used =
    consumer.kind === "compute" && "render" in consumer.op
      ? Object.values(consumer.op.render.uses).map((node): StageRead => ({ node, demand: "all" }))
      : isPair(consumer)
        ? [{ node: consumer.op.pair.with, demand: "all" } as const]
        : [];
  const source = "source" in consumer ? consumer.source : undefined;
  const made =
    source === undefined
      ? []
      : demands.map((own): StageRead => ({ node: source, demand: sourceDemand(consumer, own) }));
  return [...filled, ...used, ...made];
}

/**
 * The reads of each stage (PLAN-004, LANG-073): what is returned, and what effects and later stages
 * will need. All else is pulled by these, in the same stage. Where it cannot be told before how much a
 * later stage needs, all is read.
 */
export function stageReads(
  plan: PlanBody,
  catalogs: CatalogSet,
): ReadonlyMap<number, readonly StageRead[]> {
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const demands = new Map<string, Demand[]>();
  const reads = new Map<number, StageRead[]>();
  const need = ({ node, demand }: StageRead): void => {
    demands.set(node, [...(demands.get(node) ?? []), demand]);
  };
  const read = (what: StageRead): void => {
    const node = nodes.get(what.node);
    if (node === undefined) throw new Error(`the plan has no node ${what.node}`);
    if (isEffect(node)) return;
    reads.set(node.stage, [...(reads.get(node.stage) ?? []), what]);
  };
  for (const { node, page_size: size } of plan.returns) {
    const demand = returnDemand(plan, node, size, catalogs);
    need({ node, demand });
    read({ node, demand });
  }
  for (const id of plan.topological_order.toReversed()) {
    const consumer = nodes.get(id);
    if (consumer === undefined) throw new Error(`the plan has no node ${id}`);
    const own = isEffect(consumer) ? (["all"] as const) : (demands.get(id) ?? []);
    for (const input of inputReads(consumer, own)) {
      need(input);
      const later = (nodes.get(input.node)?.stage ?? 0) < consumer.stage;
      if (later || isEffect(consumer)) read(input);
    }
  }
  return reads;
}
