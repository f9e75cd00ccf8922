import type { Json } from "../../values/json.ts";
import type { Form } from "./form.ts";
import { entryOf, type Keys, object, type ObjectOf, type ObjectOptions } from "./object.ts";
import type { Shape } from "./shape.ts";

/** What a map reads as whose word is the name of a registered function. */
export type FunctionOf<K extends Keys> = {
  readonly kind: "function";
  readonly function: string;
} & ObjectOf<K>;

/** A map told apart by `kind`, whose word may be the name of a registered function, too (RUN-105). */
export function orFunction<T extends { readonly kind: string }, const K extends Keys>(
  core: Shape<T>,
  keys: K,
  options: ObjectOptions = {},
): Shape<T | FunctionOf<K>> {
  const called = object(keys, { ...options, also: ["kind"] });
  return {
    expected: core.expected,
    form: withCalled(core.form, called.form),
    read: (node, place, context) => {
      const kind = entryOf(node, "kind")?.value;
      if (kind?.kind !== "text" || !context.functions.includes(kind.value)) {
        return core.read(node, place, context);
      }
      const read = called.read(node, place, context);
      return read && { kind: "function", function: kind.value, ...read };
    },
    canonical: (value) => {
      if (!isCall(value)) return core.canonical(value);
      const rest = called.canonical(value) as Readonly<Record<string, Json>>;
      return { kind: value.function, ...rest };
    },
  };
}

/** The form of a tagged map whose word may be the name of a registered function. */
export const withCalled = (form: Form, called: Form): Form =>
  form.kind === "tagged" ? { ...form, called } : form;

/** No form has the kind `function`: a call alone reads as it. */
function isCall<T extends { readonly kind: string }, C extends { readonly kind: "function" }>(
  value: T | C,
): value is C {
  return value.kind === "function";
}
