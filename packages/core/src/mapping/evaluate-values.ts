import type { Json } from "../values/json.ts";
import type { Environment } from "./environment.ts";
import { evaluate } from "./evaluate-expression.ts";
import type { Evaluation } from "./evaluation.ts";
import type { MappingResult } from "./mapping-error.ts";
import type { PlacedExpression } from "./template-expressions.ts";

/**
 * The values of a template's expressions in order, undefined for nothing, or all that keeps them from being
 * had: what transports without a request of their own shape send (mapping format, section 5).
 */
export function evaluateValues(
  expressions: readonly PlacedExpression[],
  environment: Environment,
): MappingResult<readonly (Json | undefined)[]> {
  const evaluation: Evaluation = { environment, errors: [] };
  const value = expressions.map(({ expression, at }) =>
    evaluate(expression, at.join("."), evaluation),
  );
  const { errors } = evaluation;
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value };
}
