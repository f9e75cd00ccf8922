import { diagnose } from "../diagnostics/messages.ts";
import { syntaxMessages } from "../diagnostics/syntax-messages.ts";
import type { Continuation, ContinuationOp } from "./ast.ts";
import type { Count } from "./ast-steps.ts";
import { enter, leave } from "./brackets.ts";
import type { Expectation } from "./failures.ts";
import { failHere } from "./failures.ts";
import { MAX_PAGE } from "./limits.ts";
import type { CountForm } from "./parse-operators.ts";
import { parseCount } from "./parse-operators.ts";
import { takeRun } from "./parse-run.ts";
import type { ParserState } from "./parser-state.ts";
import { takeDollar, takeString } from "./take-string.ts";
import type { NameToken } from "./token.ts";

const A_HANDLE: Expectation = { what: "a handle", example: "page(s0_pg1)" };
const PAGE: CountForm = { where: "page(…)", max: MAX_PAGE, example: "page(s0_pg1, limit=20)" };

/** Whether a statement begins with `page(`, `wait(` or `cancel(` (LANG-016). */
export function isContinuation(p: ParserState, token: NameToken): boolean {
  return isOp(token.text) && p.text[p.skip(token.end, false)] === "(";
}

function isOp(word: string): word is ContinuationOp {
  return word === "page" || word === "wait" || word === "cancel";
}

/** Reads `page(h, limit=n)`, `wait(h)` or `cancel(h)`. */
export function parseContinuation(p: ParserState, token: NameToken): Continuation {
  const op: ContinuationOp = isOp(token.text) ? token.text : "page";
  p.take(token);
  enter(p, "(");
  const handle = parseHandle(p);
  const limit = p.takeIf(",") && !p.at(")") ? parseLimit(p, op) : null;
  p.takeIf(",");
  leave(p, "(");
  const span = p.spanFrom(token.start);
  return limit === null
    ? { kind: "Continuation", op, handle, span }
    : { kind: "Continuation", op, handle, limit, span };
}

function parseHandle(p: ParserState): Continuation["handle"] {
  const token = p.peek("value");
  if (token.type === "string") return takeString(p, token);
  if (token.type === "dollar") return takeDollar(p, token);
  if (token.type === "run") {
    const value = takeRun(p, token, "list");
    if (value.kind === "WordValue" || value.kind === "PlaceholderValue" || value.kind === "Bad")
      return value;
    p.pos = token.start;
  }
  failHere(p, A_HANDLE);
  return { kind: "Bad", span: p.span(token.start, token.end) };
}

function parseLimit(p: ParserState, op: ContinuationOp): Count | null {
  const token = p.peek("name");
  const named = token.type === "name" && token.text === "limit";
  if (op !== "page") {
    const span = p.span(token.start, token.end);
    p.fail(diagnose(syntaxMessages.limitOfPage, span, { op, form: `${op}(…)` }));
    return null;
  }
  if (!named) {
    failHere(p, { what: "limit=n", example: PAGE.example });
    return null;
  }
  p.take(token);
  if (!p.takeIf("=")) failHere(p, { what: "= and a count", example: PAGE.example });
  return p.dead ? null : parseCount(p, PAGE);
}
