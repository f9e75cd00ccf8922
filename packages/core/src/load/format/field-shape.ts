import { nearestText } from "../nearest-text.ts";
import { keyPath, list } from "../shape/list.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { boolean, integer, text, textThatIs } from "../shape/scalars.ts";
import type { Place, Read, ReadContext } from "../shape/shape.ts";
import { tagged } from "../shape/tagged.ts";
import { word } from "../shape/word.ts";
import { describeNode } from "../yaml/describe-node.ts";
import type { YamlNode } from "../yaml/node.ts";

const DERIVE_KINDS: Readonly<Record<string, string>> = {
  segments_after_prefix: "prefix, alternate_prefixes, part_index",
  name_value_array_lookup: "equals, match_key_field, value_field, case_insensitive",
  object_key_lookup: "key, case_insensitive",
  colon_pair_prefer_keys_else_block_refs: "prefer_keys, blocks_key, ref_field, segment",
};

function missingDeriveKey(place: Place, context: ReadContext, key: string): void {
  const allowed = Object.entries(DERIVE_KINDS).map(([kind, keys]) => `${kind}{${keys}}`);
  const at = { at: place.keyAt, path: [...place.path, key] };
  context.report(at, "CAT046", "missing", { key, allowed: allowed.join("; ") });
}

function unknownDerive(
  node: YamlNode,
  place: Place,
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
  description: optional(text),
  path: optional(keyPath),
  derive: optional(derive),
  agent_presentation: withDefault(word(["default", "reference_only", "lossy"]), "default"),
  mime_type_hint: optional(text),
  attachment_media: optional(word(["generic", "image", "audio", "video", "document"])),
});

export type FieldDoc = Read<typeof field>;
