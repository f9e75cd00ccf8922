import type { YamlNode } from "../yaml/node.ts";
import { reportDuplicates } from "./report-duplicates.ts";
import type { Place, ReadContext, Shape } from "./shape.ts";
import { wrongType } from "./wrong-type.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface MapOptions {
  /** The keys are names (CAT-017); such starting `x-` are ignored (CAT-001). */
  readonly names?: boolean;
  /** The keys are the author's own words: such starting `x-` are ignored (CAT-001). */
  readonly own?: boolean;
}

/** A map from names the author chooses; broken entries are reported and left out. */
export function mapOf<T>(value: Shape<T>, options: MapOptions = {}): Shape<ReadonlyMap<string, T>> {
  const expected = `a map of names, each ${value.expected}`;
  return {
    expected,
    form: {
      kind: "map",
      each: value.form,
      names: options.names === true,
      own: options.names === true || options.own === true,
    },
    read: (node, place, context) => {
      if (node.kind !== "map") return wrongType(node, place, context, expected);
      reportDuplicates(node, place, context);
      const result = new Map<string, T>();
      const own = options.names === true || options.own === true;
      for (const entry of node.entries.values()) {
        if (own && entry.key.startsWith("x-")) continue;
        const inner = { path: [...place.path, entry.key], keyAt: entry.keyAt };
        if (options.names === true) checkName(entry.key, inner, context);
        const read = value.read(entry.value, inner, context);
        if (read !== undefined) result.set(entry.key, read);
      }
      return result;
    },
    canonical: (map) =>
      Object.fromEntries([...map].map(([key, entry]) => [key, value.canonical(entry)])),
  };
}

/** Reports a key that is no name (CAT-017). */
function checkName(name: string, place: Place, context: ReadContext): void {
  if (NAME.test(name)) return;
  const found = JSON.stringify(name);
  context.report({ at: place.keyAt, path: place.path }, "CAT017", "form", { found });
}

/** A name (CAT-017). */
export const name: Shape<string> = {
  expected: "a name",
  form: { kind: "name" },
  read: (node: YamlNode, place, context) => {
    if (node.kind !== "text") return wrongType(node, place, context, "a name");
    checkName(node.value, { path: place.path, keyAt: node.at }, context);
    return node.value;
  },
  canonical: (value) => value,
};
