import type { ValueType } from "@plasm/core";

const TEXT: ValueType = Object.freeze({ kind: "string", semantics: "short" });

/**
 * The declared type behind a word of the teaching table (TEACH-21), as far as comparing cells needs
 * it; what a plan says of a column that no catalog declares.
 */
export function wordType(word: string): ValueType {
  switch (word) {
    case "num":
      return { kind: "number" };
    case "int":
      return { kind: "integer" };
    case "bool":
      return { kind: "boolean" };
    case "date":
      return { kind: "date", format: "iso8601_date" };
    case "datetime":
      return { kind: "date", format: "rfc3339" };
    case "uuid":
    case "blob":
    case "json":
      return { kind: word };
  }
  if (word.startsWith("[")) return { kind: "array", items: wordType(word.slice(1, -1)) };
  const target = /^([A-Za-z_]\w*)\(/.exec(word)?.[1];
  return target === undefined ? TEXT : { kind: "entity_ref", target };
}
