import { keyPath } from "../shape/list.ts";
import { mapOf } from "../shape/map-of.ts";
import { object, optional, withDefault } from "../shape/object.ts";
import { anything, integer, onlyTrue, text } from "../shape/scalars.ts";
import type { Read } from "../shape/shape.ts";
import { word } from "../shape/word.ts";

/** `pagination` (mapping format, section 4); which forms go together is MAP-040's business. */
export const pagination = object({
  params: withDefault(
    mapOf(
      object({
        counter: optional(integer()),
        step: optional(integer()),
        fixed: optional(anything),
        from_response: optional(text),
        from_last: optional(text),
      }),
    ),
    new Map(),
  ),
  location: withDefault(
    word(["query", "body", "link_header", "response_next_url", "block_range"]),
    "query",
  ),
  body_merge_path: withDefault(keyPath, []),
  response_prefix: withDefault(keyPath, []),
  stop_when: optional(
    object({ field: optional(text), eq: optional(anything), absent: optional(onlyTrue) }),
  ),
  response_next_url_field: withDefault(text, "@odata.nextLink"),
});

export type PaginationDoc = Read<typeof pagination>;

/** The keys that a mapping of any transport may page with. */
export const pagingKeys = { pagination: optional(pagination) };
