import type { AccessRules } from "../../check/access.ts";
import { catalogOf } from "../../federation/entity-of.ts";
import { callResult } from "../../mapping/call-result.ts";
import { isPaged } from "../../mapping/is-paged.ts";
import type { Template } from "../../mapping/template.ts";
import type { ReadFacts } from "../lower/draft.ts";
import type { GetNode, JoinNode, ListNode, PlanNode, RelationNode } from "../node.ts";
import type { Figure } from "../plan.ts";
import type { PlanValue } from "../value.ts";
import { effectCost, hasSecondRead } from "./effect-cost.ts";
import { atMost, cappedAt, most, ONE, plus, times, ZERO } from "./figure.ts";
import { type Hydration, hydrationOf } from "./hydration.ts";
import type { Need } from "./need.ts";
import { declaredPageSize } from "./page-size.ts";

/** What one node is predicted to cost and give (PLAN-020). */
export interface Estimate {
  readonly requests: Figure;
  readonly rows: Figure;
  /** list pages among the requests */
  readonly pages: Figure;
  /** how many times the node asks: once, per source row, or per value */
  readonly asks: Figure;
  readonly hydration: Hydration | null;
  readonly paged: boolean;
}

/** What an estimate depends on besides the node. */
export interface EstimateContext {
  readonly rules: AccessRules;
  readonly pagesBudget: number;
  need(id: string): Need;
  facts(id: string): ReadFacts | null;
  /** the estimate of an input; inputs are estimated first */
  of(id: string): Estimate;
}

const NOTHING = { requests: ZERO, pages: ZERO, asks: ZERO, hydration: null, paged: false } as const;

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
    case "for_each": {
      if (node.effect_class !== "read") {
        return estimateEffect(context, node, rowsOf(context, node.source));
      }
      const { rows } = context.of(node.source);
      return { ...NOTHING, requests: atMost(rows), asks: atMost(rows), rows: atMost(rows) };
    }
  }
}

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
  return { ...NOTHING, requests: times(asks, effectCost(owner, called, args)), asks, rows };
}

/** A row per item of a list, else one (LANG-046). */
function itemCount(value: PlanValue): number {
  if ("list" in value) return value.list.length;
  return "lit" in value && Array.isArray(value.lit) ? value.lit.length : 1;
}

function templateOf(
  context: EstimateContext,
  node: { readonly catalog: { readonly entry_id: string }; readonly capability: string | null },
): Template | undefined {
  if (node.capability === null) return undefined;
  const { cml } = catalogOf(context.rules.exposure.catalogs, node.catalog.entry_id);
  return cml.get(node.capability);
}

function estimateGet(context: EstimateContext, node: GetNode): Estimate {
  const { catalog, capability } = node;
  const owner = catalogOf(context.rules.exposure.catalogs, catalog.entry_id);
  const cost: Figure = { exact: hasSecondRead(owner, capability) ? 2 : 1 };
  const each = context.facts(node.id)?.each ?? null;
  if (each !== null) {
    const asks = valueCount(context, node.key[each]);
    return { ...NOTHING, requests: times(asks, cost), rows: asks, asks };
  }
  return {
    ...NOTHING,
    requests: cost,
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

interface ListRead {
  readonly requests: Figure;
  readonly rows: Figure;
  readonly paged: boolean;
}

/** Whether rows are dropped between the pages and the count of rows that ends the read (RUN-076). */
export function isFiltered(node: ListNode | RelationNode, need: Need): boolean {
  return node.filter !== null || (node.limit === null && need.scan);
}

/** One read of a list, its pages included. */
function listRead(context: EstimateContext, node: ListNode | RelationNode): ListRead {
  const template = templateOf(context, node);
  const paged = template !== undefined && isPaged(template);
  const need = context.need(node.id);
  const filtered = isFiltered(node, need);
  const wanted = node.limit ?? (need.all === null ? need.rows : null);
  const rows: Figure =
    wanted === null || (filtered && node.limit === null)
      ? { unknown: paged ? "pages" : "its length" }
      : { max: wanted };
  if (!paged) return { requests: ONE, rows, paged };
  // A list that is the result stops after its first page; one per row or value does not (RUN-050).
  const isResult = node.kind !== "relation" && (context.facts(node.id)?.each ?? null) === null;
  const onePage = isResult && need.all === null && !filtered && wanted === null;
  if (onePage) return { requests: ONE, rows, paged };
  const size = declaredPageSize(template);
  if (size !== null && !filtered && wanted !== null) {
    return { requests: { max: Math.ceil(wanted / size) }, rows, paged };
  }
  return { requests: { unknown: `pages, at most ${context.pagesBudget}` }, rows, paged };
}

function estimateList(context: EstimateContext, node: ListNode): Estimate {
  const read = listRead(context, node);
  const each = context.facts(node.id)?.each ?? null;
  const asks = each === null ? ONE : valueCount(context, node.args[each]);
  const rows = each === null || node.limit !== null ? read.rows : { unknown: "values" };
  const pages = times(asks, read.requests);
  return withHydration(context, node, { ...read, requests: pages, pages, rows, asks });
}

function estimateRelation(context: EstimateContext, node: RelationNode): Estimate {
  const source = node.source === undefined ? ONE : rowsOf(context, node.source);
  const limited = (rows: Figure): Figure =>
    node.limit === null ? rows : cappedAt(rows, node.limit);
  switch (node.via) {
    case "from_parent_get":
    case "view": {
      const rows = limited({ unknown: "rows in hand" });
      return withHydration(context, node, { ...NOTHING, rows });
    }
    case "ref":
    case "get_scoped_bindings": {
      const asks = atMost(source);
      return { ...NOTHING, requests: asks, asks, rows: limited(asks) };
    }
    case "query_scoped":
    case "query_scoped_bindings": {
      const read = listRead(context, node);
      const pages = times(source, read.requests);
      const rows = node.source === undefined || node.limit !== null ? read.rows : perSource(read);
      const { paged } = read;
      return withHydration(context, node, { requests: pages, pages, rows, asks: source, paged });
    }
  }
}

/** The rows of a source as a count of requests; where they are unknown, that is the reason. */
function rowsOf(context: EstimateContext, source: string): Figure {
  const { rows } = context.of(source);
  return "unknown" in rows ? { unknown: `one per row of ${source}` } : rows;
}

/** At most a request per source row, none where the rows are in hand. */
function estimateJoin(context: EstimateContext, node: JoinNode): Estimate {
  const { rows } = context.of(node.source);
  if (node.capability === null) return { ...NOTHING, rows };
  const asks = atMost(rowsOf(context, node.source));
  return { ...NOTHING, requests: asks, asks, rows };
}

function perSource(read: ListRead): Figure {
  return { unknown: read.paged ? "pages" : "its length" };
}

function withHydration(
  context: EstimateContext,
  node: PlanNode,
  estimate: Omit<Estimate, "hydration">,
): Estimate {
  const hydration = hydrationOf(context.rules, node);
  if (hydration?.kind !== "certain") return { ...estimate, hydration };
  const gets = atMost(estimate.rows);
  const requests =
    most(gets) === null
      ? { unknown: `${unknownPart(estimate.requests)}a get per row` }
      : plus(estimate.requests, gets);
  return { ...estimate, requests, hydration };
}

function unknownPart(figure: Figure): string {
  return "unknown" in figure ? `${figure.unknown}, and ` : "";
}

function computedRows(
  context: EstimateContext,
  node: Extract<PlanNode, { kind: "compute" }>,
): Figure {
  const { rows } = context.of(node.source);
  const { op } = node;
  if ("limit" in op) return cappedAt(rows, op.limit);
  if ("aggregate" in op || "render" in op || "singleton" in op) return ONE;
  if ("project" in op || "sort" in op) return rows;
  return atMost(rows);
}
