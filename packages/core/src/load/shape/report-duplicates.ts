import type { MapNode, YamlNode } from "../yaml/node.ts";
import type { Place, ReadContext } from "./shape.ts";

/** Reports each key that stands in a map twice (CAT-004). */
export function reportDuplicates(node: MapNode, place: Place, context: ReadContext): void {
  for (const { key, first, again } of node.duplicates) {
    context.report({ at: again, path: [...place.path, key] }, "CAT004", "again", {
      found: key,
      first: context.position(first),
    });
  }
}

/** Reports each key that stands twice in a map of a value of any form (CAT-004). */
export function reportDuplicatesWithin(node: YamlNode, place: Place, context: ReadContext): void {
  if (node.kind === "map") {
    reportDuplicates(node, place, context);
    for (const { key, keyAt, value } of node.entries.values()) {
      reportDuplicatesWithin(value, { path: [...place.path, key], keyAt }, context);
    }
  } else if (node.kind === "list") {
    node.items.forEach((item, at) => {
      reportDuplicatesWithin(item, { path: [...place.path, at], keyAt: item.at }, context);
    });
  }
}
