import { getByKey } from "../../check/reads/gets-by-key.ts";
import { type AccessRules, accessTo } from "../../check/access.ts";
import { catalogOf, type EntityKey } from "../../catalog/federation.ts";
import { batchesByKey } from "../../mapping/batch-lists.ts";
import { providedFields } from "../../model/lookups.ts";
import type { ForEachBody, NodeCatalog, PlanBody, PlanNode } from "../ir.ts";
import { wantedFields } from "../demand.ts";
import { isPair } from "../pairs.ts";
import type { Draft, Drafts } from "./rows-graph.ts";
import { renameNode } from "../rename.ts";

/** The nodes of a plan with their final ids, and the drafts they were made from. */
export interface NumberedNodes {
  readonly nodes: readonly PlanNode[];
  readonly edges: PlanBody["edges"];
  /** by final id */
  readonly drafts: ReadonlyMap<string, Draft>;
  /** draft id → final id */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Numbers the nodes that the given ones need, in one walk: depth first, inputs before the node, numbers
 * on leaving (PLAN-010). Fills in what only the whole plan tells: wanted fields and the gets they choose.
 */
export function numberNodes(
  rules: AccessRules,
  drafts: Drafts,
  starts: readonly string[],
): NumberedNodes {
  const { order, wanted, place } = needed(walk(drafts, starts));
  const ids = new Map(order.map((draft, at) => [draft.id, `n${at + 1}`]));
  for (const [idle, source] of place) ids.set(idle, ids.get(source) ?? "");
  const rename = (id: string): string => {
    const final = ids.get(id);
    if (final === undefined) throw new Error(`The walk did not reach ${id}.`);
    return final;
  };
  const nodes = order.map((draft) =>
    renameNode(completed(rules, draft.node, wanted.get(draft.id) ?? []), rename),
  );
  const byFinal = new Map(order.map((draft) => [rename(draft.id), draft]));
  return { nodes, edges: edgesOf(order, rename), drafts: byFinal, ids };
}

interface Needed {
  readonly order: readonly Draft[];
  readonly wanted: ReadonlyMap<string, readonly string[]>;
  /** joins that were left out, and the draft that stands for each */
  readonly place: ReadonlyMap<string, string>;
}

/** The drafts without the joins of which nothing is read: what they would fetch is not needed. */
function needed(drafts: readonly Draft[]): Needed {
  const place = new Map<string, string>();
  const placeOf = (id: string): string => place.get(id) ?? id;
  let order = drafts;
  for (;;) {
    const wanted = wantedFields(order);
    const idle = order.filter(({ id, node }) => {
      return node.kind === "join" && node.totals === undefined && !wanted.get(id)?.length;
    });
    if (idle.length === 0) return { order, wanted, place };
    for (const { id, node } of idle) if (node.kind === "join") place.set(id, placeOf(node.source));
    for (const [id, source] of place) place.set(id, placeOf(source));
    order = order
      .filter(({ id }) => !place.has(id))
      .map((draft) => ({
        ...draft,
        node: renameNode(draft.node, placeOf),
        inputs: draft.inputs.map(placeOf),
      }));
  }
}

/** An explicit stack: a chain of a thousand steps is as deep as it is long. */
function walk(drafts: Drafts, starts: readonly string[]): readonly Draft[] {
  const order: Draft[] = [];
  const entered = new Set<string>();
  const stack: { readonly draft: Draft; next: number }[] = [];
  const enter = (id: string): void => {
    if (entered.has(id)) return;
    entered.add(id);
    stack.push({ draft: drafts.get(id), next: 0 });
  };
  for (const start of starts) {
    enter(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const input = top.draft.inputs[top.next++];
      if (input !== undefined) enter(input);
      else {
        order.push(top.draft);
        stack.pop();
      }
    }
  }
  return order;
}

/** Edges by number of `to`, then of `from`; several uses of one input are one edge. */
function edgesOf(order: readonly Draft[], rename: (id: string) => string): PlanBody["edges"] {
  const position = new Map(order.map((draft, at) => [draft.id, at]));
  const at = (id: string): number => position.get(id) ?? 0;
  return order.flatMap((draft) =>
    [...new Set(draft.inputs)]
      .toSorted((a, b) => at(a) - at(b))
      .map((input) => ({ from: rename(input), to: rename(draft.id) })),
  );
}

function completed(rules: AccessRules, node: PlanNode, wanted: readonly string[]): PlanNode {
  switch (node.kind) {
    case "query":
    case "search":
      return node.count === true ? node : { ...node, wanted };
    case "get": {
      const capability = node.capability === "" ? getFor(rules, node, wanted) : node.capability;
      return { ...node, capability, wanted };
    }
    case "relation": {
      if (node.count === true) return node;
      if (node.capability !== "") return { ...node, wanted };
      const capability = getFor(rules, node, wanted);
      const own = { ...node, capability, wanted };
      if (node.source === undefined) return own;
      // Its rows are given as they are, so that all that the get fills is wanted.
      const filled = [...filledBy(rules, node, capability), ...wanted];
      return { ...own, ...batchFor(rules, node, filled) };
    }
    case "join": {
      if (node.capability !== "") return { ...node, wanted };
      const capability = getFor(rules, node, wanted);
      return { ...node, capability, wanted, ...batchFor(rules, node, wanted) };
    }
    case "for_each":
      return { ...node, body: completedBody(rules, node.body, wanted) };
    case "compute":
      return isPair(node) ? { ...node, op: { pair: { ...node.op.pair, wanted } } } : node;
    case "data":
    case "derive":
    case "create":
    case "update":
    case "delete":
    case "action":
      return node;
  }
}

/** The get that fills the wanted fields of a node's entity (RUN-042). */
function getFor(
  rules: AccessRules,
  { catalog }: { readonly catalog: NodeCatalog },
  wanted: readonly string[],
): string {
  const entity: EntityKey = { entryId: catalog.entry_id, entity: catalog.entity };
  const get = getByKey(rules, entity, wanted);
  if (get === null) throw new Error(`${entity.entity} has no get that its identity binds.`);
  return get.name;
}

/** What a read of a node's entity fills. */
function filledBy(
  rules: AccessRules,
  { catalog }: { readonly catalog: NodeCatalog },
  name: string,
): readonly string[] {
  const { cgs } = catalogOf(rules.exposure.catalogs, catalog.entry_id);
  const capability = cgs.capabilities.get(name);
  return capability === undefined ? [] : providedFields(cgs, capability);
}

/** The list that gives the rows of several references at once, with all that is wanted of them (RUN-080). */
function batchFor(
  rules: AccessRules,
  { catalog: { entry_id: entryId, entity } }: { readonly catalog: NodeCatalog },
  wanted: readonly string[],
): { readonly batch?: string } {
  const catalog = catalogOf(rules.exposure.catalogs, entryId);
  const batch = batchesByKey(catalog, entity, wanted).find(
    ({ list }) => accessTo(rules, entryId, list) === "allowed",
  );
  return batch === undefined ? {} : { batch: batch.list.name };
}

function completedBody(
  rules: AccessRules,
  body: ForEachBody,
  wanted: readonly string[],
): ForEachBody {
  switch (body.kind) {
    case "query":
    case "search":
      return { ...body, wanted };
    case "get": {
      const capability = body.capability === "" ? getFor(rules, body, wanted) : body.capability;
      return { ...body, capability, wanted };
    }
    case "relation":
    case "create":
    case "update":
    case "delete":
    case "action":
      return body;
  }
}
