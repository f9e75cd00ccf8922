import type { AccessRules } from "../check/access.ts";
import { checkProgram } from "../check/check-program.ts";
import type { CheckContext } from "../check/check-context.ts";
import type { TypedProgram } from "../check/typed-program.ts";
import { DiagnosticCollector } from "../diagnostics/collector.ts";
import type { Diagnostic, ProgramError } from "../diagnostics/diagnostic.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { reportErrors } from "../diagnostics/report.ts";
import { mends, type Recheck } from "../diagnostics/suggestion.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import { parse } from "../language/parse.ts";
import type { SourceText } from "../source/source-text.ts";
import { CURRENT_FEATURES, type Features } from "../policy/features.ts";
import type { BudgetName } from "../policy/policy.ts";
import type { Exposure } from "../symbols/exposure.ts";
import { budgetsUnder } from "./bill/budgets.ts";
import { summarize } from "./bill/summarize.ts";
import { checkPaths } from "./check-paths.ts";
import { checkUnused } from "./check-unused.ts";
import { checkComputedSize } from "./computed-size.ts";
import { commitOf } from "./commit.ts";
import { type ContinuationProgram, readContinuation } from "./continuation.ts";
import { lowerRows } from "./lower/lower-rows.ts";
import { numberNodes } from "./lower/number-nodes.ts";
import { planReturns } from "./lower/returns.ts";
import { reachable } from "./lower/rows-graph.ts";
import type { Plan, PlanBody } from "./plan.ts";
import { sessionExamples } from "./session-examples.ts";
import { stepsIn } from "./steps-in.ts";

/** Values a host may set for compiling (PLAN-001). */
export interface CompileSettings {
  readonly features?: Features;
  /** capabilities that were never taught for policy's sake, as `entry_id/capability` (TEACH-24) */
  readonly untaught?: ReadonlySet<string>;
  /** defaults other than RUN-130's; policy still wins */
  readonly budgets?: Readonly<Partial<Record<BudgetName, number>>>;
  /** what the plan is called; not part of its commit */
  readonly name?: string;
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
  const numbered = numberNodes(context, drafts, starts);
  if (numbered.nodes.length > MAX_NODES) {
    context.found.add(tooManyNodes(numbered.nodes.length));
    return null;
  }
  checkPaths(context, numbered);
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
  const budgets = budgetsUnder(context.exposure.policy, settings.budgets ?? {});
  return {
    ...body,
    commit: commitOf(body),
    name: settings.name ?? "plan",
    source: context.source.text,
    summary: summarize({ context, program, numbered, returns, budgets }),
  };
}

/** PLAN-006 */
function tooManyNodes(nodes: number): Diagnostic {
  const args = { what: "The plan", limit: `${MAX_NODES} nodes`, actual: nodes };
  return diagnose(textMessages.tooLarge, { start: 0, end: 0, line: 1, column: 1 }, args);
}
