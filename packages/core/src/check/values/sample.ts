import { optionText } from "../../language/option-text.ts";
import type { Exposure } from "../../symbols/exposure.ts";
import type { ColumnType } from "../row-type.ts";
import { keyTypes } from "../type-text.ts";

/** A value of a type as a program writes it: what a correction and a taught row's test put for `$`. */
export function sampleValue(exposure: Exposure, column: ColumnType): string {
  const { type, entryId } = column;
  switch (type.kind) {
    case "string":
    case "json":
      return '"text"';
    case "uuid":
      return "123e4567-e89b-12d3-a456-426614174000";
    case "blob":
      return '"aGk="';
    case "number":
      return "12.5";
    case "integer":
      return "12";
    case "boolean":
      return "true";
    case "select":
      return optionText(type.options[0] ?? "word");
    case "multi_select":
      return `[${optionText(type.options[0] ?? "word")}]`;
    case "date":
      return "2026-01-31";
    case "array":
      return `[${sampleValue(exposure, { entryId, type: type.items })}]`;
    case "entity_ref":
      return entryId === null ? '"key"' : sampleReference(exposure, entryId, type.target);
  }
}

/** A constructor of an entity with sample keys. */
export function sampleReference(exposure: Exposure, entryId: string, target: string): string {
  return `${target}(${sampleKey(exposure, entryId, target)})`;
}

/** The key between the parentheses of a constructor: one value, or every part by name. */
function sampleKey(exposure: Exposure, entryId: string, target: string): string {
  const parts = keyTypes(exposure, entryId, target).map(([part, type]): [string, string] => {
    const sample =
      type.kind === "entity_ref"
        ? samplePart(exposure, entryId, type.target)
        : sampleValue(exposure, { entryId, type });
    return [part, sample];
  });
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first[1];
  return parts.map(([part, value]) => `${part}=${value}`).join(", ");
}

/** A reference inside a key: its own key or, if that has several parts, its constructor. */
function samplePart(exposure: Exposure, entryId: string, target: string): string {
  const types = keyTypes(exposure, entryId, target);
  // References end here: what names further ones is told by a text.
  if (types.some(([, type]) => type.kind === "entity_ref")) return '"text"';
  return types.length === 1
    ? sampleKey(exposure, entryId, target)
    : sampleReference(exposure, entryId, target);
}
