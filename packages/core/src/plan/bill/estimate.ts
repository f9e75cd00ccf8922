import { getByKey } from "../../check/reads/gets-by-key.ts";
import { catalogOf, type EntityKey } from "../../catalog/federation.ts";
import { callResult } from "../../mapping/capability-views.ts";
import type {
  Figure,
  ForEachNode,
  GetNode,
  JoinNode,
  ListNode,
  PlanNode,
  PairOp,
  PlanValue,
  RelationNode,
} from "../ir.ts";
import {
  atMost,
  cappedAt,
  effectCost,
  most,
  ONE,
  plus,
  times,
  undoRead,
  ZERO,
} from "./make-bill.ts";
import type { Estimate, EstimateContext } from "./estimation.ts";
import { baseRead, totalsRelation } from "../algebra.ts";
import {
  answerHydration,
  type HydratedNode,
  hydratedRows,
  type Hydration,
  hydrationOf,
  joinedFields,
  parentHydration,
} from "./reads.ts";
import { batchOf } from "../../mapping/batch-lists.ts";
import { costOf, isView, type ListRead, listRead } from "./list-read.ts";
import type { Need } from "../demand.ts";
import { isPath } from "../algebra.ts";
import { areUnique } from "../pairs.ts";
import { countingCapability, keyParts } from "../../model/lookups.ts";

const NOTHING = { requests: ZERO, pages: ZERO, asks: ZERO, hydration: null, paged: false } as const;

/** What a node costs and gives, its inputs estimated before (PLAN-020). */
export function estimateNode(context: EstimateContext, node: PlanNode): Estimate {
  switch (node.kind) {
    case "query":
    case "search":
      return estimateList(context, node);
    case "get":
      return estimateGet(context, node);
    case "relation":
      return estimateRelation(context, node);
    case "compute":
      return { ...NOTHING, rows: computedRows(context, node) };
    case "data":
      return { ...NOTHING, rows: { exact: itemCount(node.value) } };
    case "derive":
      return { ...NOTHING, rows: context.of(node.source).rows };
    case "join":
      return estimateJoin(context, node);
    case "create":
    case "update":
    case "delete":
    case "action":
      return estimateEffect(context, node, ONE);
    case "for_each":
      if (node.effect_class === "read") return estimatePerRow(context, node);
      return estimateEffect(context, node, rowsOf(context, node.source));
  }
}

/** A read per row: a list costs its pages each time, and gives rows as it does (PLAN-020). */
function estimatePerRow(context: EstimateContext, node: ForEachNode): Estimate {
  const asks = atMost(context.of(node.source).rows);
  const { id, stage, result, body } = node;
  if (body.kind !== "query" && body.kind !== "search") {
    const { requests, pages } = costOf(context, body);
    const cost = { requests: times(asks, requests), pages: times(asks, pages) };
    return { ...NOTHING, ...cost, asks, rows: asks };
  }
  const list: ListNode = { ...body, id, stage, result, effect_class: "read" };
  const read = listRead(context, list, EACH_TO_ITS_END);
  const rows = isView(context, list) || list.limit !== null ? times(asks, read.rows) : read.rows;
  const requests = times(asks, read.requests);
  const pages = times(asks, read.pages);
  return withHydration(context, list, { ...read, requests, pages, rows, asks });
}

const EACH_TO_ITS_END: Need = {
  all: "=> reads all",
  rows: null,
  page: true,
  scan: false,
  partly: false,
};

type EffectNode = Extract<
  PlanNode,
  { kind: "create" | "update" | "delete" | "action" | "for_each" }
>;

/** An effect that is sent as often as `asks` says, what it reads before included. */
function estimateEffect(context: EstimateContext, node: EffectNode, asks: Figure): Estimate {
  const { catalog, capability, args } = node.kind === "for_each" ? node.body : node;
  const owner = catalogOf(context.rules.exposure.catalogs, catalog.entry_id);
  const called = owner.cgs.capabilities.get(capability ?? "");
  if (called === undefined) return { ...NOTHING, requests: asks, asks, rows: asks };
  const result = callResult(owner, called);
  const isList = result.kind === "rows" && result.card === "many";
  const rows: Figure = isList ? { unknown: "its length" } : asks;
  const beside = (name: string): boolean => context.readBeside(node, catalog.entry_id, name);
  const undoes = node.kind !== "for_each" && node.undoes !== undefined;
  const before = undoRead(context.rules, owner, called, undoes);
  const cost = effectCost(owner, called, args, { known: beside, undoRead: before });
  return { ...NOTHING, requests: times(asks, cost), asks, rows };
}

/** A row per item of a list, else one (LANG-046). */
function itemCount(value: PlanValue): number {
  if ("list" in value) return value.list.length;
  return "lit" in value && Array.isArray(value.lit) ? value.lit.length : 1;
}

function estimateGet(context: EstimateContext, node: GetNode): Estimate {
  const cost = costOf(context, node);
  const each = context.facts(node.id)?.each ?? null;
  if (each !== null) {
    const asks = valueCount(context, node.key[each]);
    const requests = times(asks, cost.requests);
    return { ...NOTHING, requests, pages: times(asks, cost.pages), rows: asks, asks };
  }
  return {
    ...NOTHING,
    ...cost,
    asks: ONE,
    rows: node.missing === "empty" ? { max: 1 } : ONE,
  };
}

/** How many distinct values a fan-out has; what comes from other nodes is at most their rows. */
function valueCount(context: EstimateContext, value: PlanValue | undefined): Figure {
  if (value === undefined) return ONE;
  if ("lit" in value && Array.isArray(value.lit)) return { max: value.lit.length };
  if ("list" in value) return { max: value.list.length };
  return "from" in value ? atMost(rowsOf(context, value.from)) : ONE;
}

function estimateList(context: EstimateContext, node: ListNode): Estimate {
  if (node.count === true) return countEstimate(context, node, ONE, ONE);
  const read = listRead(context, node);
  const each = context.facts(node.id)?.each ?? null;
  const asks = each === null ? ONE : valueCount(context, node.args[each]);
  const rows = each === null ? read.rows : severalRows(context, node, asks, read);
  const requests = times(asks, read.requests);
  const pages = times(asks, read.pages);
  return withHydration(context, node, { ...read, requests, pages, rows, asks });
}

/** What it costs that the API counts the rows of a list so many times (RUN-079). */
function countEstimate(
  context: EstimateContext,
  node: Pick<ListNode | RelationNode | JoinNode, "catalog" | "capability">,
  asks: Figure,
  rows: Figure,
): Estimate {
  const { cgs } = catalogOf(context.rules.exposure.catalogs, node.catalog.entry_id);
  const capability = countingCapability(cgs, node.capability ?? "");
  const { requests, pages } = costOf(context, { ...node, capability });
  return { ...NOTHING, requests: times(asks, requests), pages: times(asks, pages), asks, rows };
}

function estimateRelation(context: EstimateContext, node: RelationNode, need?: Need): Estimate {
  if (node.count === true) return countEstimate(context, node, ONE, ONE);
  const source = node.source === undefined ? ONE : rowsOf(context, node.source);
  switch (node.via) {
    case "from_parent_get":
    case "view": {
      const rows = limitedTo(node, { unknown: "rows in hand" });
      return withHydration(context, node, { ...NOTHING, rows, ...parentGets(context, node) });
    }
    case "ref":
    case "get_scoped_bindings": {
      const asks = atMost(source);
      const cost = costOf(context, node);
      const asked = batches(context, node, asks);
      const pages = times(asked, cost.pages);
      const requests = times(asked, cost.requests);
      return withParents(context, node, {
        ...NOTHING,
        requests,
        pages,
        asks,
        rows: limitedTo(node, asks),
      });
    }
    case "query_scoped":
    case "query_scoped_bindings": {
      const read = listRead(context, node, need);
      const asked = batches(context, node, source);
      const requests = times(asked, read.requests);
      const pages = times(asked, read.pages);
      const rows = node.source === undefined ? read.rows : severalRows(context, node, source, read);
      const { paged } = read;
      const estimate = { requests, pages, rows, asks: source, paged };
      return withParents(context, node, withHydration(context, node, estimate));
    }
  }
}

/**
 * How often a node asks where it does so for several rows at once (RUN-080). Rows that are taken page by page are so
 * many fewer at once, so that only those that are all read before are counted by what a request takes.
 */
function batches(
  context: EstimateContext,
  node: RelationNode | (JoinNode & { readonly source: string }),
  asks: Figure,
): Figure {
  const { batch, source } = node;
  const rows = most(asks);
  if (batch === undefined || source === undefined || rows === null) return asks;
  const catalog = catalogOf(context.rules.exposure.catalogs, node.catalog.entry_id);
  const list = catalog.cgs.capabilities.get(batch);
  const size = list?.batch === undefined ? null : batchOf(catalog, list, list.batch.field)?.size;
  const own = context.need(node.id);
  const isShown = node.kind === "relation" && node.limit === null;
  const isAll = (own.all !== null || isShown) && own.rows === null && !own.scan && rows <= PORTION;
  // Whoever needs one row or page of it reads that before all others.
  const before = own.partly ? 1 : 0;
  return isAll && size ? { max: Math.min(rows, Math.ceil(rows / size) + before) } : atMost(asks);
}

/** So many rows are taken together at most where all are asked for. */
const PORTION = 2_048;

/** The gets of source rows that may not have the related rows in them (RUN-050). */
function parentGets(
  context: EstimateContext,
  node: RelationNode,
): Pick<Estimate, "requests" | "asks" | "parents"> {
  const { source } = node;
  if (source === undefined) return NO_PARENTS;
  const read = baseRead(source, (id) => context.node(id));
  const key = { entryId: node.catalog.entry_id, entity: node.owner };
  const found =
    node.via === "from_parent_get" || node.via === "view"
      ? parentHydration(context.rules, node, read)
      : answerHydration(context.rules, key, read, context.facts(node.id)?.bindings ?? []);
  return getsOfRows(context, { ...node, source }, key, found);
}

const NO_PARENTS = { requests: ZERO, asks: ZERO, parents: null } as const;

/** The gets of the rows that a node starts from. */
function getsOfRows(
  context: EstimateContext,
  node: (RelationNode | JoinNode) & { readonly source: string },
  key: EntityKey,
  found: Hydration | null,
): Pick<Estimate, "requests" | "asks" | "parents"> {
  if (found === null) return NO_PARENTS;
  const rows = atMost(rowsOf(context, node.source));
  const parents = { ...found, rows };
  if (found.kind === "possible") return { requests: ZERO, asks: ZERO, parents };
  const get = getByKey(context.rules, key, found.fields);
  const cost = get === null ? ONE : costOf(context, { ...node, capability: get.name }).requests;
  return { requests: times(rows, cost), asks: rows, parents };
}

/** The gets of an effect's answers that lack what a join reads of them (RUN-052). */
function joinedGets(
  context: EstimateContext,
  node: JoinNode,
): Pick<Estimate, "requests" | "asks" | "parents"> {
  const [name = ""] = node.path;
  const entity = context.node(node.source)?.result.entity ?? null;
  // Of a longer path what comes before is a join of its own, whose rows are completed with it.
  if (entity === null || node.path.length > 1) return NO_PARENTS;
  const { rules } = context;
  const key = { entryId: node.catalog.entry_id, entity };
  const read = baseRead(node.source, (id) => context.node(id));
  const found = answerHydration(rules, key, read, joinedFields(rules, key, name));
  return getsOfRows(context, node, key, found);
}

/** A relation with the gets of its source rows, where they lack what it reads of them. */
function withParents(context: EstimateContext, node: RelationNode, estimate: Estimate): Estimate {
  return withGets(estimate, parentGets(context, node));
}

function withGets(
  estimate: Estimate,
  { requests, parents = null }: Pick<Estimate, "requests" | "parents">,
): Estimate {
  if (parents === null) return estimate;
  return { ...estimate, requests: plus(estimate.requests, requests), parents };
}

/** The rows of a source as a count of requests; where they are unknown, that is the reason. */
function rowsOf(context: EstimateContext, source: string): Figure {
  const { rows } = context.of(source);
  return "unknown" in rows ? { unknown: `one per row of ${source}` } : rows;
}

/** At most a request per source row, none where the rows are in hand. */
function estimateJoin(context: EstimateContext, node: JoinNode): Estimate {
  const { rows } = context.of(node.source);
  const related = totalsRelation(node);
  if (node.totals?.count === true) {
    const asks = atMost(rowsOf(context, node.source));
    return withGets(countEstimate(context, node, asks, rows), joinedGets(context, node));
  }
  if (related !== null) return { ...estimateRelation(context, related, EACH_TO_ITS_END), rows };
  const gets = joinedGets(context, node);
  if (node.capability === null) {
    return withGets(withHydration(context, node, { ...NOTHING, rows }), gets);
  }
  const asks = atMost(rowsOf(context, node.source));
  const { requests, pages } = costOf(context, node);
  const asked = batches(context, node, asks);
  const followed = withHydration(context, node, {
    ...NOTHING,
    requests: times(asked, requests),
    pages: times(asked, pages),
    asks,
    rows,
  });
  return withGets(followed, gets);
}

/** The rows of a list that is asked several times; a view makes one each time. */
function severalRows(
  context: EstimateContext,
  node: ListNode | RelationNode,
  asks: Figure,
  read: ListRead,
): Figure {
  if (isView(context, node)) return limitedTo(node, atMost(asks));
  if (node.limit !== null) return read.rows;
  return { unknown: read.paged ? "pages" : "its length" };
}

function limitedTo({ limit }: ListNode | RelationNode, rows: Figure): Figure {
  return limit === null ? rows : cappedAt(rows, limit);
}

function withHydration(
  context: EstimateContext,
  node: HydratedNode,
  estimate: Omit<Estimate, "hydration">,
): Estimate {
  const found = hydrationOf(context.rules, node);
  if (found === null) return { ...estimate, hydration: null };
  const rows = hydratedRows(node, found, estimate.rows);
  const hydration = { ...found, rows };
  if (found.kind !== "certain") return { ...estimate, hydration };
  const gets = times(atMost(rows), getCost(context, node, found.fields));
  const requests =
    most(gets) === null
      ? { unknown: `${unknownPart(estimate.requests)}a get per row` }
      : plus(estimate.requests, gets);
  return { ...estimate, requests, hydration };
}

/** What the get that completes a row sends. */
function getCost(context: EstimateContext, node: HydratedNode, fields: readonly string[]): Figure {
  const { entry_id: entryId, entity } = node.catalog;
  const get = getByKey(context.rules, { entryId, entity }, fields);
  return get === null ? ONE : costOf(context, { ...node, capability: get.name }).requests;
}

function unknownPart(figure: Figure): string {
  return "unknown" in figure ? `${figure.unknown}, and ` : "";
}

/** At most each row of one side with each of the other; where one side's keys are its own, no more than the other has. */
function pairedRows(context: EstimateContext, left: Figure, { pair }: PairOp): Figure {
  const right = context.of(pair.with).rows;
  const names = pair.keys.flatMap((key) => (isPath(key.right) ? [key.right.join(".")] : []));
  const keyOf = (node: PlanNode): readonly string[] | null => identityOf(context, node);
  if (areUnique(pair.with, names, (id) => context.node(id), keyOf)) {
    return pair.left ? left : atMost(left);
  }
  const product = atMost(times(left, right));
  const [all, kept] = [most(product), most(left)];
  return pair.left && all !== null && kept !== null ? { max: Math.max(all, kept) } : product;
}

/** The parts of the key of whole rows that a node reads; null for other nodes. */
function identityOf({ rules }: EstimateContext, node: PlanNode): readonly string[] | null {
  if (!("catalog" in node) || node.result.entity === null) return null;
  const { cgs } = catalogOf(rules.exposure.catalogs, node.catalog.entry_id);
  const entity = cgs.entities.get(node.result.entity);
  return entity === undefined ? null : keyParts(entity);
}

function computedRows(
  context: EstimateContext,
  node: Extract<PlanNode, { kind: "compute" }>,
): Figure {
  const { rows } = context.of(node.source);
  const { op } = node;
  if ("limit" in op) return cappedAt(rows, op.limit);
  if ("pair" in op) return pairedRows(context, rows, op);
  if ("aggregate" in op || "render" in op || "singleton" in op) return ONE;
  if ("project" in op || "sort" in op) return rows;
  return atMost(rows);
}
