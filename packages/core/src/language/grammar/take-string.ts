import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import type { PlaceholderValue, StringValue } from "./ast-values.ts";
import { codePointName } from "./characters.ts";
import { failString } from "../recovery/failures.ts";
import type { ParserState } from "./parser-state.ts";
import { escapeOf } from "./strings.ts";
import type { DollarToken, StringToken } from "./lexer.ts";

/** Takes a string and reports what is wrong inside it. */
export function takeString(p: ParserState, token: StringToken): StringValue {
  if (!token.closed) failString(p, token);
  for (const problem of token.problems) {
    const raw = p.text.slice(problem.start, problem.end);
    const span = p.span(problem.start, problem.end);
    if (problem.kind === "control") {
      const args = { point: codePointName(p.text, problem.start), escape: escapeOf(raw) };
      const edits = [{ span, replacement: escapeOf(raw) }];
      p.report(diagnose(textMessages.controlInString, span, args, edits));
    } else if (problem.kind === "null") {
      p.report(diagnose(textMessages.nullEscape, span, { escape: raw, doubled: `\\${raw}` }));
    } else {
      const edits = [{ span, replacement: `\\${raw}` }];
      const args = { escape: raw, doubled: `\\${raw}` };
      p.report(diagnose(textMessages.badEscape, span, args, edits));
    }
  }
  p.take(token);
  return { kind: "StringValue", text: token.value, span: p.span(token.start, token.end) };
}

/** Takes `$`; a name glued to it is no placeholder. */
export function takeDollar(p: ParserState, token: DollarToken): PlaceholderValue {
  const span = p.span(token.start, token.end);
  const glued = /^(?:\{[\w.]+\}|\w[\w.]*)/.exec(p.text.slice(token.end, token.end + 80))?.[0];
  if (glued !== undefined) {
    const name = glued.replace(/[{}]/g, "");
    const where = p.span(token.start, token.end + glued.length);
    p.fail(diagnose(syntaxMessages.dollarName, where, { found: `$${glued}`, name }));
  }
  p.take(token);
  return { kind: "PlaceholderValue", raw: "$", span };
}
