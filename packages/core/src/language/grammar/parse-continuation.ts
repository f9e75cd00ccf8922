import { example } from "../../diagnostics/examples.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { clip } from "../../base/text.ts";
import type { Continuation, ContinuationOp, Count } from "./ast.ts";
import type { NumberValue } from "./ast-values.ts";
import { enter, leave } from "../recovery/brackets.ts";
import { failHere } from "../recovery/failures.ts";
import { matchAt, MAX_PAGE } from "./limits.ts";
import { type CountForm, parseCount } from "./parse-operators.ts";
import { takeRun } from "./parse-run.ts";
import type { ParserState } from "./parser-state.ts";
import { stretchEnd } from "../recovery/extent.ts";
import { takeDollar, takeString } from "./parse-names.ts";
import type { DigitsToken, NameToken } from "./lexer.ts";

const PAGE: CountForm = { where: "page(…)", max: MAX_PAGE, example: "page(h, limit=20)" };

/** Whether a statement begins with `page(`, `wait(`, `cancel(` or `undo(` (LANG-016). */
export function isContinuation(p: ParserState, token: NameToken): boolean {
  return isOp(token.text) && p.text[p.skip(token.end, false)] === "(";
}

function isOp(word: string): word is ContinuationOp {
  return word === "page" || word === "wait" || word === "cancel" || word === "undo";
}

/** Reads `page(h, limit=n)`, `wait(h)`, `cancel(h)` or `undo(h, n, n)`. */
export function parseContinuation(p: ParserState, token: NameToken): Continuation {
  const op: ContinuationOp = isOp(token.text) ? token.text : "page";
  p.take(token);
  enter(p, "(");
  const handle = parseHandle(p, op);
  if (op === "page") failMissingComma(p, handle);
  const effects = op === "undo" ? parseNumbers(p) : [];
  const limit = p.takeIf(",") && !p.at(")") ? parseLimit(p, op, handle) : null;
  p.takeIf(",");
  leave(p, "(", exampleOf(op));
  failBehind(p, token.start, op, limit !== null);
  const span = p.spanFrom(token.start);
  const numbers = effects.length === 0 ? {} : { effects };
  return limit === null
    ? { kind: "Continuation", op, handle, ...numbers, span }
    : { kind: "Continuation", op, handle, limit, span };
}

/** The numbers of effects behind a handle, each behind its comma. */
function parseNumbers(p: ParserState): readonly NumberValue[] {
  const numbers: NumberValue[] = [];
  while (p.takeIf(",") && !p.at(")")) {
    const token = p.peek("value");
    if (token.type !== "run" || !/^[1-9][0-9]{0,8}$/.test(token.raw)) {
      failHere(p, { what: "the number of an effect", example: "undo(pc0, 2, 1)" });
      return numbers;
    }
    p.take(token);
    numbers.push({ kind: "NumberValue", raw: token.raw, span: p.span(token.start, token.end) });
  }
  return numbers;
}

function exampleOf(op: ContinuationOp): string {
  if (op === "undo") return "undo(pc0)";
  return op === "page" ? "page(s0_pg1)" : `${op}(s0_o1)`;
}

const LIMIT_STEP = /\.\s*(?:limit|page_size)\s*\(\s*([1-9]\d{0,8})\s*\)[ \t]*(?=\r?\n|$)/y;

/** Nothing follows a continuation: what it answers is no rows to go on with (LANG-011). */
function failBehind(p: ParserState, start: number, op: ContinuationOp, limited: boolean): void {
  const next = p.peek("name");
  if (next.type === "newline" || next.type === "end" || next.type === "strange") return;
  if (next.type === "sign" && /^[)\]}!&|]$/.test(next.text)) return;
  const whole = p.text.slice(start, p.lastEnd);
  const step = op === "page" && !limited ? matchAt(LIMIT_STEP, p.text, next.start) : null;
  const form = step === null ? whole : `${whole.slice(0, -1)}, limit=${step[1] ?? ""})`;
  const edits = [
    { span: { start, end: next.start + (step?.[0].trimEnd().length ?? 0) }, replacement: form },
  ];
  const span = p.span(next.start, next.end);
  const args = { op, form: clip(form, 120) };
  p.fail(diagnose(textMessages.afterContinuation, span, args, step === null ? undefined : edits));
}

function parseHandle(p: ParserState, op: ContinuationOp): Continuation["handle"] {
  const token = p.peek("value");
  if (token.type === "string") return takeString(p, token);
  if (token.type === "dollar") return takeDollar(p, token);
  if (token.type === "run") {
    const value = takeRun(p, token, "args", false);
    if (value.kind === "WordValue" || value.kind === "PlaceholderValue" || value.kind === "Bad")
      return value;
    p.pos = token.start;
  }
  failHere(p, { what: "a handle", example: exampleOf(op) });
  return { kind: "Bad", span: p.span(token.start, token.end) };
}

/** `page(h limit=5)`: a comma is missing. */
function failMissingComma(p: ParserState, handle: Continuation["handle"]): void {
  const token = p.peek("name");
  if (token.type !== "name" || token.text !== "limit") return;
  const end = Math.max(token.end, stretchEnd(p.text, token.start));
  const form = `${p.text.slice(handle.span.start, handle.span.end)}, ${p.text.slice(token.start, end)}`;
  const edits = [{ span: { start: p.lastEnd, end: token.start }, replacement: ", " }];
  const args = { next: token.text, form: clip(form, 120) };
  p.fail(diagnose(syntaxMessages.missingSeparator, p.span(p.lastEnd, p.lastEnd), args, edits));
}

function parseLimit(
  p: ParserState,
  op: ContinuationOp,
  handle: Continuation["handle"],
): Count | null {
  const token = p.peek("name");
  const named = token.type === "name" && token.text === "limit";
  if (op !== "page") {
    const span = p.span(token.start, Math.max(token.end, stretchEnd(p.text, token.start)));
    const form = `${op}(${p.text.slice(handle.span.start, handle.span.end)})`;
    p.fail(diagnose(syntaxMessages.limitOfPage, span, { op, form: clip(form, 80) }));
    return null;
  }
  if (!named) {
    if (token.type === "digits") failBareLimit(p, token);
    failHere(p, { what: "limit=n", example: PAGE.example });
    return null;
  }
  p.take(token);
  if (!p.takeIf("=")) failHere(p, { what: "= and a count", example: PAGE.example });
  return p.dead ? null : parseCount(p, PAGE);
}

/** `page(h, 20)`: the count has a name. */
function failBareLimit(p: ParserState, token: DigitsToken): void {
  const span = p.span(token.start, token.end);
  const form = `limit=${token.text}`;
  const args = { found: token.text, expected: form, example: example(PAGE.example) };
  p.fail(diagnose(syntaxMessages.expected, span, args, [{ span, replacement: form }]));
}
