import type { PlanNode } from "../node.ts";
import type { Bill, Figure, NodeBill } from "../plan.ts";
import type { BudgetName } from "../../policy/policy.ts";
import type { Estimate } from "./estimation.ts";
import type { Hydration } from "./hydration.ts";
import { most, total } from "./figure.ts";

/** Local work is spoken of where it is more than one part in so many of its budget. */
const SHOWN_SHARE = 10;

/** Whether so many units of local work are worth speaking of (PLAN-053). */
export const isMuchWork = (
  units: number,
  { work }: Readonly<Record<BudgetName, number>>,
): boolean => units * SHOWN_SHARE > work;

/** What a plan is predicted to cost, per node and in total (PLAN-020, OPS-37). */
export function makeBill(
  nodes: readonly PlanNode[],
  estimates: ReadonlyMap<string, Estimate>,
  budgets: Readonly<Record<BudgetName, number>>,
  work: number,
): Bill {
  const known = nodes.flatMap((node) => {
    const estimate = estimates.get(node.id);
    return estimate === undefined ? [] : [{ node, estimate }];
  });
  const each = (figure: (estimate: Estimate) => Figure) =>
    known.map(({ node, estimate }) => [node.id, figure(estimate)] as const);
  const asking = known.filter(({ estimate }) => !isZero(estimate.requests));
  return {
    requests: total(
      each(({ requests }) => requests),
      (id, why) => `${id} ${why}`,
    ),
    pages: total(
      each(({ pages }) => pages),
      (id) => `${id}, at most ${budgets.pages}`,
    ),
    rows: total(
      asking.map(({ node, estimate }) => [node.id, estimate.rows] as const),
      (id) => id,
    ),
    fan_out: total(
      known
        .filter(({ node, estimate }) => fansOut(node, estimate))
        .map(({ node, estimate }) => [node.id, estimate.asks] as const),
      (id) => id,
    ),
    effects: total(
      known
        .filter(({ node }) => isEffect(node))
        .map(({ node, estimate }) => [node.id, estimate.asks] as const),
      (id) => id,
    ),
    hydration: {
      certain: hydrated(known, "certain", budgets.fan_out),
      possible: hydrated(known, "possible", budgets.fan_out),
    },
    ...(isMuchWork(work, budgets) ? { work } : {}),
    nodes: Object.fromEntries(known.map(({ node, estimate }) => [node.id, nodeBill(estimate)])),
  };
}

function nodeBill({ requests, rows, pages, hydration, parents = null }: Estimate): NodeBill {
  return {
    requests,
    rows,
    ...(isZero(pages) ? {} : { pages }),
    ...(hydration === null ? {} : { hydration: hydration.kind }),
    ...(parents === null ? {} : { parents: parents.kind }),
  };
}

interface Estimated {
  readonly node: PlanNode;
  readonly estimate: Estimate;
}

function isZero(figure: Figure): boolean {
  return "exact" in figure && figure.exact === 0;
}

/** Whether a node asks once per source row or value, which the `fan_out` budget counts (RUN-130). */
export function fansOut(node: PlanNode, { requests, asks }: Estimate): boolean {
  if (isZero(requests)) return false;
  if (node.kind === "for_each") return true;
  if (node.kind === "relation") return node.source !== undefined;
  return !("exact" in asks);
}

export function isEffect(node: PlanNode): boolean {
  return node.effect_class === "write" || node.effect_class === "side_effect";
}

/** How many rows are completed by a get each; where their number is unknown, the most a run may do. */
function hydrated(
  known: readonly Estimated[],
  kind: Hydration["kind"],
  fanOutBudget: number,
): number {
  return known
    .flatMap(({ estimate: { hydration, parents = null } }) => [hydration, parents])
    .reduce((sum, each) => {
      return each?.kind === kind ? sum + (most(each.rows) ?? fanOutBudget) : sum;
    }, 0);
}
