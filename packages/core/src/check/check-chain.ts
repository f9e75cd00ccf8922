import type { Call, Chain, Step } from "../language/grammar/ast.ts";
import type { CheckContext } from "./check-context.ts";
import { checkSource } from "./sources/check-source.ts";
import { checkAggregate, groupByRows } from "./steps/aggregate.ts";
import { cursorProblem } from "./names/problems.ts";
import { callRows } from "./steps/call.ts";
import {
  distinctRows,
  limitRows,
  pageSizeRows,
  projectRows,
  singletonRows,
  checkSort,
} from "./steps/row-steps.ts";
import { filterRows } from "./steps/filter.ts";
import { navRows } from "./steps/nav.ts";
import { pairRows } from "./steps/join.ts";
import { lostReceiver, type RowReceiver } from "./steps/receiver.ts";
import { renderRows } from "./templates/render-rows.ts";
import { checkSavedCall, savedCallOf } from "./saved/saved-call.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { savedMessages } from "../diagnostics/saved-messages.ts";
import type { Rows } from "./typed-program.ts";

/** Checks a chain from left to right. Null: in error, reported. */
export function checkChain(context: CheckContext, chain: Chain): Rows | null {
  const saved = savedCallOf(context, chain);
  if (saved !== null)
    return checkSteps(context, chain, oneResult(context, chain, saved), chain.steps.slice(1));
  const source = checkSource(context, chain.source);
  if (source === null) return null;
  const [first, ...others] = chain.steps;
  let rows: Rows | null = source.rows;
  let rest: readonly Step[] = chain.steps;
  if (source.kind === "entity" && first?.kind === "Call") {
    const place = source.rows.nameSpan;
    rows = callRows(context, { kind: "entity", key: source.rows.entity, place }, first);
    rest = others;
  }
  if (source.kind === "cursor") {
    rows = first?.kind === "Call" ? callOnRow(context, chain, source, first) : null;
    if (first?.kind !== "Call") context.found.add(cursorProblem(chain.source.span, "_"));
    rest = others;
  }
  return checkSteps(context, chain, rows, rest);
}

function checkSteps(
  context: CheckContext,
  chain: Chain,
  from: Rows | null,
  steps: readonly Step[],
): Rows | null {
  let rows = from;
  for (const step of steps) {
    if (rows === null) return null;
    rows = checkStep(context, chain, rows, step);
  }
  if (chain.template === undefined || rows === null) return rows;
  return renderRows(context, rows, chain.template);
}

/** The rows of a saved program in the place of its call: a program of several results is no source (SAV-13). */
function oneResult(context: CheckContext, chain: Chain, call: Call): Rows | null {
  const results = checkSavedCall(context, chain, call);
  const [only, ...others] = results ?? [];
  if (results === null || (only !== undefined && others.length === 0)) return only?.rows ?? null;
  const labels = results.map(({ label }) => label ?? "without a label").join(", ") || "none";
  const args = { program: call.name.text, count: results.length, labels };
  const place = { ...chain.source.span, end: call.span.end };
  context.found.add(diagnose(savedMessages.results, place, args));
  return null;
}

function checkStep(context: CheckContext, chain: Chain, rows: Rows, step: Step): Rows | null {
  switch (step.kind) {
    case "Filter":
      return filterRows(context, rows, step.pred, step.span);
    case "Nav":
      return navRows(context, rows, step);
    case "Call":
      return callOnRow(context, chain, { kind: "rows", rows }, step);
    case "Limit":
      return limitRows(context, rows, step);
    case "PageSize":
      return pageSizeRows(context, rows, step);
    case "Sort":
      return checkSort(context, rows, step);
    case "Project":
      return projectRows(context, rows, step);
    case "Singleton":
      return singletonRows(context, rows, step);
    case "Aggregate":
      return checkAggregate(context, rows, step);
    case "GroupBy":
      return groupByRows(context, rows, step);
    case "Distinct":
      return distinctRows(context, rows, step);
    case "Join": {
      const { source } = chain;
      return pairRows(context, rows, step, source.kind === "Bad" ? null : source.name.text);
    }
    case "Bad":
      return null;
  }
}

function callOnRow(
  context: CheckContext,
  chain: Chain,
  { kind, rows }: Pick<RowReceiver, "kind" | "rows">,
  step: Call,
): Rows | null {
  const key = rows.type.entity;
  if (key === null) return lostReceiver(context, rows, step);
  const place = { start: chain.source.span.start, end: step.span.start };
  return callRows(context, { kind, key, rows, place }, step);
}
