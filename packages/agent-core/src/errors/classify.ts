import { type ErrorReport, formatErrors, type ProgramError } from "@plasm/core";
import { visible, visibleLines } from "@plasm/core/internal";
import type { RunError, RunErrorCode } from "@plasm/runtime";
import { Failure, problem, type Problem, type ProblemCode, type ProblemError } from "./problem.ts";
import { isStoreFault, storeProblem } from "./store-faults.ts";

/**
 * Codes of a run's error as it is told: the runtime's; `cancelled` for a run that its caller or the
 * server's end stopped (OPS-11), `interrupted` for one whose process died (OPS-32).
 */
type ToldErrorCode = RunErrorCode | "cancelled" | "interrupted" | "set_aside";

export interface ReportedError extends Omit<RunError, "code"> {
  readonly code: ToldErrorCode;
}

const RUN_CLASSES: Readonly<Record<ToldErrorCode, ProblemCode>> = {
  argument_invalid: "plasm-run-failed",
  argument_missing: "plasm-run-failed",
  argument_unknown: "plasm-run-failed",
  auth_missing: "plasm-upstream-auth",
  auth_refused: "plasm-upstream-auth",
  budget_exceeded: "plasm-run-failed",
  cancelled: "plasm-run-failed",
  catalog_changed: "plasm-review-required",
  decode: "plasm-upstream-error",
  effect_in_doubt: "plasm-upstream-error",
  identity_missing: "plasm-run-failed",
  internal: "plasm-internal",
  interrupted: "plasm-run-failed",
  set_aside: "plasm-run-failed",
  no_row: "plasm-run-failed",
  not_found: "plasm-run-failed",
  null_value: "plasm-run-failed",
  origin_refused: "plasm-upstream-error",
  partial_source: "plasm-run-failed",
  precondition_failed: "plasm-run-failed",
  rate_limited: "plasm-upstream-error",
  replay_miss: "plasm-run-failed",
  response_not_json: "plasm-upstream-error",
  response_too_large: "plasm-upstream-error",
  singleton_count: "plasm-run-failed",
  template_failed: "plasm-run-failed",
  timeout: "plasm-upstream-timeout",
  upstream_error: "plasm-upstream-error",
};

/** The class of a failed run is that of its first failed node's error (ERR-030). */
export const runProblemCode = (code: ToldErrorCode): ProblemCode => RUN_CLASSES[code];

const programError = (error: ProgramError): ProblemError => ({
  code: error.code,
  message: error.message,
  span: error.span,
  snippet: error.snippet,
  correction: error.correction,
  suggested_program: error.suggestedProgram,
});

/** Characters of mended programs that one answer holds: whoever sent a long one has it. */
const MOST_SUGGESTED = 8_000;

/** Whether a program can be shown as it is: escaped it would be another one (ERR-008). */
const standsAsItIs = (program: string): boolean =>
  visibleLines(program) === program.replaceAll("\r\n", "\n");

/** Mended programs as far as they are short enough, from the first error on. */
function withinReason(errors: readonly ProgramError[]): readonly ProgramError[] {
  let left = MOST_SUGGESTED;
  return errors.map((error) => {
    const { suggestedProgram } = error;
    const size = suggestedProgram?.length ?? 0;
    const shown = suggestedProgram !== null && size <= left && standsAsItIs(suggestedProgram);
    if (!shown) return { ...error, suggestedProgram: null };
    left -= size;
    return error;
  });
}

/** What is wrong with a program, where all its errors are of one class but the first (ERR-030). */
function programProblemCode(errors: readonly ProgramError[]): ProblemCode {
  const all = (code: string): boolean =>
    errors.length > 0 && errors.every((error) => error.code === code);
  if (all("too_large")) return "plasm-too-large";
  return all("policy_denied") ? "plasm-policy-denied" : "plasm-program-invalid";
}

/** Static errors of a program: one problem, all errors inside (ERR-030, classes program, size, policy). */
export function programProblem(all: ErrorReport): Problem {
  const report = { ...all, errors: withinReason(all.errors) };
  return problem(programProblemCode(report.errors), formatErrors(report), {
    errors: report.errors.map(programError),
  });
}

/** A run's error with the span and snippet of the expression that made its node (ERR-002). */
export function runProblemError(
  error: ReportedError,
  place: { readonly span: ProgramError["span"]; readonly snippet: string } | null,
): ProblemError {
  return {
    code: error.code,
    // A key may come from an API: no character of it may act, or feign a line of the answer (SURF-13).
    message: visible(error.message),
    span: place?.span ?? null,
    snippet: place?.snippet ?? null,
    correction: visible(error.correction),
    suggested_program: null,
    node: error.node,
    row: error.row,
    retryable: error.retryable,
    request: error.request,
  };
}

/**
 * Makes a problem of whatever a call threw (SURF-19). A defect shows an id that `report` logs,
 * and no detail.
 */
export function classify(thrown: unknown, report: (thrown: unknown) => string): Problem {
  if (thrown instanceof Failure) return thrown.problem;
  if (isStoreFault(thrown)) return storeProblem(thrown);
  const id = report(thrown);
  return problem("plasm-internal", `Internal error ${id}. Report this id to the operator.`);
}
