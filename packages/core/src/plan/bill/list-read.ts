import { catalogOf } from "../../catalog/federation.ts";
import { isPaged, isSized } from "../../mapping/open-lists.ts";
import { declaredPageSize, hasAssumedCounter } from "../../mapping/page-names.ts";
import type { RequestTemplate } from "../../mapping/template.ts";
import type { Figure, ListNode, RelationNode } from "../ir.ts";
import { type CallCost, callCost, ONE, ZERO } from "./make-bill.ts";
import type { EstimateContext } from "./estimation.ts";
import type { Need } from "../demand.ts";

interface Called {
  readonly catalog: { readonly entry_id: string };
  readonly capability: string | null;
}

function templateOf(
  { rules }: EstimateContext,
  { catalog, capability }: Called,
): RequestTemplate | undefined {
  if (capability === null) return undefined;
  return catalogOf(rules.exposure.catalogs, catalog.entry_id).cml.get(capability);
}

/** What one call of a node's capability sends; nothing where the rows are in hand. */
export function costOf(context: EstimateContext, { catalog, capability }: Called): CallCost {
  if (capability === null) return { requests: ZERO, pages: ZERO };
  return callCost(catalogOf(context.rules.exposure.catalogs, catalog.entry_id), capability);
}

/** What one read of a list costs and gives. */
export interface ListRead {
  readonly requests: Figure;
  readonly pages: Figure;
  readonly rows: Figure;
  readonly paged: boolean;
}

/** Whether rows are dropped between the pages and the count of rows that ends the read (RUN-076). */
export function isFiltered(node: ListNode | RelationNode, need: Need): boolean {
  return node.filter !== null || (node.limit === null && need.scan);
}

/** Whether a list is a view, which makes one row whatever is asked of it (RUN-100). */
export function isView(context: EstimateContext, node: ListNode | RelationNode): boolean {
  return templateOf(context, node)?.transport === "view";
}

const mayBeCut = (template: RequestTemplate | undefined): boolean =>
  (template?.transport === "http" || template?.transport === "graphql") &&
  template.pagination !== undefined &&
  isSized(template.pagination);

/** One read of a list, its pages included. */
export function listRead(
  context: EstimateContext,
  node: ListNode | RelationNode,
  need: Need = context.need(node.id),
): ListRead {
  if (isView(context, node)) {
    return { ...costOf(context, node), rows: { max: 1 }, paged: false };
  }
  const template = templateOf(context, node);
  const paged = template !== undefined && isPaged(template);
  const filtered = isFiltered(node, need);
  // A relation that is shown as it is reads to its end, whatever else is shown by pages.
  const whole = need.all !== null || (need.page && node.kind === "relation");
  const wanted = node.limit ?? (whole ? null : need.rows);
  const rows: Figure =
    wanted === null || (node.limit === null && (filtered || need.page))
      ? { unknown: paged ? "pages" : "its length" }
      : { max: wanted };
  const read = (requests: Figure): ListRead => ({ requests, pages: requests, rows, paged });
  // A list that is the result stops after its first page; one per row or value does not (RUN-050).
  const isResult = node.kind !== "relation" && (context.facts(node.id)?.each ?? null) === null;
  if (!paged) {
    // An answer that may be cut is asked for again, larger (RUN-201).
    const isOne = !mayBeCut(template) || (isResult && need.all === null && !filtered);
    return read(isOne ? ONE : { max: 2 });
  }
  // Ranges of blocks are read until one holds a log, and the last block is asked for first (RUN-075).
  const ranges = template.transport === "evm_logs";
  const onePage = !ranges && isResult && need.all === null && !filtered && wanted === null;
  if (onePage) return read(ONE);
  const size = declaredPageSize(template);
  if (size !== null && !filtered && wanted !== null) {
    const pages = Math.ceil(wanted / size);
    // What an assumed counter counts is seen on one page more (RUN-190).
    return read({ max: pages > 1 && hasAssumedCounter(template) ? pages + 1 : pages });
  }
  return read({ unknown: `pages, at most ${context.pagesBudget}` });
}
