import { list } from "../shape/list.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { onlyTrue, scalarText, text } from "../shape/scalars.ts";
import { tagged } from "../shape/tagged.ts";
import { word } from "../shape/word.ts";
import { expression } from "./expression-shape.ts";

const segment = tagged("type", {
  literal: { value: required(scalarText), joined: optional(onlyTrue) },
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

/** The keys of a request's body. */
export const bodyKeys = {
  body: optional(expression),
  body_format: withDefault(word(["json", "form_urlencoded", "multipart"]), "json"),
  multipart: optional(
    object({
      parts: required(
        list(
          object({
            name: required(text),
            file_name: optional(expression),
            content_type: optional(expression),
            content: required(expression),
          }),
        ),
      ),
    }),
  ),
  idempotency: optional(object({ header: required(text) })),
};
