import type { Json } from "../../values/json.ts";
import type { YamlNode } from "./node.ts";

/** A node as JSON; a number beyond a double is its decimal text (CAT-014). */
export function nodeToJson(node: YamlNode): Json {
  return convert(node, (text) => text);
}

/** A node as the digest sees it: a number beyond a double is `{"$num": "<text>"}` (RUN-170). */
export function nodeToCanonical(node: YamlNode): Json {
  return convert(node, (text) => ({ $num: text }));
}

function convert(node: YamlNode, exact: (text: string) => Json): Json {
  switch (node.kind) {
    case "null":
      return null;
    case "text":
    case "boolean":
      return node.value;
    case "number":
      return typeof node.value === "string" ? exact(node.value) : node.value;
    case "list":
      return node.items.map((item) => convert(item, exact));
    case "map":
      return Object.fromEntries(
        [...node.entries].map(([key, entry]) => [key, convert(entry.value, exact)]),
      );
  }
}
