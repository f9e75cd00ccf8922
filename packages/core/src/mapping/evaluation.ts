import type { MappingError } from "./template.ts";
import type { Json } from "../values/value-type.ts";

/**
 * A function that catalogs call by name (RUN-105): pure in its arguments and the bound variables.
 * An argument that is nothing comes as undefined; so may the value.
 */
export type ExpressionFunction = (
  args: readonly (Json | undefined)[],
  bindings: ReadonlyMap<string, Json>,
) => { readonly value: Json | undefined } | { readonly error: string };

/** What a template is evaluated against. */
export interface EvaluationEnvironment {
  /** Bound variables; one bound to null is explicit null (MAP-022). */
  readonly bindings: ReadonlyMap<string, Json>;
  /** Declared optional parameters: unbound they are nothing, any other unbound name is an error. */
  readonly optional: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, ExpressionFunction>;
}

/** One evaluation: its environment, and the errors it found so far. */
export interface Evaluation {
  readonly environment: EvaluationEnvironment;
  readonly errors: MappingError[];
}

/** Notes an error and gives nothing, so that the rest is still evaluated. */
export function noteError(evaluation: Evaluation, error: MappingError): undefined {
  evaluation.errors.push(error);
  return undefined;
}
