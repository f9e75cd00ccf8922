import { list, normalised } from "../shape/lists.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { scalarTextShape, text, word } from "../shape/scalars.ts";
import type { Read, Shape } from "../shape/shape.ts";

/** The words of `type` (catalog format, section 4). */
export const typeWord = word(
  [
    "string",
    "uuid",
    "blob",
    "number",
    "integer",
    "boolean",
    "select",
    "multi_select",
    "date",
    "array",
    "json",
    "entity_ref",
  ],
  { float: "number", int: "integer", bool: "boolean", enum: "select", datetime: "date" },
);

const formatWord = word(["rfc3339", "iso8601_date", "unix_ms", "unix_sec"]);
const temporal = object({ temporal: required(formatWord) });

/** A wire format of dates, or `{temporal: <format>}`. */
const valueFormat: Shape<Read<typeof formatWord>> = {
  expected: formatWord.expected,
  form: { kind: "either", forms: [formatWord.form, temporal.form] },
  read: (node, place, context) =>
    node.kind === "map"
      ? temporal.read(node, place, context)?.temporal
      : formatWord.read(node, place, context),
  canonical: (value) => value,
};

const typeKeys = {
  target: optional(text),
  allowed_values: withDefault(list(scalarTextShape), []),
  value_format: optional(valueFormat),
  string_semantics: optional(word(["short", "markdown", "document", "html", "json_text", "blob"])),
};

/** The elements of an array: a value by its name, or what such a value would say. */
const items = object({ value_ref: optional(text), type: optional(typeWord), ...typeKeys });

const declared = object({
  type: required(typeWord),
  description: withDefault(text, ""),
  ...typeKeys,
  items: optional(items),
});

export type ValueDoc = Read<typeof declared>;

/** An entry of `values`; a string of semantics `blob` is a blob. */
export const value: Shape<ValueDoc> = normalised(declared, (doc) => {
  if (doc.type !== "string" || doc.string_semantics !== "blob") return doc;
  const { string_semantics: _blob, ...rest } = doc;
  return { ...rest, type: "blob" };
});

/**
 * The elements of an array as a value of their own, where they are written in place: options alone, or of
 * strings, make a select. Undefined where a value is named, or nothing is said.
 */
export function itemsValue({ items }: ValueDoc): ValueDoc | undefined {
  if (items === undefined || items.value_ref !== undefined) return undefined;
  const { value_ref: _named, type, ...rest } = items;
  const hasOptions = rest.allowed_values.length > 0;
  if (type === undefined && !hasOptions) return undefined;
  const said = type ?? "select";
  return { ...rest, type: said === "string" && hasOptions ? "select" : said, description: "" };
}
