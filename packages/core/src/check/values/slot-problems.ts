import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import { nameList } from "../../diagnostics/nearest-name.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { Value } from "../../language/ast-values.ts";
import { optionText } from "../../language/option-text.ts";
import { type CheckContext, textOf } from "../check-context.ts";
import { typeText } from "../type-text.ts";
import { foundText, literalText } from "./literal-text.ts";
import { sampleValue } from "./sample.ts";
import type { ValueSlot } from "./value-reading.ts";

/** The error of a literal that its slot does not take: slot, type and accepted forms (LANG-040). */
export function invalidValue(context: CheckContext, value: Value, slot: ValueSlot): Diagnostic {
  const args = {
    slot: slot.shown,
    type: typeName(context, slot),
    found: foundText(value, textOf(context, value.span)),
    forms: acceptedForms(context, slot),
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
    const text = literalText(value) ?? textOf(context, value.span);
    const sameLetters = options.filter((option) => option.toLowerCase() === text.toLowerCase());
    const near =
      (sameLetters.length === 1 ? sameLetters[0] : undefined) ?? nearestName(text, options);
    const args = {
      found: foundText(value, textOf(context, value.span)),
      slot: slot.shown,
      nearest: near === null ? "" : `use ${optionText(near)}. `,
      options: nameList(options, text),
    };
    const edits = near === null ? undefined : [{ span: value.span, replacement: optionText(near) }];
    return diagnose(valueMessages.badOption, value.span, args, edits);
  });
}

/** How the type of a slot is called in an error. */
export function typeName(context: CheckContext, slot: ValueSlot): string {
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
