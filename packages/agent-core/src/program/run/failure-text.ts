import type { Span } from "@plasm/core";
import { indexLines, snippet } from "@plasm/core/internal";
import type { EffectEntry } from "@plasm/runtime";
import { runProblemError, type ReportedError } from "../../errors/classify.ts";
import type { ProblemError } from "../../errors/problem.ts";

/** A run's error at the place of the expression that made its node (ERR-002). */
export function placedError(
  program: string,
  span: Span | null,
  error: ReportedError,
): ProblemError {
  if (span === null) return runProblemError(error, null);
  const source = { text: program, lines: indexLines(program) };
  return runProblemError(error, { span, snippet: snippet(source, span) });
}

/** An error with its place, what it says and its correction. */
export function errorText(error: ProblemError): string {
  const at = error.span === null ? "" : ` at ${error.span.line}:${error.span.column}`;
  const lines = [`error ${error.code}${at}`];
  if (error.snippet !== null) lines.push(error.snippet);
  lines.push(error.message, `fix: ${error.correction}`);
  return lines.join("\n");
}

/** Errors whose text an answer repeats (ERR-004). */
const SHOWN = 10;

/** The text of a failed run: node and code, effects, errors, results in hand (ERR-020, OPS-29). */
export function failureText(
  head: string,
  effectLines: readonly string[],
  errors: readonly ProblemError[],
  inHand: string | null,
): string {
  const more = errors.length - SHOWN;
  const told = [...errors.slice(0, SHOWN).map(errorText), ...(more > 0 ? [`${more} more`] : [])];
  return [
    head,
    ...effectLines,
    told.join("\n\n"),
    ...(inHand === null ? [] : [`results in hand:\n${inHand}`]),
  ].join("\n");
}

/** The same error, saying what may be repeated, too (ERR-020). */
export const advised = (error: ProblemError, advice: string | null): ProblemError =>
  advice === null ? error : { ...error, correction: `${error.correction}; ${advice}` };

/** The line of the program on which a node's expression begins. */
type LineOf = (node: string) => number | null;

interface OnLine {
  readonly line: number;
  readonly done: number;
  readonly doubt: number;
  readonly all: number;
}

function byLine(effects: readonly EffectEntry[], lineOf: LineOf): readonly OnLine[] {
  const lines = new Map<number, OnLine>();
  for (const { node, status } of effects) {
    const line = lineOf(node) ?? 0;
    const seen = lines.get(line) ?? { line, done: 0, doubt: 0, all: 0 };
    const doubt = status === "in_doubt" || status === "started";
    lines.set(line, {
      line,
      done: seen.done + (status === "done" ? 1 : 0),
      doubt: seen.doubt + (doubt ? 1 : 0),
      all: seen.all + 1,
    });
  }
  return [...lines.values()].toSorted((a, b) => a.line - b.line);
}

function listed(numbers: readonly number[]): string {
  if (numbers.length < 2) return numbers.join("");
  return `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}

function wholeLines(lines: readonly OnLine[]): readonly string[] {
  const whole = lines.filter(({ done, all }) => done === all);
  if (whole.length === 0) return [];
  const name = whole.length === 1 ? "line" : "lines";
  const owner = whole.length === 1 ? "its" : "their";
  const several = whole.reduce((sum, { done }) => sum + done, 0) > 1;
  const effects = several ? "effects are done" : "effect is done";
  return [`do not repeat ${name} ${listed(whole.map(({ line }) => line))}, ${owner} ${effects}`];
}

function cutLines(lines: readonly OnLine[], told: boolean): readonly string[] {
  return lines.flatMap(({ line, done, doubt, all }) => {
    const cut =
      done === 0 || done === all
        ? []
        : [
            `do not repeat line ${line} as it stands, ${done} of its ${all} effects ` +
              (done === 1 ? "is done" : "are done"),
          ];
    const open =
      doubt === 0 || told ? [] : [`look at what line ${line} left in doubt before you repeat it`];
    return [...cut, ...open];
  });
}

/** Statuses of 500 and more by which an API says that it did nothing. */
const DECLINED: readonly number[] = [501, 503];

/** Whether an API failed by itself at an effect, which may have happened all the same. */
export const failedByItself = (code: string, status: number | null): boolean =>
  code === "upstream_error" && status !== null && status >= 500 && !DECLINED.includes(status);

/** Statuses by which an API refuses an effect because of what its row is now. */
const CONFLICTS: readonly number[] = [409, 412, 423];

/** Whether an API refused an effect as it was sent: the same again is refused again. */
export const refusedAsSent = (code: string, status: number | null): boolean =>
  code === "upstream_error" && status !== null && CONFLICTS.includes(status);

/**
 * What may be repeated after a run that did not come to its end, to be said in a correction
 * (ERR-020). `told`: it says already what to look at before its own effect is repeated, one in doubt or
 * one whose API failed by itself. `refused`: its API refused it as it was sent.
 */
export function safeToRepeat(
  effects: readonly EffectEntry[],
  lineOf: LineOf,
  told = false,
  refused = false,
): string {
  const lines = byLine(effects, lineOf);
  const said = [...wholeLines(lines), ...cutLines(lines, told)];
  if (said.length > 0) return said.join("; ");
  if (refused) return "no effect was performed; as it stands it is refused again";
  return told || lines.some(({ doubt }) => doubt > 0)
    ? "nothing else was performed"
    : "no effect was performed, so the whole program may be planned and run again";
}
