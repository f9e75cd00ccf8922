import { clip } from "../../text/clip.ts";
import type { YamlNode } from "./node.ts";

/** A node as a message says what was found: `text "packed"`, `number 3`, `a list of 2`. */
export function describeNode(node: YamlNode): string {
  switch (node.kind) {
    case "text":
      return `text ${JSON.stringify(clip(node.value, 60))}`;
    case "number":
      return `number ${clip(node.source, 60)}`;
    case "boolean":
      return `boolean ${node.value}`;
    case "null":
      return "nothing (null)";
    case "list":
      return node.items.length === 0 ? "an empty list" : `a list of ${node.items.length}`;
    case "map":
      return node.entries.size === 0
        ? "an empty map"
        : `a map with ${clip([...node.entries.keys()].join(", "), 60)}`;
  }
}
