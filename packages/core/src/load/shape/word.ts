import { nameList } from "../../diagnostics/nearest-name.ts";
import { nearestText } from "../nearest-text.ts";
import { describeNode } from "../yaml/describe-node.ts";
import type { Shape } from "./shape.ts";
import { wrongType } from "./wrong-type.ts";

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
