import type { Edit } from "../../diagnostics/diagnostic.ts";
import { example } from "../../diagnostics/examples.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import type { Span } from "../../base/span.ts";
import { clip } from "../../base/text.ts";
import { joinedForm } from "./joined.ts";
import type { ParserState } from "../grammar/parser-state.ts";
import type { Token } from "../grammar/lexer.ts";

/** How libraries call what chooses rows by conditions. */
const CHOOSES = /\.\s*(?:where|filter|find|find_all|findAll)\s*$/;

/** Fails at a comparison in the parentheses of `.where(…)`: conditions stand in `.filter{…}`. */
export function failConditionCall(p: ParserState, sign: Token): void {
  const open = p.open.at(-1)?.start;
  if (open === undefined) return;
  const call = CHOOSES.exec(p.text.slice(Math.max(0, open - 40), open));
  if (call !== null) failFilterCall(p, open, call[0], sign);
}

/** Fails at `.filter(x => x.a == 1 && x.b > 2)`: conditions name columns of the rows themselves. */
export function failLambdaFilter(p: ParserState, span: Span): void {
  const open = p.open.at(-1)?.start;
  if (open === undefined) return;
  const call = CHOOSES.exec(p.text.slice(Math.max(0, open - 40), open));
  const filter = call === null ? null : filterOf(p, open);
  if (call === null || filter === null) return;
  const edits = [
    { span: { start: open - call[0].length, end: filter.end }, replacement: filter.form },
  ];
  p.fail(diagnose(syntaxMessages.lambdaFilter, span, { form: clip(filter.form, 160) }, edits));
}

function failFilterCall(p: ParserState, open: number, call: string, sign: Token): void {
  const filter = filterOf(p, open);
  if (filter === null) return;
  const { form, end } = filter;
  const edits = [{ span: { start: open - call.length, end }, replacement: form }];
  const args = { sign: p.text.slice(sign.start, sign.end), form: clip(form, 120) };
  p.fail(diagnose(syntaxMessages.conditionCall, p.span(sign.start, sign.end), args, edits));
}

/** The `.filter{…}` that the conditions in parentheses are, and where these end; null if they cannot be read. */
function filterOf(p: ParserState, open: number): { form: string; end: number } | null {
  const close = p.outline().closerOf.get(open);
  if (close === undefined) return null;
  const inner = withoutRow(
    p.text
      .slice(open + 1, close)
      .trim()
      .replace(/,$/, ""),
  );
  if (inner === null) return null;
  const form = inner === "" ? "" : joinedForm(`(${inner})`);
  return form === null ? null : { form: `.filter{${form}}`, end: close + 1 };
}

const LAMBDA =
  /^(?:\(\s*([A-Za-z_]\w*)\s*\)\s*=>|([A-Za-z_]\w*)\s*=>|lambda\s+([A-Za-z_]\w*)\s*:)\s*/;

/**
 * The body of `x => x.a == 1 && x.b`, or of `lambda x: x.a == 1`, with columns in place of `x.a`, in this
 * language's signs; other text as it is. Null where it is the row alone, which is no condition.
 */
function withoutRow(text: string): string | null {
  const [head, inParens, bare, named] = LAMBDA.exec(text) ?? [];
  if (head === undefined) return text;
  const row = inParens ?? bare ?? named ?? "";
  const body = text.slice(head.length);
  if (body === row) return null;
  return body
    .replaceAll(new RegExp(`(?<![\\w.])${row}\\.(?=[A-Za-z_])`, "g"), "")
    .replaceAll(/===?/g, "=")
    .replaceAll("!==", "!=");
}

/** Fails at `.filter(…)`, the parenthesis being next. */
export function failFilterParens(p: ParserState, token: Token): void {
  const open = p.skip(p.lastEnd, false);
  const filter = p.text[open] === "(" ? filterOf(p, open) : null;
  const span = p.span(token.start, token.end);
  const edits: readonly Edit[] =
    filter === null
      ? []
      : [{ span: { start: token.end, end: filter.end }, replacement: filter.form.slice(7) }];
  const form =
    filter === null ? example(".filter{…}⟦, as in .filter{‹cond›}⟧") : clip(filter.form, 120);
  p.fail(diagnose(syntaxMessages.filterParens, span, { form }, edits));
}
