import { canonicalJson } from "../../base/canonical-json.ts";
import { compareCodePoints } from "../../base/text.ts";
import { catalogOf } from "../../catalog/federation.ts";
import type { AccessRules } from "../../check/access.ts";
import { type CheckContext, programText } from "../../check/check-context.ts";
import { getsByKey } from "../../check/reads/gets-by-key.ts";
import type { Rows, TypedProgram } from "../../check/typed-program.ts";
import { innerCapabilities } from "../../mapping/capability-views.ts";
import type { Catalog } from "../../mapping/template.ts";
import { countingCapability } from "../../model/lookups.ts";
import type { BudgetName, ReadBudget } from "../../policy/policy.ts";
import { nodeNeeds } from "../demand.ts";
import type {
  Bill,
  ForEachBody,
  JoinNode,
  PlanNode,
  PlanReturn,
  PlanSummary,
  PlanValue,
  Reason,
} from "../ir.ts";
import { localWork } from "../local-work.ts";
import type { NumberedNodes } from "../lower/number-nodes.ts";
import type { Draft } from "../lower/rows-graph.ts";
import { plannedEffects } from "../render/render-plan.ts";
import { estimateNode } from "./estimate.ts";
import type { Estimate, EstimateContext } from "./estimation.ts";
import { ZERO, atMost, certainRequests, makeBill } from "./make-bill.ts";
import { onlyReadsCost, planReasons } from "./reasons.ts";

/** The time of a catalog that a stage is in: how many stages before it have an effect on that catalog. */
type TimeOf = (entryId: string, stage: number) => number;

/** What was read of a catalog is known for the rest of its time: an effect on it ends that (RUN-062). */
function timesIn(nodes: readonly PlanNode[]): TimeOf {
  const effects = new Map<string, Set<number>>();
  for (const node of nodes) {
    if (node.effect_class !== "write" && node.effect_class !== "side_effect") continue;
    const called = node.kind === "for_each" ? node.body : node;
    if (!("catalog" in called)) continue;
    const { entry_id: entryId } = called.catalog;
    effects.set(entryId, (effects.get(entryId) ?? new Set()).add(node.stage));
  }
  return (entryId, stage) =>
    [...(effects.get(entryId) ?? [])].filter((before) => before < stage).length;
}

/**
 * Reads that promise requests another read may have sent already, with no effect on their catalog between them: equal
 * ones are sent once (RUN-023), so their figures are at most what they were (PLAN-020). What reads on from a node comes
 * after it, and takes nothing from it.
 */
function coinciding(
  rules: AccessRules,
  { nodes, edges }: Pick<NumberedNodes, "nodes" | "edges">,
  estimates: ReadonlyMap<string, Estimate>,
  timeOf: TimeOf,
): readonly PlanNode[] {
  const readers = nodes
    .filter(({ effect_class: effect }) => effect === "read")
    .map((node) => {
      const by = readsOf(rules, node, estimates.get(node.id), ownerOf(nodes, node));
      const named = by.map(
        ({ entryId, name }) => `${entryId} ${timeOf(entryId, node.stage)} ${name}`,
      );
      return { node, by: new Set(named) };
    })
    .filter(({ by }) => by.size > 0);
  const promising = readers.filter(({ node }) => isPromise(estimates.get(node.id)));
  return promising
    .filter(({ node, by }) => {
      const later = new Set([node.id]);
      for (const { from, to } of edges) if (later.has(from)) later.add(to);
      return readers.some(
        (other) =>
          !later.has(other.node.id) &&
          [...by].some((name) => other.by.has(name)) &&
          !areDistinct(node, other.node),
      );
    })
    .map(({ node }) => node);
}

/** Requests or pages that are promised: a list whose rows are completed promises its pages alone. */
const isPromise = (estimate: Estimate | undefined): boolean =>
  estimate !== undefined &&
  [estimate.requests, estimate.pages].some((figure) => "exact" in figure && figure.exact > 0);

/** The entity of the rows that a join starts from. */
function ownerOf(nodes: readonly PlanNode[], node: PlanNode): string | null {
  if (node.kind !== "join") return null;
  return nodes.find(({ id }) => id === node.source)?.result.entity ?? null;
}

/** The capabilities that a node may read by: its own, those of its view, the gets that complete its rows. */
function readsOf(
  rules: AccessRules,
  node: PlanNode,
  estimate: Estimate | undefined,
  joinedOwner: string | null = null,
): readonly { readonly entryId: string; readonly name: string }[] {
  const called = node.kind === "for_each" ? node.body : node;
  if (!("catalog" in called)) return [];
  const { entry_id: entryId, entity } = called.catalog;
  const catalog = catalogOf(rules.exposure.catalogs, entryId);
  const completing = estimate?.hydration ? getsByKey(rules, { entryId, entity }) : [];
  const owner = called.kind === "relation" ? called.owner : (joinedOwner ?? entity);
  const parents = estimate?.parents ? getsByKey(rules, { entryId, entity: owner }) : [];
  const own = readNames(catalog, called).map((name) => ({ name }));
  const all = [...own, ...completing, ...parents].flatMap((each) => [
    each,
    ...innerCapabilities(catalog, each),
  ]);
  return all.map(({ name }) => ({ entryId, name }));
}

type Called = ForEachBody | JoinNode;

/** What a node calls: its capability or the one that counts in its place, and the list that gives several rows at once. */
function readNames({ cgs }: Catalog, node: Called): readonly string[] {
  const { capability } = node;
  if (capability === null) return [];
  const isCounted =
    ("count" in node && node.count === true) || ("totals" in node && node.totals?.count === true);
  const batch = "batch" in node && node.batch !== undefined ? [node.batch] : [];
  return [isCounted ? countingCapability(cgs, capability) : capability, ...batch];
}

/** Whether two nodes are calls of one capability with different values that are written out. */
function areDistinct(a: PlanNode, b: PlanNode): boolean {
  if (a.kind !== b.kind || a.kind === "data" || a.kind === "compute") return false;
  const [one, two] = [sentBy(a), sentBy(b)];
  return one !== null && two !== null && one.by === two.by && one.values !== two.values;
}

/** What a get or a list sends, or null if that depends on rows, or is a request per value. */
function sentBy(node: PlanNode): { readonly by: string; readonly values: string } | null {
  if (node.kind !== "get" && node.kind !== "query" && node.kind !== "search") return null;
  const values = node.kind === "get" ? { ...node.args, ...node.key } : node.args;
  if (!Object.values(values).every(isWritten)) return null;
  return { by: node.capability, values: canonicalJson(values) };
}

function isWritten(value: PlanValue): boolean {
  if ("lit" in value) return !Array.isArray(value.lit);
  return "ref" in value && Object.values(value.ref.key).every(isWritten);
}

/** What a summary is made from. */
export interface SummaryInput {
  readonly context: CheckContext;
  readonly program: TypedProgram;
  readonly numbered: NumberedNodes;
  readonly returns: readonly PlanReturn[];
  readonly budgets: Readonly<Record<BudgetName, number>>;
  /** what reads may ask for without review (PLAN-054) */
  readonly unreviewedReads: ReadBudget;
}

const NO_NEED = { all: null, rows: null, page: true, scan: false, partly: false } as const;
const NO_COST: Estimate = {
  requests: ZERO,
  rows: ZERO,
  pages: ZERO,
  asks: ZERO,
  hydration: null,
  paged: false,
};

/** The unhashed summary of a plan: verdict, reasons, bill, effects, budgets, places (PLAN-020, PLAN-021). */
export function summarize(input: SummaryInput): PlanSummary {
  const { numbered, returns, program, budgets } = input;
  const { nodes } = numbered;
  const rules: AccessRules = input.context;
  const needs = nodeNeeds(nodes, returns);
  const estimates = new Map<string, Estimate>();
  const timeOf = timesIn(nodes);
  const context: EstimateContext = {
    rules,
    pagesBudget: budgets.pages,
    node: (id) => nodes.find((each) => each.id === id),
    need: (id) => needs.get(id) ?? NO_NEED,
    facts: (id) => numbered.drafts.get(id)?.read ?? null,
    readBeside: ({ stage }, entryId, capability) => {
      const time = timeOf(entryId, stage);
      return nodes.some(
        (node) => readsBy(node, entryId, capability) && timeOf(entryId, node.stage) === time,
      );
    },
    of: (id) => estimates.get(id) ?? NO_COST,
  };
  for (const node of nodes) estimates.set(node.id, estimateNode(context, node));
  for (const { id } of coinciding(rules, numbered, estimates, timeOf)) {
    const { requests, pages, ...rest } = context.of(id);
    estimates.set(id, { ...rest, requests: atMost(requests), pages: atMost(pages) });
  }
  const shown = places(input);
  const work = localWork(nodes, context, budgets);
  const reasons = planReasons({
    ...context,
    nodes,
    returns,
    program,
    work,
    mostWork: budgets.work,
  });
  const bill = makeBill(nodes, estimates, budgets, work.units);
  const held = reasons.some(({ severity }) => severity !== "info");
  const stopsAt = held ? stopOf(input, reasons, bill) : null;
  return {
    verdict: held && stopsAt === null ? "review" : "ok",
    reasons,
    bill,
    effects: plannedEffects(nodes, rules, (id) => shown[id]?.label ?? id),
    budgets,
    ...(stopsAt === null ? {} : { stops_at: stopsAt }),
    nodes: shown,
  };
}

/**
 * Where a plan stops that is held back by what its reads may cost alone; null where it is reviewed all the
 * same, since it is certain to ask for more than the budget, or there is none (PLAN-054). What is not known
 * of a bill is found out by running it: a budget bounds that, a review cannot tell it either.
 */
function stopOf(
  { numbered, budgets, unreviewedReads }: SummaryInput,
  reasons: readonly Reason[],
  bill: Bill,
): ReadBudget | null {
  const requests = Math.min(unreviewedReads.requests, budgets.requests);
  const rows = Math.min(unreviewedReads.rows, budgets.rows);
  if (requests === 0 || rows === 0 || !onlyReadsCost(reasons)) return null;
  const certainRows = "exact" in bill.rows ? bill.rows.exact : 0;
  const isMore = certainRequests(numbered.nodes, bill) > requests || certainRows > rows;
  return isMore ? null : { requests, rows };
}

/** Whether a node, or a read per row, goes by this capability. */
function readsBy(node: PlanNode, entryId: string, capability: string): boolean {
  if (node.effect_class !== "read") return false;
  const called = node.kind === "for_each" ? node.body : node;
  if (!("catalog" in called)) return false;
  return called.catalog.entry_id === entryId && called.capability === capability;
}

/** Label, text and span of the step each node was made from. */
function places(input: SummaryInput): PlanSummary["nodes"] {
  const { context, program, numbered } = input;
  const labels = new Map<Rows, string>();
  for (const { label, rows } of program.bindings) {
    if (!labels.has(rows)) labels.set(rows, label);
  }
  const nameOf = (draft: string): string => {
    const id = numbered.ids.get(draft) ?? draft;
    const rows = numbered.drafts.get(id)?.rows;
    return (rows === undefined ? null : labelOf(labels, rows)) ?? id;
  };
  return Object.fromEntries(
    [...numbered.drafts].map(([id, draft]) => {
      const { rows } = draft;
      const place = {
        label: labelOf(labels, rows),
        text: programText(context, rows.span),
        span: rows.span,
      };
      const bound = boundArguments(draft, nameOf);
      return [id, Object.keys(bound).length === 0 ? place : { ...place, bound }];
    }),
  );
}

/** What the row at hand gives the request of a node, unwritten (RUN-010, RUN-044). */
function boundArguments(
  { node, rows, read }: Draft,
  labelOf: (draft: string) => string,
): Readonly<Record<string, string>> {
  if (node.kind === "relation") return fieldsBound(read?.bound);
  if (node.kind === "join") {
    const isBound = rows.kind === "join" && "bindings" in rows.reading;
    return isBound ? fieldsBound(rows.reading.bindings) : {};
  }
  const effect = rows.kind === "for_each" ? rows.body : rows;
  const body = node.kind === "for_each" ? node.body : node;
  if (effect.kind !== "effect" || !("target" in body)) return {};
  // A key part is read from the row that the effect is called on.
  const [part] = Object.values(body.target);
  const row = part !== undefined && "from" in part ? labelOf(part.from) : "_";
  return Object.fromEntries(effect.carried.map((name) => [name, `${row}.${name}`]));
}

function fieldsBound(
  bindings: ReadonlyMap<string, string | null> = new Map(),
): Readonly<Record<string, string>> {
  const names = [...bindings].toSorted(([a], [b]) => compareCodePoints(a, b));
  return Object.fromEntries(
    names.map(([name, field]) => [name, field === null ? "_" : `_.${field}`]),
  );
}

/** A join goes by the label of the rows it completes. */
function labelOf(labels: ReadonlyMap<Rows, string>, rows: Rows): string | null {
  let at = rows;
  while (at.kind === "join" && !labels.has(at)) at = at.source;
  return labels.get(at) ?? null;
}
