import { keyPath, list, mapOf } from "../shape/lists.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { anything, integer, onlyTrue, scalarTextShape, text, word } from "../shape/scalars.ts";
import { tagged } from "../shape/tagged.ts";
import { expression } from "./expression-shape.ts";
import type { Read } from "../shape/shape.ts";

const segment = tagged("type", {
  literal: { value: required(scalarTextShape), joined: optional(onlyTrue) },
  var: {
    name: required(text),
    suffix: withDefault(text, ""),
    encode: withDefault(word(["segment", "path"]), "segment"),
    joined: optional(onlyTrue),
  },
});

/** `path` of a request (MAP-010). */
export const path = list(segment);

/** The keys of a request before its body. */
export const requestKeys = {
  method: required(word(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])),
  path: required(path),
  query: optional(expression),
  headers: optional(expression),
};

/** A member of `query_numbered` (MAP-026). */
export const numberedMember = object({
  list: optional(text),
  flat: optional(onlyTrue),
  name: optional(text),
  map: optional(text),
});

/** The keys of a request's body. */
export const bodyKeys = {
  body: optional(expression),
  body_format: withDefault(word(["json", "form_urlencoded", "multipart", "binary"]), "json"),
  multipart: optional(
    object({
      parts: required(
        list(
          object({
            name: required(text),
            file_name: optional(expression),
            content_type: optional(expression),
            content: required(expression),
            repeat: optional(onlyTrue),
          }),
        ),
      ),
    }),
  ),
  idempotency: optional(object({ header: required(text) })),
};

/** `pagination` (mapping format, section 4); which forms go together is MAP-040's business. */
export const pagination = object({
  params: withDefault(
    mapOf(
      object({
        counter: optional(integer()),
        step: optional(integer()),
        assumed: optional(word(["omit", "send"])),
        fixed: optional(anything),
        usual: optional(integer()),
        size: optional(object({ usual: optional(integer()), most: optional(integer()) })),
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
