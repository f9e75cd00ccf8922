import type { Json } from "../values/json.ts";

/**
 * A function that catalogs call by name (RUN-105): pure in its arguments and the bound variables.
 * An argument that is nothing comes as undefined; so may the value.
 */
export type ExpressionFunction = (
  args: readonly (Json | undefined)[],
  bindings: ReadonlyMap<string, Json>,
) => { readonly value: Json | undefined } | { readonly error: string };

/** What a template is evaluated against. */
export interface Environment {
  /** Bound variables; one bound to null is explicit null (MAP-022). */
  readonly bindings: ReadonlyMap<string, Json>;
  /** Declared optional parameters: unbound they are nothing, any other unbound name is an error. */
  readonly optional: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, ExpressionFunction>;
}
