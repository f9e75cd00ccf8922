import { type Cgs, keyParts, type ValueType } from "@plasm/core";

const optionsText = (options: readonly string[]): string =>
  options.length === 0 ? "str" : options.join("|");

function referenceText(cgs: Cgs, target: string): string {
  const entity = cgs.entities.get(target);
  const parts = entity === undefined ? [] : keyParts(entity);
  const types = parts.map((part) => {
    const type = entity?.fields.get(part)?.type;
    if (type?.kind === "entity_ref") return type.target;
    return type === undefined ? "str" : typeWord(cgs, type);
  });
  return `${target}(${types.join(", ")})`;
}

/** A type as the teaching table writes it, references as `Entity(keytype)` (TEACH-21). */
export function typeWord(cgs: Cgs, type: ValueType): string {
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
      return optionsText(type.options);
    case "multi_select":
      return `[${optionsText(type.options)}]`;
    case "array":
      return `[${typeWord(cgs, type.items)}]`;
    case "entity_ref":
      return referenceText(cgs, type.target);
  }
}
