/** How a date is written on the wire (catalog format, section 4). */
export type TemporalFormat = "rfc3339" | "iso8601_date" | "unix_ms" | "unix_sec";

/** What the text of a `string` value is; `blob` is a type of its own. */
export type StringSemantics = "short" | "markdown" | "document" | "html" | "json_text";

/**
 * The declared type of a field, parameter or input, with synonyms and value references resolved.
 * `target` of an entity_ref is an entity of the same catalog; `options` of a select may be empty,
 * then any text is accepted (CAT-032).
 */
export type ValueType =
  | { readonly kind: "string"; readonly semantics: StringSemantics }
  | { readonly kind: "uuid" }
  | { readonly kind: "blob" }
  | { readonly kind: "number" }
  | { readonly kind: "integer" }
  | { readonly kind: "boolean" }
  | { readonly kind: "select"; readonly options: readonly string[] }
  | { readonly kind: "multi_select"; readonly options: readonly string[] }
  | { readonly kind: "date"; readonly format: TemporalFormat }
  | { readonly kind: "array"; readonly items: ValueType }
  | { readonly kind: "json" }
  | { readonly kind: "entity_ref"; readonly target: string };

export type ValueKind = ValueType["kind"];

/** The type of what a list holds; any other type is its own. */
export function elementType(type: ValueType): ValueType {
  if (type.kind === "array") return type.items;
  return type.kind === "multi_select" ? { kind: "select", options: type.options } : type;
}
