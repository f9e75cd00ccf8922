import type { CatalogSet, PlanBody, PlanNode } from "@plasm/core";
import { returnDemand } from "./demand.ts";
import type { Demand } from "./feed.ts";
import { isEffect } from "./node-types.ts";
import { holesOf, nodeValues } from "./plan-values.ts";

/** A node that must be read so far before its stage ends. */
export interface StageRead {
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
