import { object, optional, required, withDefault } from "../shape/object.ts";
import { integer, text, word } from "../shape/scalars.ts";
import type { Read } from "../shape/shape.ts";

/** How long ago a request may have been signed, in seconds. */
const TOLERANCE_S = 300;
const DAY_S = 86_400;

/** An entry of `webhooks`: how an API proves that a request tells of its changes (catalog format, section 13). */
export const webhook = object({
  description: withDefault(text, ""),
  scheme: required(word(["hmac_sha256", "token"])),
  header: required(text),
  prefix: withDefault(text, ""),
  separator: optional(text),
  encoding: withDefault(word(["hex", "base64"]), "hex"),
  signed: withDefault(text, "{{ body }}"),
  secret_encoding: withDefault(word(["text", "base64"]), "text"),
  timestamp_header: optional(text),
  timestamp_prefix: optional(text),
  tolerance_seconds: withDefault(integer(1, DAY_S), TOLERANCE_S),
  id_header: optional(text),
  challenge: optional(text),
  env: optional(text),
  hosted_kv: optional(text),
});

export type WebhookDoc = Read<typeof webhook>;
