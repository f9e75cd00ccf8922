import { lazy, list, mapOf, setList } from "../shape/lists.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { boolean, integer, text, word } from "../shape/scalars.ts";
import type { Read, Shape } from "../shape/shape.ts";
import { tagged } from "../shape/tagged.ts";

const secret = { env: optional(text), hosted_kv: optional(text) };
const header = { header: required(text), prefix: withDefault(text, ""), ...secret };
const query = { param: required(text), ...secret };

/** A key that goes along with the scheme's own secret. */
const furtherKey = tagged("scheme", {
  api_key_header: { name: required(text), ...header },
  api_key_query: { name: required(text), ...query },
});

export type FurtherKeyDoc = Read<typeof furtherKey>;

const also = { also: optional(list(furtherKey)) };
const optionalSecret = { ...also, optional_env: withDefault(boolean, false) };
const bearer = { ...secret, ...optionalSecret };

/** `auth` (catalog format, section 9). */
export const auth = tagged(
  "scheme",
  {
    none: {},
    api_key_header: { ...header, ...optionalSecret },
    api_key_query: { ...query, ...optionalSecret },
    bearer_token: bearer,
    oauth_bearer: bearer,
    sigv4: { service: required(text), region: required(text), ...secret, ...also },
    oauth2_client_credentials: {
      token_url: required(text),
      client_id_env: optional(text),
      client_id_hosted_kv: optional(text),
      client_secret_env: optional(text),
      client_secret_hosted_kv: optional(text),
      scopes: withDefault(setList(text), []),
      ...also,
    },
  },
  { fallback: "none" },
);

export type AuthDoc = Read<typeof auth>;

/** `any_of` or `all_of` over scopes; exactly one of them is CAT-113's business. */
export interface ScopeRuleDoc {
  readonly any_of?: readonly (string | ScopeRuleDoc)[];
  readonly all_of?: readonly (string | ScopeRuleDoc)[];
}

const scopeItem: Shape<string | ScopeRuleDoc> = lazy("a scope, or any_of or all_of", () => ({
  expected: "a scope, or a map with any_of or all_of",
  form: { kind: "either", forms: [text.form, scopeRule.form] },
  read: (node, place, context) =>
    node.kind === "map" ? scopeRule.read(node, place, context) : text.read(node, place, context),
  canonical: (value) => (typeof value === "string" ? value : scopeRule.canonical(value)),
}));

export const scopeRule: Shape<ScopeRuleDoc> = object({
  any_of: optional(setList(scopeItem)),
  all_of: optional(setList(scopeItem)),
});

const noRules: ReadonlyMap<string, ScopeRuleDoc> = new Map();

/** `oauth` (catalog format, section 9). */
export const oauth = object({
  provider: required(text),
  issuer: optional(text),
  authorize_url: optional(text),
  token_url: optional(text),
  device_url: optional(text),
  revoke_url: optional(text),
  client_id: optional(text),
  scopes: withDefault(
    mapOf(
      object({
        label: withDefault(text, ""),
        notes: withDefault(text, ""),
        docs_url: withDefault(text, ""),
      }),
    ),
    new Map(),
  ),
  default_scope_sets: withDefault(
    mapOf(object({ description: withDefault(text, ""), scopes: withDefault(setList(text), []) })),
    new Map(),
  ),
  requirements: withDefault(
    object({
      capabilities: withDefault(mapOf(scopeRule), new Map()),
      relations: withDefault(mapOf(scopeRule), new Map()),
    }),
    { capabilities: noRules, relations: noRules },
  ),
});

export type OAuthDoc = Read<typeof oauth>;

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
