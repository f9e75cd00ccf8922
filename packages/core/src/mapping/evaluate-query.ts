import type { Json } from "../values/json.ts";
import { evaluateMembers } from "./evaluate-members.ts";
import { type Evaluation, fail } from "./evaluation.ts";
import type { Expression } from "./expression.ts";
import { scalarText } from "./scalar-text.ts";

type Pairs = readonly (readonly [string, string])[];

/**
 * The query of a request (MAP-013): nothing and empty arrays are dropped, arrays repeat the key,
 * objects are JSON text.
 */
export function evaluateQuery(expression: Expression | undefined, evaluation: Evaluation): Pairs {
  const members = evaluateMembers(expression, "query", "MAP-013", evaluation);
  return members.flatMap(({ key, value, cause }): Pairs => {
    const items = Array.isArray(value) ? (value as readonly Json[]) : [value];
    if (items.includes(null)) {
      const variable = cause();
      const message = `${variable} has a null element, which a query cannot hold.`;
      const place = `query.${key}`;
      fail(evaluation, {
        code: "argument_invalid",
        rule: "MAP-022",
        variable,
        place,
        message,
      });
      return [];
    }
    return items.map((item) => [key, scalarText(item) ?? JSON.stringify(item)] as const);
  });
}
