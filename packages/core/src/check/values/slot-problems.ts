import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nameList, nearestName } from "../../diagnostics/nearest-name.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { Value } from "../../language/grammar/ast-values.ts";
import { optionText } from "../../language/grammar/printer.ts";
import { foreignFunction } from "../../language/recovery/foreign-values.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { type ColumnType, keyTypes, typeText } from "../types.ts";
import { foundText, literalText, type ValueSlot } from "./value-reading.ts";
import type { Exposure } from "../../symbols/exposure.ts";

/** The error of a literal that its slot does not take: slot, type and accepted forms (LANG-040). */
export function invalidValue(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  meant: string | null = null,
): Diagnostic {
  const foreign = value.kind === "ConstructorValue" ? foreignFunction(value.name) : null;
  if (foreign !== null) return foreign;
  const args = {
    slot: slot.shown,
    type: slotTypeName(context, slot),
    found: foundText(value, programText(context, value.span)),
    forms: meant ?? acceptedForms(context, slot),
  };
  const isNull = value.kind === "WordValue" && NULLS.test(value.raw);
  const edits = isNull ? [{ span: value.span, replacement: "null" }] : undefined;
  return diagnose(valueMessages.invalid, value.span, args, edits);
}

/** How other languages write null. */
const NULLS = /^(?:None|nil|NULL|Null|undefined)$/;

/** The error of a text that is none of the options, with the nearest as suggestion. */
export function badOption(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  options: readonly string[],
): Diagnostic {
  return diagnoseLater(valueMessages.badOption, value.span, () => {
    const text = literalText(value) ?? programText(context, value.span);
    const sameLetters = options.filter((option) => option.toLowerCase() === text.toLowerCase());
    const near =
      (sameLetters.length === 1 ? sameLetters[0] : undefined) ?? nearestName(text, options);
    const args = {
      found: foundText(value, programText(context, value.span)),
      slot: slot.shown,
      nearest: near === null ? "" : `use ${optionText(near)}. `,
      options: nameList(options, text),
    };
    const edits = near === null ? undefined : [{ span: value.span, replacement: optionText(near) }];
    return diagnose(valueMessages.badOption, value.span, args, edits);
  });
}

/** How the type of a slot is called in an error. */
export function slotTypeName(context: CheckContext, slot: ValueSlot): string {
  const { type } = slot.type;
  switch (type.kind) {
    case "string":
      return "text";
    case "uuid":
      return "a uuid";
    case "blob":
      return "a blob";
    case "number":
      return "a number";
    case "integer":
      return "a whole number";
    case "boolean":
      return "true or false";
    case "date":
      return type.format === "iso8601_date" ? "a date" : "a date or time";
    case "json":
      return "any value";
    case "select":
      return type.options.length === 0 ? "a word" : "one of its options";
    case "multi_select":
      return "a list of its options";
    case "array":
      return `a list, ${typeText(context.exposure, slot.type)}`;
    case "entity_ref":
      return `a reference to ${type.target}`;
  }
}

/** The forms a slot accepts, as a correction names them. */
export function acceptedForms(context: CheckContext, slot: ValueSlot): string {
  const { type } = slot.type;
  const sample = sampleValue(context.exposure, slot.type);
  switch (type.kind) {
    case "date":
      return slotTakesUnix(type.format)
        ? "2026-01-31, 2026-01-31T09:00:00Z, a unix time or a relative date like today-7d"
        : "2026-01-31, 2026-01-31T09:00:00Z or a relative date like today-7d";
    case "string":
      return 'text in quotes, like "text"';
    case "boolean":
      return "true or false";
    case "select":
      return type.options.length === 0 ? "a word" : `one of ${nameList(type.options, "")}`;
    case "entity_ref":
      return `${sample} or its key`;
    case "multi_select":
      return `a list of ${nameList(type.options, "")}`;
    case "uuid":
    case "blob":
    case "number":
    case "integer":
    case "json":
    case "array":
      return `a value like ${sample}`;
  }
}

function slotTakesUnix(format: string): boolean {
  return format === "unix_sec" || format === "unix_ms";
}

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
