import type { AccessRules } from "../check/access.ts";
import { checkProgram } from "../check/check-program.ts";
import type { CheckContext } from "../check/check-context.ts";
import type { Rows, TypedProgram } from "../check/typed-program.ts";
import {
  type Diagnostic,
  DiagnosticCollector,
  type ProgramError,
} from "../diagnostics/diagnostic.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { reportErrors } from "../diagnostics/report.ts";
import { mends, type Recheck } from "../diagnostics/suggestion.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import { parse } from "../language/grammar/parse.ts";
import type { SourceText } from "../base/source.ts";
import {
  type BudgetName,
  CURRENT_FEATURES,
  type Features,
  type Policy,
  type ReadBudget,
} from "../policy/policy.ts";
import type { Exposure } from "../symbols/exposure.ts";
import { summarize } from "./bill/summarize.ts";
import { checkPaths } from "./check-paths.ts";
import { checkFiles } from "./files.ts";
import { checkComputedSize } from "./computed-size.ts";
import { commitOf } from "./commit.ts";
import { lowerRows } from "./lower/lower-rows.ts";
import { type NumberedNodes, numberNodes } from "./lower/number-nodes.ts";
import { isEffect } from "./algebra.ts";
import { planReturns } from "./lower/returns.ts";
import { reachable } from "./lower/rows-graph.ts";
import type { Plan, PlanBody, PlanNode, Undoes } from "./ir.ts";
import { sessionExamples } from "./session-examples.ts";
import type { Binding, Continuation, ContinuationOp, Program } from "../language/grammar/ast.ts";
import { valueMessages } from "../diagnostics/value-messages.ts";

/** Values a host may set for compiling (PLAN-001). */
export interface CompileSettings {
  readonly features?: Features;
  /** capabilities that were never taught for policy's sake, as `entry_id/capability` (TEACH-24) */
  readonly untaught?: ReadonlySet<string>;
  /** defaults other than RUN-130's; policy still wins */
  readonly budgets?: Readonly<Partial<Record<BudgetName, number>>>;
  /** what reads may ask for without review, nothing without it; policy still wins (PLAN-054) */
  readonly unreviewedReads?: ReadBudget;
  /** what the plan is called; not part of its commit */
  readonly name?: string;
  /** what the effects of the program take back, in their order: all of them, or none (UNDO-05) */
  readonly undoes?: readonly Undoes[];
}

/** What a program is: a plan, a continuation of an earlier one, or its mistakes. */
export type Compiled =
  | { readonly kind: "plan"; readonly plan: Plan }
  | ContinuationProgram
  | { readonly kind: "errors"; readonly errors: readonly ProgramError[]; readonly more: number };

const MAX_NODES = 1000;
/** Most steps make a node: beyond this there is no need to count nodes exactly. */
const MAX_STEPS = 2 * MAX_NODES;

/**
 * Compiles a program: parse, check, choice of capability and planning in one pure routine, the same
 * for dry and live runs (PLAN-001). Never throws, whatever the text.
 */
export function compileProgram(
  text: string,
  exposure: Exposure,
  settings: CompileSettings = {},
): Compiled {
  const attempt = read(text, exposure, settings);
  if (attempt.kind !== "mistakes") return attempt;
  const plans = (program: string): boolean => read(program, exposure, settings).kind === "plan";
  const words = sessionExamples(accessRules(exposure, settings), text, plans);
  const recheck: Recheck = (suggestion) => {
    const again = read(suggestion.program, exposure, settings);
    return mends(suggestion, again.kind === "mistakes" ? again.mistakes : []);
  };
  const report = reportErrors(attempt.source, attempt.mistakes, recheck, { words, plans });
  return { kind: "errors", errors: report.errors, more: report.more + attempt.more };
}

type Attempt =
  | Exclude<Compiled, { kind: "errors" }>
  | {
      readonly kind: "mistakes";
      readonly source: SourceText;
      /** the first of them, and how many more there are */
      readonly mistakes: readonly Diagnostic[];
      readonly more: number;
    };

function read(text: string, exposure: Exposure, settings: CompileSettings): Attempt {
  const { source, program, diagnostics, more } = parse(text);
  const steps = stepsIn(program);
  if (steps > MAX_STEPS) {
    return { kind: "mistakes", source, mistakes: [...diagnostics, tooManyNodes(steps)], more };
  }
  const checked = checkProgram(accessRules(exposure, settings), source, program);
  const { context } = checked;
  const continuation = readContinuation(context, program);
  const plan =
    continuation === null ? makePlan(context, checked.program, diagnostics, settings) : null;
  const all = new DiagnosticCollector();
  for (const each of [...diagnostics, ...context.found.sorted()]) all.add(each);
  const mistakes = all.sorted();
  const beyond = more + context.found.more + all.more;
  if (mistakes.length > 0) return { kind: "mistakes", source, mistakes, more: beyond };
  if (continuation !== null) return continuation;
  if (plan === null) throw new Error("A program without mistakes has a plan.");
  return { kind: "plan", plan };
}

function accessRules(exposure: Exposure, settings: CompileSettings): AccessRules {
  return {
    exposure,
    features: settings.features ?? CURRENT_FEATURES,
    untaught: settings.untaught ?? new Set<string>(),
  };
}

/** The plan of a program, or null if something is in error, reported. */
function makePlan(
  context: CheckContext,
  program: TypedProgram,
  textMistakes: readonly Diagnostic[],
  settings: CompileSettings,
): Plan | null {
  const { effects } = program;
  const results = [...effects, ...program.roots.map(({ rows }) => rows)];
  const steps = reachable(results).length;
  if (steps > MAX_STEPS) {
    context.found.add(tooManyNodes(steps));
    return null;
  }
  const { drafts, ids } = lowerRows(context, results);
  if (textMistakes.length === 0) checkUnused(context, program);
  if (textMistakes.length > 0 || context.found.size > 0) return null;
  const roots = program.roots.flatMap((root, at) => {
    const id = ids[effects.length + at];
    return id === null || id === undefined ? [] : [{ root, id }];
  });
  const drafted = planReturns(roots);
  const effectIds = ids.slice(0, effects.length).filter((id) => id !== null);
  const starts = [...effectIds, ...drafted.map(({ node }) => node)];
  const numbered = taking(numberNodes(context, drafts, starts), settings.undoes ?? []);
  if (numbered.nodes.length > MAX_NODES) {
    context.found.add(tooManyNodes(numbered.nodes.length));
    return null;
  }
  checkPaths(context, numbered);
  checkFiles(context, numbered);
  checkComputedSize(context, numbered);
  if (context.found.size > 0) return null;
  const returns = drafted.map(({ label, node, page_size }) => ({
    label,
    node: numbered.ids.get(node) ?? node,
    page_size,
  }));
  const body: PlanBody = {
    version: 1,
    nodes: numbered.nodes,
    edges: numbered.edges,
    topological_order: numbered.nodes.map(({ id }) => id),
    returns,
  };
  const { policy } = context.exposure;
  const budgets = budgetsUnder(policy, settings.budgets ?? {});
  const unreviewedReads = { ...(settings.unreviewedReads ?? NO_READS), ...policy.unreviewed_reads };
  return {
    ...body,
    commit: commitOf(body),
    name: settings.name ?? "plan",
    source: context.source.text,
    summary: summarize({ context, program, numbered, returns, budgets, unreviewedReads }),
  };
}

/** The nodes with what each effect takes back, in source order. */
function taking(numbered: NumberedNodes, undoes: readonly Undoes[]): NumberedNodes {
  if (undoes.length === 0) return numbered;
  let at = 0;
  const nodes = numbered.nodes.map((node): PlanNode => {
    if (node.kind === "for_each" || !isEffect(node)) return node;
    const taken = undoes[at];
    at += 1;
    return taken === undefined ? node : { ...node, undoes: taken };
  });
  return { ...numbered, nodes };
}

/** PLAN-006 */
function tooManyNodes(nodes: number): Diagnostic {
  const args = { what: "The plan", limit: `${MAX_NODES} nodes`, actual: nodes };
  return diagnose(textMessages.tooLarge, { start: 0, end: 0, line: 1, column: 1 }, args);
}

/** How many sources and steps a program has as it is written: one of too many is not even checked (PLAN-006). */
const stepsIn = ({ statements }: Program): number =>
  statements.reduce((sum, statement) => sum + stepsOf(statement), 0);

function stepsOf(statement: Program["statements"][number]): number {
  if (statement.kind === "Binding") return ownSteps(statement.node);
  if (statement.kind !== "Roots") return 0;
  return statement.nodes.reduce((sum, node) => sum + ownSteps(node), 0);
}

function ownSteps(node: Binding["node"]): number {
  if (node.kind === "Chain") return node.steps.length + 1;
  return node.kind === "Map" ? node.chain.steps.length + 2 : 0;
}

/**
 * Checks what no root needs: it is never run, but its errors refuse the program (PLAN-002). Each label
 * that nothing uses is checked as if it were the only result.
 */
function checkUnused(context: CheckContext, program: TypedProgram): void {
  const seen = new Set<Rows>(
    reachable([...program.effects, ...program.roots.map(({ rows }) => rows)]),
  );
  for (const { label, rows } of program.bindings.toReversed()) {
    if (seen.has(rows) || context.labels.isUsed(label)) continue;
    lowerRows(context, [rows]);
    for (const each of reachable([rows])) seen.add(each);
  }
}

/** A program that goes on with an earlier run (LANG-011): what to do, its handle, and a page length. */
interface ContinuationProgram {
  readonly kind: "continuation";
  readonly op: ContinuationOp;
  readonly handle: string;
  readonly limit: number | null;
  /** of `undo`, the numbers of the effects that are meant; left out where all are */
  readonly effects?: readonly number[];
}

/** The continuation a program consists of, or null if it is none or one in error, reported. */
function readContinuation(context: CheckContext, program: Program): ContinuationProgram | null {
  const [statement] = program.statements;
  if (statement?.kind !== "Continuation") return null;
  const handle = readHandle(context, statement);
  const limit = statement.limit?.kind === "NumberValue" ? Number(statement.limit.raw) : null;
  const effects = (statement.effects ?? []).map(({ raw }) => Number(raw));
  if (statement.limit?.kind === "PlaceholderValue") {
    report(context, statement.limit, "limit", "int", "20");
  }
  return handle === null
    ? null
    : {
        kind: "continuation",
        op: statement.op,
        handle,
        limit,
        ...(effects.length === 0 ? {} : { effects }),
      };
}

/** A handle of each, as messages show it. */
const HANDLES = { page: "s0_pg1", wait: "s0_o1", cancel: "s0_o1", undo: "pc0" } as const;

function readHandle(context: CheckContext, statement: Continuation): string | null {
  const { handle, op } = statement;
  switch (handle.kind) {
    case "WordValue":
      return handle.raw;
    case "StringValue":
      return handle.text;
    case "PlaceholderValue":
      report(context, handle, "handle", "a handle", HANDLES[op]);
      return "";
    case "Bad":
      return "";
  }
}

function report(
  context: CheckContext,
  at: { readonly raw: string; readonly span: Continuation["span"] },
  slot: string,
  type: string,
  sample: string,
): void {
  const args = { raw: at.raw, slot, type, sample };
  context.found.add(diagnose(valueMessages.placeholder, at.span, args));
}

/** Budgets of a run by default (RUN-130). */
const DEFAULT_BUDGETS: Readonly<Record<BudgetName, number>> = Object.freeze({
  requests: 500,
  rows: 10_000,
  pages: 100,
  fan_out: 500,
  bytes: 67_108_864,
  wall: 45,
  work: 30_000_000,
});

/** All reads that may be large are reviewed. */
const NO_READS: ReadBudget = Object.freeze({ requests: 0, rows: 0 });

/** The budgets of a run: policy may lower or raise them (PLAN-050). */
function budgetsUnder(
  policy: Policy,
  defaults: Readonly<Partial<Record<BudgetName, number>>>,
): Readonly<Record<BudgetName, number>> {
  return { ...DEFAULT_BUDGETS, ...defaults, ...policy.budgets };
}
