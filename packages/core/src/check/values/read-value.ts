import { expressionMessages } from "../../diagnostics/expression-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { PlaceholderValue, Value } from "../../language/grammar/ast-values.ts";
import { isFunction } from "../../language/grammar/functions.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import { coerceValue } from "../../values/coerce-value.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { typeText } from "../types.ts";
import { type Expression, inDays } from "./expression-parts.ts";
import { readExpression } from "./expression.ts";
import { KIND_NAMES } from "./function-table.ts";
import { type ReadValue, readJson, readList } from "./list-value.ts";
import { type Room, readWord } from "./read-word.ts";
import { readReferenceTo } from "./reference-value.ts";
import {
  readBlob,
  readBoolean,
  readDate,
  readNumber,
  readOption,
  readText,
  readUuid,
} from "./scalar-values.ts";
import { acceptedForms, sampleValue, slotTypeName } from "./slot-problems.ts";
import { holeFits, noteTemplateText } from "./template-text.ts";
import {
  UNKNOWN_VALUE,
  type ValueReading,
  type ValueSlot,
  literal,
  readAs,
  unreadable,
} from "./value-reading.ts";

/** Text that is put together is no number, though its characters may be digits: `1 + "2"`. */
function isTextForNumber({ kind }: Expression, { type: { type } }: ValueSlot): boolean {
  const wantsNumber = type.kind === "number" || type.kind === "integer" || type.kind === "boolean";
  return kind === "text" && wantsNumber;
}

/** A number made of numbers alone is no text: `555 - 1234` is a telephone number that lacks its quotes. */
function isNumberForText({ kind, value }: Expression, { type: { type } }: ValueSlot): boolean {
  const isConstant = value.kind === "lit" || value.kind === "dec";
  return isConstant && kind === "number" && type.kind === "string";
}

/** A computed value as a slot takes it: its type is checked now, its value when it is known (LANG-045, LANG-048). */
function readComputed(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  read: ReadValue,
): ValueReading {
  const expression = inDays(value, readExpression(context, value, read));
  if (expression.problems.length > 0) return unreadable(...expression.problems);
  if (expression.kind === "null")
    return read(context, { kind: "NullValue", span: value.span }, slot);
  const { value: typed } = expression;
  const isAnother = isTextForNumber(expression, slot) || isNumberForText(expression, slot);
  const isConstant = typed.kind === "lit" && slot.use === "wire";
  const coerced = isConstant ? coerceValue(typed.value, slot.type.type) : null;
  if (coerced !== null && "value" in coerced && !isAnother) {
    return { value: { kind: "lit", value: coerced.value }, problems: [] };
  }
  const fits = coerced === null && holeFits(context.exposure, expression.type, slot.type);
  if (!fits || isAnother) {
    const written = programText(context, value.span);
    const isText = slot.type.type.kind === "string";
    const fix = isText
      ? `write text(${written}), or ${quoteText(written)} for these words`
      : `write ${acceptedForms(context, slot)}`;
    const args = {
      slot: slot.shown,
      type: slotTypeName(context, slot),
      found: KIND_NAMES[expression.kind],
      fix,
    };
    return unreadable(diagnose(expressionMessages.slot, value.span, args));
  }
  return { value: expression.value, problems: [] };
}

/** Reads a value by the type of its slot (LANG-040 to LANG-047). Nothing is reported. */
export function readValue(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  room: Room = "one",
): ValueReading {
  switch (value.kind) {
    case "Bad":
      return readAs(UNKNOWN_VALUE);
    case "PlaceholderValue":
      return placeholder(context, value, slot);
    case "NullValue": {
      if (slot.nullable) return literal(null);
      const instead = slot.omittable === true ? `, or leave ${slot.shown} out` : "";
      const args = { slot: slot.shown, type: slotTypeName(context, slot), instead };
      return unreadable(diagnose(valueMessages.nullRefused, value.span, args));
    }
    case "WordValue":
      return readWord(context, value, slot, room) ?? readTyped(context, value, slot);
    case "StringValue":
    case "HeredocValue":
      noteTemplateText(context, value, slot);
      return readTyped(context, value, slot);
    case "BinaryValue":
    case "UnaryValue":
    case "DurationValue":
    case "SliceValue":
    case "MemberValue":
    case "RelatedValue":
      return readComputed(context, value, slot, readValue);
    case "ConstructorValue":
      return isFunction(value.name.text)
        ? readComputed(context, value, slot, readValue)
        : readTyped(context, value, slot);
    case "NumberValue":
    case "DateValue":
    case "UuidValue":
    case "BoolValue":
    case "ListValue":
    case "ObjectValue":
      return readTyped(context, value, slot);
  }
}

function readTyped(context: CheckContext, value: Value, slot: ValueSlot): ValueReading {
  const { type } = slot.type;
  switch (type.kind) {
    case "string":
      return readText(context, value, slot);
    case "uuid":
      return readUuid(context, value, slot);
    case "blob":
      return value.kind === "ObjectValue"
        ? readJson(context, value, slot, readValue)
        : readBlob(context, value, slot);
    case "number":
      return readNumber(context, value, slot, false);
    case "integer":
      return readNumber(context, value, slot, true);
    case "boolean":
      return readBoolean(context, value, slot);
    case "select":
      return readOption(context, value, slot, type.options);
    case "date":
      return readDate(context, value, slot, type.format);
    case "multi_select":
      return readList(context, value, slot, { kind: "select", options: type.options }, readValue);
    case "array":
      return readList(context, value, slot, type.items, readValue);
    case "json":
      return readJson(context, value, slot, readValue);
    case "entity_ref":
      return readReferenceTo(context, value, slot, type.target, readValue);
  }
}

function placeholder(
  context: CheckContext,
  value: PlaceholderValue,
  slot: ValueSlot,
): ValueReading {
  const args = {
    raw: value.raw,
    slot: slot.shown,
    type: typeText(context.exposure, slot.type),
    sample: sampleValue(context.exposure, slot.type),
  };
  const problem = diagnose(valueMessages.placeholder, value.span, args);
  return { value: UNKNOWN_VALUE, problems: [problem] };
}
