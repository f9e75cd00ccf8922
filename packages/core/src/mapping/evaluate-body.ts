import { evaluate } from "./evaluate-expression.ts";
import { evaluateMembers } from "./evaluate-members.ts";
import { evaluateMultipart } from "./evaluate-multipart.ts";
import { type Evaluation, fail } from "./evaluation.ts";
import type { Expression } from "./expression.ts";
import type { BodyDescription } from "./request-description.ts";
import type { Json } from "../values/json.ts";
import { scalarText } from "./scalar-text.ts";
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

type Pairs = readonly (readonly [string, string])[];

/** The pairs of a form: members by their names, what they hold by names in brackets (MAP-015). */
function form(body: Expression, evaluation: Evaluation): Pairs {
  const members = evaluateMembers(body, "body", "MAP-015", evaluation);
  return members.flatMap(({ key, value, cause }) => {
    const pairs = pairsOf(key, value);
    if (pairs !== null) return pairs;
    const variable = cause();
    const message = `${variable} has null in it; only a JSON body can hold null.`;
    const place = `body.${key}`;
    fail(evaluation, { code: "argument_invalid", rule: "MAP-022", variable, place, message });
    return [];
  });
}

/** `tags=a&tags=b`, `owner[name]=x`, `items[0][price]=y`; null where a form cannot hold the value. */
function pairsOf(key: string, value: Json): Pairs | null {
  const text = scalarText(value);
  if (text !== undefined) return [[key, text]];
  if (value === null) return null;
  const items = Array.isArray(value) ? (value as readonly Json[]) : null;
  const isPlain = items !== null && items.every((item) => scalarText(item) !== undefined);
  // Within brackets a list has numbers, so that what it belongs to is told apart.
  const isRepeated = isPlain && !key.endsWith("]");
  const pairs: (readonly [string, string])[] = [];
  for (const [name, item] of Object.entries(value)) {
    const inner = pairsOf(isRepeated || key.endsWith("[]") ? key : `${key}[${name}]`, item as Json);
    if (inner === null) return null;
    pairs.push(...inner);
  }
  return pairs;
}
