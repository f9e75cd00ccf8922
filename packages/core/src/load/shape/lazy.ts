import type { Shape } from "./shape.ts";

/** A shape that contains itself. */
export function lazy<T>(expected: string, shape: () => Shape<T>): Shape<T> {
  return {
    expected,
    form: { kind: "later", form: () => shape().form },
    read: (node, place, context) => shape().read(node, place, context),
    canonical: (value) => shape().canonical(value),
  };
}

/** A shape with another long form: shorthands and synonyms become it when read. */
export function normalised<T>(shape: Shape<T>, normalise: (value: T) => T): Shape<T> {
  return {
    expected: shape.expected,
    form: shape.form,
    read: (node, place, context) => {
      const value = shape.read(node, place, context);
      return value === undefined ? undefined : normalise(value);
    },
    canonical: (value) => shape.canonical(value),
  };
}
