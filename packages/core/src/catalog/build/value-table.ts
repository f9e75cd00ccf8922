import type { ValueType } from "../../values/value-type.ts";
import { itemsValue, type ValueDoc } from "../format/value-shape.ts";

/** The types and default descriptions of a catalog's `values`. */
export interface ResolvedValues {
  /** The type of a value; json for an unknown name, which CAT-005 reports. */
  typeOf(name: string): ValueType;
  descriptionOf(name: string): string;
}

/** Resolves `values`. What CAT-030 to CAT-035 report gets the mildest type that fits. */
export function resolveValues(values: ReadonlyMap<string, ValueDoc>): ResolvedValues {
  const typeOf = (name: string): ValueType => {
    const doc = values.get(name);
    return doc === undefined ? { kind: "json" } : valueType(doc, values);
  };
  return { typeOf, descriptionOf: (name) => values.get(name)?.description ?? "" };
}

function valueType(doc: ValueDoc, values: ReadonlyMap<string, ValueDoc>): ValueType {
  switch (doc.type) {
    case "array": {
      const named = doc.items?.value_ref;
      const element = named === undefined ? itemsValue(doc) : values.get(named);
      const known = element !== undefined && element.type !== "array";
      return { kind: "array", items: known ? valueType(element, values) : { kind: "json" } };
    }
    case "entity_ref":
      return { kind: "entity_ref", target: doc.target ?? "" };
    case "date":
      return { kind: "date", format: doc.value_format ?? "rfc3339" };
    default:
      return plainType(doc.type, doc.allowed_values, doc.string_semantics);
  }
}

/** The type a word alone says; `value` inputs have no more than that (catalog format, section 8). */
export function plainType(
  type: ValueDoc["type"],
  options: readonly string[],
  semantics?: ValueDoc["string_semantics"],
): ValueType {
  switch (type) {
    case "string":
      return { kind: "string", semantics: semantics === "blob" ? "short" : (semantics ?? "short") };
    case "select":
    case "multi_select":
      return { kind: type, options };
    case "date":
      return { kind: "date", format: "rfc3339" };
    case "array":
      return { kind: "array", items: { kind: "json" } };
    case "entity_ref":
      return { kind: "json" };
    default:
      return { kind: type };
  }
}
