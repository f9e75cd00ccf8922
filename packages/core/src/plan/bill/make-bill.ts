import { isEffect } from "../algebra.ts";
import type { Bill, Figure, ListNode, NodeBill, PlanNode, PlanValue } from "../ir.ts";
import type { BudgetName } from "../../policy/policy.ts";
import type { Estimate } from "./estimation.ts";
import type { Hydration } from "./reads.ts";
import type { Catalog } from "../../mapping/template.ts";
import { isPaged } from "../../mapping/open-lists.ts";
import type { AccessRules } from "../../check/access.ts";
import { getByKey } from "../../check/reads/gets-by-key.ts";
import { innerCapabilities, preflightRead, viewOf } from "../../mapping/capability-views.ts";
import { type Capability, type PreflightStep, type View, VIEW_PAGES } from "../../model/model.ts";

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

/** The requests that nodes send whatever their inputs turn out to be. */
export function certainRequests(nodes: readonly PlanNode[], bill: Bill): number {
  return nodes.reduce((sum, node) => sum + certainOf(node, bill.nodes[node.id]), 0);
}

function certainOf(node: PlanNode, bill: NodeBill | undefined): number {
  if (bill !== undefined && "exact" in bill.requests) return bill.requests.exact;
  const isList = node.kind === "query" || node.kind === "search";
  return (isList && !dependsOnValues(node)) || isAnchored(node) || isOneEffect(node) ? 1 : 0;
}

function isAnchored(node: PlanNode): boolean {
  if (node.kind !== "relation") return false;
  return (
    node.anchor !== undefined &&
    (node.via === "query_scoped" || node.via === "query_scoped_bindings")
  );
}

/** Whether the number of requests depends on values that may be none (RUN-111). */
function dependsOnValues({ args }: ListNode): boolean {
  return Object.values(args).some((value) => "from" in value && value.many);
}

function isOneEffect({ kind, effect_class }: PlanNode): boolean {
  return kind !== "for_each" && (effect_class === "write" || effect_class === "side_effect");
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

/** What one call of a read sends, and how many of the requests are list pages. */
export interface CallCost {
  readonly requests: Figure;
  readonly pages: Figure;
}

/** One request, `auxiliary_merge` one more; of a view the sum of its nodes (PLAN-020, RUN-100). */
export function callCost(catalog: Catalog, capability: string): CallCost {
  const view = viewOf(catalog, { name: capability });
  if (view === null) {
    return { requests: hasSecondRead(catalog, capability) ? { exact: 2 } : ONE, pages: ZERO };
  }
  const costs = view.nodes.map((node) => nodeCost(catalog, node.capability));
  const sum = (figures: readonly Figure[]): Figure => figures.reduce(plus, ZERO);
  const known = sum(costs.map(({ requests }) => requests));
  return {
    requests: mayCoincide(catalog, view) ? atMost(known) : known,
    pages: sum(costs.map(({ pages }) => pages)),
  };
}

function nodeCost(catalog: Catalog, name: string): CallCost {
  const template = catalog.cml.get(name);
  const kind = catalog.cgs.capabilities.get(name)?.kind;
  if (template === undefined || template.transport === "view" || kind === "get") {
    return callCost(catalog, name);
  }
  const requests: Figure = isPaged(template) ? { max: VIEW_PAGES } : ONE;
  return { requests, pages: requests };
}

/** Whether two nodes may send one and the same request, which then goes out once (RUN-023). */
function mayCoincide(catalog: Catalog, view: View): boolean {
  const used = view.nodes.flatMap(({ capability }) => [
    capability,
    ...innerCapabilities(catalog, { name: capability }).map(({ name }) => name),
  ]);
  return new Set(used).size < used.length;
}

/** Whether a response is completed by a second read (`auxiliary_merge`), which only gets have. */
function hasSecondRead({ cml }: Catalog, capability: string): boolean {
  const template = cml.get(capability);
  return template?.transport === "http" && template.response.auxiliaryMerge !== undefined;
}

type Args = Readonly<Record<string, PlanValue>>;

/**
 * What one effect sends: itself, and the reads that are made before it (PLAN-020, RUN-104). `known` tells
 * of capabilities by which the same stage reads, too: an equal request would not be sent again (RUN-023).
 */
export function effectCost(
  catalog: Catalog,
  capability: Capability,
  args: Args,
  {
    known,
    undoRead,
  }: { readonly known: (capability: string) => boolean; readonly undoRead: Capability | null },
): Figure {
  const before =
    undoRead === null
      ? []
      : [{ by: undoRead.name, cost: callCost(catalog, undoRead.name).requests }];
  const reads = [
    ...before,
    ...readsMade(capability, args).map(({ step, by }) => ({
      by,
      cost: preflightCost(catalog, step, by),
    })),
  ];
  const names = reads.map(({ by }) => by);
  const repeats = (name: string, at: number): boolean => known(name) || names.indexOf(name) < at;
  return reads.reduce<Figure>(
    (sum, { by, cost }, at) => plus(sum, repeats(by, at) ? atMost(cost) : cost),
    ONE,
  );
}

/**
 * The get that reads a row before an effect on it, so that the effect can be taken back, or that the row is still as the
 * effect left it which is taken back; null where nothing is read (UNDO-03, UNDO-06).
 */
export function undoRead(
  rules: AccessRules,
  catalog: Catalog,
  capability: Capability,
  undoes: boolean,
): Capability | null {
  const { kind, undo, entity: name } = capability;
  const keeps = undo !== undefined && undo.kind !== "none" && kind !== "create";
  if (!keeps && !undoes) return null;
  const fields = catalog.cgs.entities.get(name)?.fields.keys() ?? [];
  return getByKey(rules, { entryId: catalog.entryId, entity: name }, fields);
}

/** The reads before an effect that is called with these arguments, in order (RUN-104). */
export function preflightReads(capability: Capability, args: Args): readonly string[] {
  return readsMade(capability, args).map(({ by }) => by);
}

/** The steps that read, with the capability that each reads by. */
function readsMade(capability: Capability, args: Args) {
  return stepsMade(capability, args).flatMap((step) => {
    const by = preflightRead(step);
    return by === null ? [] : [{ step, by }];
  });
}

function stepsMade(capability: Capability, args: Args): readonly PreflightStep[] {
  return capability.preflight.filter((step) => {
    switch (step.kind) {
      case "hydrate_invoke_target":
        return true;
      case "hydrate_entity_ref_param":
        return isGiven(args, step.param);
      case "query_pick":
      case "function":
        return step.when === undefined || isGiven(args, step.when);
      case "label_ids_delta":
        return isGiven(args, step.addWhen) || isGiven(args, step.removeWhen);
    }
  });
}

function preflightCost(catalog: Catalog, step: PreflightStep, by: string): Figure {
  switch (step.kind) {
    case "hydrate_invoke_target":
    case "hydrate_entity_ref_param":
      return callCost(catalog, by).requests;
    case "query_pick":
    case "label_ids_delta":
    case "function":
      return LOOK_UP;
  }
}

const LOOK_UP: Figure = { unknown: "a look-up before it" };

/** Whether an argument is there; null says that it shall be none. */
function isGiven(args: Args, name: string): boolean {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return value !== undefined && !("lit" in value && value.lit === null);
}

export const ZERO: Figure = { exact: 0 };
export const ONE: Figure = { exact: 1 };

/** The most a figure can be, or null if that is not known. */
export function most(figure: Figure): number | null {
  if ("exact" in figure) return figure.exact;
  return "max" in figure ? figure.max : null;
}

/** The same figure, but no promise that all of it comes. */
export function atMost(figure: Figure): Figure {
  return "exact" in figure ? { max: figure.exact } : figure;
}

/** A figure that is at most `n`, whatever it was. */
export function cappedAt(figure: Figure, n: number): Figure {
  const known = most(figure);
  return { max: known === null ? n : Math.min(known, n) };
}

/** `count` times what each costs: exact only if both are, or if each costs nothing. */
export function times(count: Figure, each: Figure): Figure {
  if ("exact" in each && each.exact === 0) return ZERO;
  if ("unknown" in count) return count;
  if ("unknown" in each) return each;
  const product = (most(count) ?? 0) * (most(each) ?? 0);
  return "exact" in count && "exact" in each ? { exact: product } : { max: product };
}

/** A figure and more of it; the first unknown part stays the reason. */
export function plus(a: Figure, b: Figure): Figure {
  if ("unknown" in a) return a;
  if ("unknown" in b) return b;
  const sum = (most(a) ?? 0) + (most(b) ?? 0);
  return "exact" in a && "exact" in b ? { exact: sum } : { max: sum };
}

/** The sum of the figures of nodes; unknown ones are named as `name` says, by node and reason. */
export function total(
  figures: readonly (readonly [id: string, figure: Figure])[],
  name: (id: string, why: string) => string,
): Figure {
  const unknown = figures.flatMap(([id, figure]) =>
    "unknown" in figure ? [name(id, figure.unknown)] : [],
  );
  if (unknown.length > 0) return { unknown: unknown.join("; ") };
  return figures.reduce((sum, [, figure]) => plus(sum, figure), ZERO);
}
