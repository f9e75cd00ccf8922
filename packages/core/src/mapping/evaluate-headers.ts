import { evaluateMembers } from "./evaluate-members.ts";
import { type Evaluation, fail } from "./evaluation.ts";
import type { Expression } from "./expression.ts";
import { describeValue, scalarText } from "./scalar-text.ts";

/**
 * The headers of a request (MAP-014): blank values are dropped, numbers and booleans become text,
 * of one name (case ignored) the last stays.
 */
export function evaluateHeaders(
  expression: Expression | undefined,
  evaluation: Evaluation,
): readonly (readonly [string, string])[] {
  const headers = new Map<string, readonly [string, string]>();
  for (const { key, value, cause } of evaluateMembers(
    expression,
    "headers",
    "MAP-014",
    evaluation,
  )) {
    const text = scalarText(value);
    const problem = text === undefined ? `is ${describeValue(value)}` : textProblem(key, text);
    if (problem !== undefined) {
      const variable = cause();
      const message = `${variable} ${problem}; a header takes one line of text, a number or a boolean.`;
      const place = `headers.${key}`;
      fail(evaluation, {
        code: "argument_invalid",
        rule: "MAP-014",
        variable,
        place,
        message,
      });
    } else if (text !== undefined && text.trim() !== "") {
      headers.set(key.toLowerCase(), [key, text]);
    }
  }
  return [...headers.values()];
}

/** What HTTP lets stand in a header: nothing else can be sent. */
const CARRIED = /^[\t\x20-\x7e\x80-\xff]*$/;

function textProblem(key: string, text: string): string | undefined {
  if (/[\r\n\0]/.test(key + text)) return "holds a line break or NUL";
  return CARRIED.test(text) ? undefined : "holds a character beyond Latin-1, or a control";
}
