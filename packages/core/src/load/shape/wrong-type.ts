import { describeNode } from "../yaml/describe-node.ts";
import type { YamlNode } from "../yaml/node.ts";
import type { Place, ReadContext } from "./shape.ts";

/** Reports a value of the wrong YAML type (CAT-003). */
export function wrongType(
  node: YamlNode,
  place: Place,
  context: ReadContext,
  expected: string,
): undefined {
  const found = describeNode(node);
  context.report({ at: node.at, path: place.path }, "CAT003", "wrong", { found, expected });
  return undefined;
}
