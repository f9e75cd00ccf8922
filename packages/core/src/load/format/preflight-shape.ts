import { keyPath } from "../shape/list.ts";
import { mapOf } from "../shape/map-of.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { anything, text } from "../shape/scalars.ts";
import type { Read } from "../shape/shape.ts";
import { tagged } from "../shape/tagged.ts";

const fromPreflight = object({ prefix: required(text), path: required(keyPath) });

/** A step of `preflight` (catalog format, section 11). */
export const preflightStep = tagged("kind", {
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
});

export type PreflightDoc = Read<typeof preflightStep>;
