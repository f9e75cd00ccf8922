import { nearestText } from "../reporter.ts";
import { keyPath, list, mapOf, setList } from "../shape/lists.ts";
import { object, optional, required, requiredOr, withDefault } from "../shape/object.ts";
import {
  boolean,
  integer,
  number,
  onlyTrue,
  scalarTextShape,
  text,
  textThatIs,
  word,
} from "../shape/scalars.ts";
import type { NodePlace, Read, ReadContext, Shape } from "../shape/shape.ts";
import { tagged } from "../shape/tagged.ts";
import { describeNode } from "../yaml/convert.ts";
import type { YamlNode } from "../yaml/node.ts";
import { auth, oauth, webhook } from "./auth-shape.ts";
import { capability } from "./capability-shape.ts";
import { responseDefaults } from "./response-shape.ts";
import { value } from "./value-shape.ts";
import { overlay, view } from "./view-shape.ts";

const DERIVE_KINDS: Readonly<Record<string, string>> = {
  segments_after_prefix: "prefix, alternate_prefixes, part_index",
  name_value_array_lookup: "equals, match_key_field, value_field, case_insensitive",
  object_key_lookup: "key, case_insensitive",
  colon_pair_prefer_keys_else_block_refs: "prefer_keys, blocks_key, ref_field, segment",
};

function missingDeriveKey(place: NodePlace, context: ReadContext, key: string): void {
  const allowed = Object.entries(DERIVE_KINDS).map(([kind, keys]) => `${kind}{${keys}}`);
  const at = { at: place.keyAt, path: [...place.path, key] };
  context.report(at, "CAT046", "missing", { key, allowed: allowed.join("; ") });
}

function unknownDerive(
  node: YamlNode,
  place: NodePlace,
  context: ReadContext,
  words: readonly string[],
): boolean {
  const allowed = words.map((kind) => `${kind}{${DERIVE_KINDS[kind] ?? ""}}`).join("; ");
  const found = describeNode(node);
  const nearest = nearestText(node.kind === "text" ? node.value : "", words);
  context.report({ at: node.at, path: place.path }, "CAT046", "kind", { found, nearest, allowed });
  return true;
}

export const derive = tagged(
  "type",
  {
    segments_after_prefix: {
      prefix: required(text),
      alternate_prefixes: withDefault(list(text), []),
      part_index: withDefault(integer(0), 0),
    },
    name_value_array_lookup: {
      equals: required(text),
      match_key_field: withDefault(text, "name"),
      value_field: withDefault(text, "value"),
      case_insensitive: withDefault(boolean, false),
    },
    object_key_lookup: { key: required(text), case_insensitive: withDefault(boolean, false) },
    colon_pair_prefer_keys_else_block_refs: {
      prefer_keys: required(list(text)),
      blocks_key: required(text),
      ref_field: withDefault(text, "ref"),
      segment: required(text),
    },
  },
  { missing: missingDeriveKey, unknownWord: unknownDerive },
);

export type DeriveDoc = Read<typeof derive>;

/** An entry of an entity's `fields` (catalog format, section 5). */
export const field = object({
  value_ref: required(textThatIs("the name of an entry of values")),
  required: withDefault(boolean, false),
  detail: optional(boolean),
  description: optional(text),
  path: optional(keyPath),
  derive: optional(derive),
  agent_presentation: withDefault(word(["default", "reference_only", "lossy"]), "default"),
  mime_type_hint: optional(text),
  attachment_media: optional(word(["generic", "image", "audio", "video", "document"])),
});

export type FieldDoc = Read<typeof field>;

const bindings = { capability: required(text), bindings: required(mapOf(text)) };

export const materialize = tagged("kind", {
  unavailable: {},
  from_parent_get: {
    path: required(list(object({ key: optional(scalarTextShape), wildcard: optional(onlyTrue) }))),
    key_into: optional(scalarTextShape),
    value_into: optional(scalarTextShape),
  },
  query_scoped: { capability: required(text), param: required(text) },
  query_scoped_bindings: bindings,
  get_scoped_bindings: bindings,
});

export type MaterializeDoc = Read<typeof materialize>;

/** An entry of an entity's `relations` (catalog format, section 6). */
export const relation = object({
  target: required(text),
  cardinality: required(word(["one", "many"])),
  description: withDefault(text, ""),
  materialize: withDefault(materialize, { kind: "unavailable" }),
  discovery: withDefault(
    object({
      qualifier_terms: withDefault(setList(text), []),
      traversal_weight: optional(number),
    }),
    { qualifier_terms: [] },
  ),
});

export type RelationDoc = Read<typeof relation>;

const noTerms: readonly string[] = [];

/** An entry of `entities` (catalog format, section 5). */
export const entity = object({
  description: withDefault(text, ""),
  id_field: optional(text),
  id_from: optional(keyPath),
  id_format: optional(word(["slug", "uuid", "integer", "email", "other"])),
  key_vars: withDefault(list(text), []),
  implicit_request_identity: withDefault(boolean, false),
  fields: requiredOr(mapOf(field, { names: true }), new Map()),
  relations: withDefault(mapOf(relation, { names: true }), new Map()),
  expression_aliases: withDefault(setList(text), []),
  abstract: withDefault(boolean, false),
  domain_projection_examples: withDefault(boolean, true),
  primary_read: optional(text),
  primary_query: optional(text),
  primary_search: optional(text),
  discovery: withDefault(
    object(
      {
        names: withDefault(setList(text), []),
        qualifier_names: withDefault(setList(text), []),
      },
      { synonyms: { qualifier_terms: "qualifier_names" } },
    ),
    { names: noTerms, qualifier_names: noTerms },
  ),
});

export type EntityDoc = Read<typeof entity>;

/** Whether rows have a key: those of an abstract entity without a word of one stand in other rows alone (CAT-040). */
export function declaresKey(doc: EntityDoc): boolean {
  const said = doc.id_field ?? doc.id_from ?? doc.key_vars[0];
  return (
    !doc.abstract || said !== undefined || doc.implicit_request_identity || doc.fields.has("id")
  );
}

const originMap = object({ origin: required(text), send_auth: withDefault(boolean, false) });

/** An origin as text, or with the right to credentials. */
const allowedOrigin: Shape<Read<typeof originMap>> = {
  expected: "an origin, or a map with origin, send_auth",
  form: { kind: "either", forms: [text.form, originMap.form] },
  read: (node, place, context) =>
    node.kind === "text"
      ? { origin: node.value, send_auth: false }
      : originMap.read(node, place, context),
  canonical: (value) => originMap.canonical(value),
};

const domainKeys = {
  version: withDefault(integer(0), 0),
  http_backend: requiredOr(text, ""),
  auth: withDefault(auth, { scheme: "none" }),
  oauth: optional(oauth),
  values: withDefault(mapOf(value, { own: true }), new Map()),
  entities: requiredOr(mapOf(entity, { names: true }), new Map()),
  capabilities: requiredOr(mapOf(capability, { names: true }), new Map()),
  views: withDefault(mapOf(view, { own: true }), new Map()),
  schema_overlay: optional(overlay),
  webhooks: withDefault(mapOf(webhook, { names: true }), new Map()),
  registry_aliases: withDefault(setList(text), []),
  label: withDefault(text, ""),
  tags: withDefault(setList(text), []),
  description: withDefault(text, ""),
  response_defaults: optional(responseDefaults),
  allow_origins: withDefault(setList(allowedOrigin), []),
  not_done_statuses: withDefault(setList(integer(429, 599)), []),
} as const;

/** domain.yaml (catalog format, section 3); `mappings` in it are read for themselves (CAT-010). */
export const domain = object(domainKeys, { also: ["mappings"] });

export type DomainDoc = Read<typeof domain>;
