import { nameList } from "../../diagnostics/nearest-name.ts";
import { nearestText } from "../nearest-text.ts";
import { keyPath, list } from "../shape/list.ts";
import { mapOf } from "../shape/map-of.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { orFunction } from "../shape/or-function.ts";
import { anything, text } from "../shape/scalars.ts";
import type { Place, Read, ReadContext } from "../shape/shape.ts";
import { tagged } from "../shape/tagged.ts";
import { describeNode } from "../yaml/describe-node.ts";
import type { YamlNode } from "../yaml/node.ts";

const fromPreflight = object({ prefix: required(text), path: required(keyPath) });

/** The format's kinds, and the functions that are registered (CAT-002, RUN-105). */
function unknownKind(
  node: YamlNode,
  { path }: Place,
  { report, functions }: ReadContext,
  words: readonly string[],
): boolean {
  if (node.kind !== "text") return false;
  const all = [...words, ...functions];
  report({ at: node.at, path }, "CAT002", "unknown", {
    found: describeNode(node),
    nearest: nearestText(node.value, all),
    allowed: nameList(all, node.value),
  });
  return true;
}

const kinds = {
  hydrate_invoke_target: { get: required(text), prefix: required(text) },
  hydrate_entity_ref_param: {
    param: required(text),
    get: required(text),
    merge: required(mapOf(text)),
  },
  query_pick: {
    when: optional(text),
    query: required(text),
    scope: withDefault(
      mapOf(
        object({
          from_param: optional(text),
          from_preflight: optional(fromPreflight),
          literal: optional(anything),
        }),
      ),
      new Map(),
    ),
    pick: required(object({ field: required(text), equals_param: required(text) })),
    merge: required(mapOf(text)),
  },
  label_ids_delta: {
    add_when: required(text),
    remove_when: required(text),
    lookup: required(text),
    from_preflight: required(fromPreflight),
    merge: withDefault(text, "labelIds"),
  },
} as const;

/** A step of `preflight` (catalog format, section 11), or a registered function (RUN-105). */
export const preflightStep = orFunction(tagged("kind", kinds, { unknownWord: unknownKind }), {
  when: optional(text),
  params: withDefault(list(text), []),
  merge: required(mapOf(text)),
});

export type PreflightDoc = Read<typeof preflightStep>;
