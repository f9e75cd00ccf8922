import type { Json, ValueType } from "../values/value-type.ts";
import { testValue } from "../values/test-value.ts";

/** What a field must be before an effect: one value, one of some, none of some, or known to be there. */
export type PreconditionTest =
  | { readonly op: "eq"; readonly value: Json }
  | { readonly op: "in" | "not_in"; readonly values: readonly Json[] }
  | { readonly op: "exists"; readonly exists: boolean };

/**
 * What must hold of a row before an effect, as the API demands it (catalog format, section 7): `status must
 * be pending`. The row is the one that the effect is called on or, with `param`, the one that this argument
 * refers to.
 */
export interface Precondition {
  readonly param?: string;
  readonly field: string;
  readonly test: PreconditionTest;
  readonly description: string;
}

/** Whether a value of a field meets a precondition; null meets `not_in` and `exists: false` (RUN-113). */
export function meetsPrecondition(test: PreconditionTest, value: Json, type: ValueType): boolean {
  const own = (each: Json): Json => typed(each, type);
  switch (test.op) {
    case "eq":
      return testValue(value, "=", own(test.value), type);
    case "in":
      return testValue(value, "in", test.values.map(own), type);
    case "not_in":
      return !testValue(value, "in", test.values.map(own), type);
    case "exists":
      return (value !== null) === test.exists;
  }
}

/** An option that YAML reads as a number or a boolean is text, as it is in `allowed_values`. */
function typed(value: Json, { kind }: ValueType): Json {
  const scalar = typeof value === "number" || typeof value === "boolean";
  return kind === "select" && scalar ? String(value) : value;
}
