import { canonicalJson } from "../../hash/canonical-json.ts";
import { compareCodePoints } from "../../text/compare-code-points.ts";
import type { Json } from "../../values/json.ts";
import { scalarText } from "./scalars.ts";
import type { Shape } from "./shape.ts";
import { wrongType } from "./wrong-type.ts";

/** A list; broken elements are reported and left out. */
export function list<T>(element: Shape<T>): Shape<readonly T[]> {
  const expected = `a list, each ${element.expected}`;
  return {
    expected,
    form: { kind: "list", each: element.form },
    read: (node, place, context) => {
      if (node.kind !== "list") return wrongType(node, place, context, expected);
      return node.items.flatMap((item, at) => {
        const value = element.read(item, { path: [...place.path, at], keyAt: item.at }, context);
        return value === undefined ? [] : [value];
      });
    },
    canonical: (value) => value.map((item) => element.canonical(item)),
  };
}

/** A list whose order and repetition have no meaning: the digest sees it sorted and distinct (RUN-170). */
export function setList<T>(element: Shape<T>): Shape<readonly T[]> {
  const ordered = list(element);
  return {
    ...ordered,
    canonical: (value) => {
      const byText = new Map<string, Json>();
      for (const item of value) {
        const canonical = element.canonical(item);
        byText.set(canonicalJson(canonical), canonical);
      }
      return [...byText].sort(([a], [b]) => compareCodePoints(a, b)).map(([, item]) => item);
    },
  };
}

const PATH = "a path: a list of keys, or dotted text";
const keys = list(scalarText);

/** A path of keys: a list, or dotted text. */
export const keyPath: Shape<readonly string[]> = {
  expected: PATH,
  form: { kind: "either", forms: [keys.form, { kind: "text" }, { kind: "number" }] },
  read: (node, place, context) => {
    if (node.kind === "list") return keys.read(node, place, context);
    if (node.kind === "number") return node.source.split(".");
    if (node.kind !== "text" || node.value === "") return wrongType(node, place, context, PATH);
    return node.value.split(".");
  },
  canonical: (value) => value,
};
