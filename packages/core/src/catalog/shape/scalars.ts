import type { Json } from "../../values/value-type.ts";
import { nodeToCanonical, type YamlNode } from "../yaml/node.ts";
import { type Shape, wrongType } from "./shape.ts";
import { reportDuplicatesWithin } from "./object.ts";
import { nameList } from "../../diagnostics/nearest-name.ts";
import { nearestText } from "../reporter.ts";
import { describeNode } from "../yaml/convert.ts";

/** A text. */
export const text: Shape<string> = {
  expected: "text",
  form: { kind: "text" },
  read: (node, place, context) =>
    node.kind === "text" ? node.value : wrongType(node, place, context, "text"),
  canonical: (value) => value,
};

/** A text that has to be of some kind, as a missing one is told. */
export const textThatIs = (expected: string): Shape<string> => ({ ...text, expected });

/** A text, or a number or boolean taken by its source text: an option, a key, an index. */
export const scalarTextShape: Shape<string> = {
  expected: "text",
  form: { kind: "scalar" },
  read: (node, place, context) => {
    if (node.kind === "text") return node.value;
    if (node.kind === "number") return node.source;
    return node.kind === "boolean" ? String(node.value) : wrongType(node, place, context, "text");
  },
  canonical: (value) => value,
};

export const boolean: Shape<boolean> = {
  expected: "true or false",
  form: { kind: "boolean" },
  read: (node, place, context) =>
    node.kind === "boolean" ? node.value : wrongType(node, place, context, "true or false"),
  canonical: (value) => value,
};

/** A number that a double holds. */
export const number: Shape<number> = {
  expected: "a number",
  form: { kind: "number" },
  read: (node, place, context) =>
    node.kind === "number" && typeof node.value === "number"
      ? node.value
      : wrongType(node, place, context, "a number"),
  canonical: (value) => value,
};

function wholeNumber(least: number, most: number): string {
  if (most !== Number.MAX_SAFE_INTEGER) return `a whole number from ${least} to ${most}`;
  return least === Number.MIN_SAFE_INTEGER
    ? "a whole number"
    : `a whole number of at least ${least}`;
}

/** A whole number from `least` to `most`. */
export function integer(
  least = Number.MIN_SAFE_INTEGER,
  most = Number.MAX_SAFE_INTEGER,
): Shape<number> {
  const expected = wholeNumber(least, most);
  return {
    expected,
    form: { kind: "integer", least, most },
    read: (node, place, context) => {
      const value = node.kind === "number" ? node.value : null;
      if (
        typeof value === "number" &&
        Number.isSafeInteger(value) &&
        value >= least &&
        value <= most
      ) {
        return value;
      }
      return wrongType(node, place, context, expected);
    },
    canonical: (value) => value,
  };
}

/** Any value; kept as its node, so that exact numbers stay apart from text (RUN-170). */
export const anything: Shape<YamlNode> = {
  expected: "any value",
  form: { kind: "any" },
  read: (node, place, context) => {
    reportDuplicatesWithin(node, place, context);
    return node;
  },
  canonical: (value): Json => nodeToCanonical(value),
};

/** Exactly `true`. */
export const onlyTrue: Shape<true> = {
  expected: "true",
  form: { kind: "true" },
  read: (node, place, context) =>
    node.kind === "boolean" && node.value ? true : wrongType(node, place, context, "true"),
  canonical: (value) => value,
};

/**
 * One of the words the format lists (CAT-002); `synonyms` lead to their long form.
 */
export function word<const W extends string>(
  words: readonly W[],
  synonyms: Readonly<Record<string, W>> = {},
): Shape<W> {
  const long = new Map<string, W>([
    ...words.map((each) => [each, each] as const),
    ...Object.entries(synonyms),
  ]);
  const expected = `one of ${[...long.keys()].join(", ")}`;
  return {
    expected,
    form: { kind: "words", words: [...long.keys()] },
    read: (node, place, context) => {
      if (node.kind !== "text") return wrongType(node, place, context, expected);
      const value = long.get(node.value);
      if (value !== undefined) return value;
      const names = [...long.keys()];
      context.report({ at: node.at, path: place.path }, "CAT002", "unknown", {
        found: describeNode(node),
        nearest: nearestText(node.value, names),
        allowed: nameList(names, node.value),
      });
      return undefined;
    },
    canonical: (value) => value,
  };
}
