import type { ValueType } from "./value-type.ts";

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
