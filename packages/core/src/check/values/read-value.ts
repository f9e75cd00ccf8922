import { diagnose } from "../../diagnostics/messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { PlaceholderValue, Value } from "../../language/grammar/ast-values.ts";
import type { CheckContext } from "../check-context.ts";
import { typeText } from "../types.ts";
import { isFunction } from "../../language/grammar/functions.ts";
import { readComputed } from "./computed-value.ts";
import { readJson, readList } from "./list-value.ts";
import { readReferenceTo } from "./reference-value.ts";
import { readWord, type Room } from "./read-word.ts";
import { sampleValue, slotTypeName } from "./slot-problems.ts";
import {
  readBlob,
  readBoolean,
  readDate,
  readNumber,
  readOption,
  readText,
  readUuid,
} from "./scalar-values.ts";
import { noteTemplateText } from "./template-text.ts";
import {
  literal,
  readAs,
  UNKNOWN_VALUE,
  unreadable,
  type ValueReading,
  type ValueSlot,
} from "./value-reading.ts";

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
