import type { TextRange } from "../source/span.ts";
import type { KeyPath } from "./key-path.ts";
import type { YamlNode } from "./yaml/node.ts";

/** Where a key path leads in a file: its last key, and the value under it. */
export interface Located {
  readonly key: TextRange;
  readonly value: TextRange;
}

/**
 * Follows a key path from the root of a file. Where the file has no such key (a default, a
 * shorthand), the place is that of the nearest key above.
 */
export function locate(root: YamlNode | null, path: KeyPath): Located {
  let key: TextRange = { start: 0, end: 0 };
  let node = root;
  for (const step of path) {
    const next = stepInto(node, step);
    if (next === null) break;
    key = next.key;
    node = next.node;
  }
  return { key, value: node?.at ?? key };
}

/** The node under a key path, or null if the file has none. */
export function nodeAt(root: YamlNode | null, path: KeyPath): YamlNode | null {
  let node = root;
  for (const step of path) node = stepInto(node, step)?.node ?? null;
  return node;
}

function stepInto(
  node: YamlNode | null,
  step: string | number,
): { readonly key: TextRange; readonly node: YamlNode } | null {
  if (node?.kind === "map") {
    const entry = node.entries.get(String(step));
    return entry === undefined ? null : { key: entry.keyAt, node: entry.value };
  }
  const item = node?.kind === "list" && typeof step === "number" ? node.items[step] : undefined;
  return item === undefined ? null : { key: item.at, node: item };
}
