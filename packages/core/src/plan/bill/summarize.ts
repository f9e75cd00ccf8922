import type { AccessRules } from "../../check/access.ts";
import { type CheckContext, programText } from "../../check/check-context.ts";
import type { Rows, TypedProgram } from "../../check/typed-program.ts";
import { compareCodePoints } from "../../base/text.ts";
import type { BudgetName, ReadBudget } from "../../policy/policy.ts";
import type { Draft } from "../lower/rows-graph.ts";
import type { NumberedNodes } from "../lower/number-nodes.ts";
import type { Bill, PlanNode, PlanReturn, PlanSummary, Reason } from "../ir.ts";
import { plannedEffects } from "../render/render-plan.ts";
import { estimateNode } from "./estimate.ts";
import type { Estimate, EstimateContext } from "./estimation.ts";
import { coinciding, timesIn } from "./coinciding.ts";
import { atMost, certainRequests, makeBill, ZERO } from "./make-bill.ts";
import { localWork } from "../local-work.ts";
import { nodeNeeds } from "../demand.ts";
import { onlyReadsCost, planReasons } from "./reasons.ts";

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
