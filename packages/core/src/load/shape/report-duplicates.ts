import type { MapNode } from "../yaml/node.ts";
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
