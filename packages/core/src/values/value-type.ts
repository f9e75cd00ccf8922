/** Any JSON value; a number a double cannot hold exactly is kept as decimal text (CAT-014, RUN-033). */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; members are read as data, never as code. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether a JSON value is an object: neither null nor an array. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is an array; the standard test tells it of arrays that may change alone. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

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

/** How the text of a type names what is not the type's own. */
export interface TypeNames {
  readonly option: (option: string) => string;
  /** the entity that a reference is of */
  readonly reference: (target: string) => string;
}

/** The text of a declared type (TEACH-21): `str`, `open|done`, `[uuid]`, `Plot(str)`. */
export function valueTypeText(type: ValueType, names: TypeNames): string {
  switch (type.kind) {
    case "string":
      return type.semantics === "short" ? "str" : type.semantics;
    case "uuid":
    case "blob":
    case "json":
      return type.kind;
    case "number":
      return "num";
    case "integer":
      return "int";
    case "boolean":
      return "bool";
    case "date":
      return type.format === "iso8601_date" ? "date" : "datetime";
    case "select":
      return optionsText(type.options, names);
    case "multi_select":
      return `[${optionsText(type.options, names)}]`;
    case "array":
      return `[${valueTypeText(type.items, names)}]`;
    case "entity_ref":
      return names.reference(type.target);
  }
}

function optionsText(options: readonly string[], { option }: TypeNames): string {
  return options.length === 0 ? "str" : options.map(option).join("|");
}

/** Whether cells of a type may be lists. */
export const mayBeList = ({ kind }: ValueType): boolean =>
  kind === "json" || kind === "array" || kind === "multi_select";
