import { evaluate } from "./evaluate-expression.ts";
import { evaluateMembers } from "./evaluate-members.ts";
import { evaluateMultipart } from "./evaluate-multipart.ts";
import { type Evaluation, fail } from "./evaluation.ts";
import type { Expression } from "./expression.ts";
import type { BodyDescription } from "./request-description.ts";
import { describeValue, scalarText } from "./scalar-text.ts";
import type { HttpTemplate } from "./template.ts";

/** The body of a request, or undefined if it has none (MAP-015 to MAP-017, MAP-022). */
export function evaluateBody(
  template: HttpTemplate,
  evaluation: Evaluation,
): BodyDescription | undefined {
  switch (template.bodyFormat) {
    case "json": {
      const value = template.body && evaluate(template.body, "body", evaluation);
      return value === undefined ? undefined : { format: "json", value };
    }
    case "form_urlencoded":
      return template.body && { format: "form_urlencoded", pairs: form(template.body, evaluation) };
    case "multipart":
      return {
        format: "multipart",
        parts: evaluateMultipart(template.multipart ?? [], evaluation),
      };
  }
}

function form(body: Expression, evaluation: Evaluation): readonly (readonly [string, string])[] {
  const members = evaluateMembers(body, "body", "MAP-015", evaluation);
  return members.flatMap(({ key, value, cause }) => {
    const text = scalarText(value);
    if (text !== undefined) return [[key, text] as const];
    const variable = cause();
    const message = `${variable} is ${describeValue(value)}; a form takes strings, numbers and booleans.`;
    const place = `body.${key}`;
    fail(evaluation, {
      code: "argument_invalid",
      rule: "MAP-015",
      variable,
      place,
      message,
    });
    return [];
  });
}
