import { diagnose } from "../../diagnostics/messages.ts";
import { inputMessages } from "../../diagnostics/step-messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type {
  ObjectEntry,
  ObjectValue,
  PlaceholderValue,
  Value,
} from "../../language/grammar/ast-values.ts";
import { isFunction } from "../../language/grammar/functions.ts";
import type { InputType } from "../../model/input.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { foldList } from "../values/scalar-values.ts";
import {
  foundText,
  readAs,
  UNKNOWN_VALUE,
  unreadable,
  type ValueReading,
  type ValueSlot,
} from "../values/value-reading.ts";
import { listAmong, textAlone } from "../values/list-value.ts";
import { readValue } from "../values/read-value.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { inputSample, type InputSlot, inputType, type ReadInput } from "./input-text.ts";
import { chooseVariant, readMembers, wireLiteral } from "./read-members.ts";
import type { UnionInput } from "../../model/slots-of.ts";
import { spanIn } from "../../base/source.ts";
import { wireName } from "../names/name-formatter.ts";
import type { TypedValue } from "../typed-program.ts";

type ArrayInput = Extract<InputType, { kind: "array" }>;

/**
 * Reads an argument by its declared input, at any depth (LANG-040, RUN-016): scalars by their type,
 * objects by their fields, unions by their variant. The value keeps the shape the catalog declares.
 * Nothing is reported.
 */
export function readInput(context: CheckContext, value: Value, slot: InputSlot): ValueReading {
  const { input } = slot;
  if (input.kind === "value") return readValue(context, value, valueSlot(slot, input.type));
  switch (value.kind) {
    case "Bad":
      return readAs(UNKNOWN_VALUE);
    case "PlaceholderValue":
      return placeholder(context, value, slot);
    case "NullValue":
      if (input.kind === "none" || slot.nullable) return readAs({ kind: "lit", value: null });
      return unreadable(nullRefused(value, slot));
    case "WordValue":
    case "BinaryValue":
    case "UnaryValue":
    case "DurationValue":
    case "SliceValue":
    case "MemberValue":
    case "RelatedValue":
      return readHole(context, value, slot);
    case "ListValue":
    case "ObjectValue":
    case "StringValue":
    case "HeredocValue":
    case "NumberValue":
    case "DateValue":
    case "UuidValue":
    case "BoolValue":
      return readStructure(context, value, slot);
    case "ConstructorValue":
      return isFunction(value.name.text)
        ? readHole(context, value, slot)
        : readStructure(context, value, slot);
  }
}

function valueSlot(slot: InputSlot, type: ValueSlot["type"]["type"], wantsList = true): ValueSlot {
  const { shown, entryId, nullable, omittable } = slot;
  return { shown, nullable, omittable, wantsList, use: "wire", type: { entryId, type } };
}

function readStructure(context: CheckContext, value: Value, slot: InputSlot): ValueReading {
  const { input } = slot;
  switch (input.kind) {
    case "none":
    case "value":
      return unreadable(invalidInput(context, value, slot));
    case "array":
      return readElements(context, value, slot, input);
    case "object":
      if (value.kind !== "ObjectValue") return unreadable(invalidInput(context, value, slot));
      if (input.fields.length === 0) {
        return readValue(context, value, valueSlot(slot, { kind: "json" }));
      }
      return readMembers(context, value, slot, input, readInput);
    case "union":
      if (value.kind !== "ObjectValue") return unreadable(invalidInput(context, value, slot));
      return readUnion(context, value, slot, input, readInput);
  }
}

/** A list, or a single element that becomes one, with as many elements as are allowed. */
function readElements(
  context: CheckContext,
  value: Value,
  slot: InputSlot,
  input: ArrayInput,
): ValueReading {
  if (input.element.kind === "value") {
    const problem = textAlone(context, value, slot.shown, input.element.type);
    if (problem !== null) return unreadable(problem);
  }
  const items = value.kind === "ListValue" ? value.items : [value];
  const inner: InputSlot = { ...slot, input: input.element, nullable: false, omittable: false };
  const readings = items.map((item) => readInput(context, item, inner));
  if (input.element.kind === "value") {
    const lists = listAmong(context, value, slot.shown, readings, (item) =>
      readInput(context, item, slot),
    );
    if (lists !== null) return unreadable(lists);
  }
  const problems = readings.flatMap((reading) => reading.problems);
  const length = lengthProblem(value, items.length, slot, input);
  if (length !== null) return unreadable(...problems, length);
  const values = readings.flatMap((reading) => reading.value ?? []);
  return values.length < items.length
    ? unreadable(...problems)
    : { value: foldList(values), problems };
}

function lengthProblem(
  value: Value,
  found: number,
  slot: InputSlot,
  { minLength, maxLength }: ArrayInput,
): Diagnostic | null {
  const few = minLength !== undefined && found < minLength;
  const many = maxLength !== undefined && found > maxLength;
  if (!few && !many) return null;
  const wanted = few ? `at least ${minLength}` : `at most ${maxLength}`;
  return diagnose(inputMessages.listLength, value.span, { slot: slot.shown, found, wanted });
}

/** A reference to an earlier label: what it holds is checked when it is filled (LANG-045). */
function readHole(context: CheckContext, value: Value, slot: InputSlot): ValueReading {
  const { input } = slot;
  const type = input.kind === "array" ? LIST_OF_ANY : ANY;
  const reading = readValue(context, value, valueSlot(slot, type, false));
  const text = literalOf(reading);
  if (text === undefined) return reading;
  if (input.kind === "array" && input.element.kind === "value") {
    return readElements(context, value, slot, input);
  }
  return unreadable(invalidInput(context, value, slot));
}

const ANY = { kind: "json" } as const;
const LIST_OF_ANY = { kind: "array", items: ANY } as const;

/** The constant a word turned out to be, or undefined if it refers to something. */
function literalOf({ value }: ValueReading): unknown {
  return value?.kind === "lit" ? value.value : undefined;
}

function placeholder(
  context: CheckContext,
  value: PlaceholderValue,
  slot: InputSlot,
): ValueReading {
  const { exposure } = context;
  const args = {
    raw: value.raw,
    slot: slot.shown,
    type: inputType(exposure, slot.entryId, slot.input),
    sample: inputSample(exposure, slot.entryId, slot.input, slot.code),
  };
  return {
    value: UNKNOWN_VALUE,
    problems: [diagnose(valueMessages.placeholder, value.span, args)],
  };
}

/** The error of a value that is not of the shape its slot takes. */
function invalidInput(context: CheckContext, value: Value, slot: InputSlot): Diagnostic {
  const { exposure } = context;
  const { input, entryId } = slot;
  const args = {
    slot: slot.shown,
    type: shapeName(input),
    found: foundText(value, programText(context, value.span)),
    sample: inputSample(exposure, entryId, input, slot.code),
  };
  return diagnose(inputMessages.invalid, value.span, args);
}

function nullRefused(value: Value, { shown, input, omittable }: InputSlot): Diagnostic {
  const instead = omittable ? `, or leave ${shown} out` : "";
  const args = { slot: shown, type: shapeName(input), instead };
  return diagnose(valueMessages.nullRefused, value.span, args);
}

/** How the shape of a slot is called in an error. */
function shapeName({ kind }: InputType): string {
  return kind === "none" ? "null alone" : kind === "array" ? "a list" : "an object";
}

/** An object told apart by its discriminator, which the value has afterwards in any case (RUN-017). */
function readUnion(
  context: CheckContext,
  value: ObjectValue,
  slot: InputSlot,
  union: UnionInput,
  read: ReadInput,
): ValueReading {
  const nameOf = ({ key }: ObjectEntry): string =>
    key.kind === "Name" ? wireName(context.exposure.symbols, key.text) : key.text;
  const told = value.entries.find((entry) => nameOf(entry) === union.wireField);
  const end = Math.max(value.span.start, value.span.end - 1);
  const choice = chooseVariant(context, union, {
    told: told?.value,
    names: value.entries.map(nameOf).filter((name) => name !== union.wireField),
    end: spanIn(context.source, end, end),
    shown: slot.shown,
    code: slot.code,
  });
  switch (choice.kind) {
    case "problem":
      return unreadable(choice.problem);
    case "open":
      return told === undefined
        ? unreadable()
        : { value: UNKNOWN_VALUE, problems: discriminatorProblems(context, told, union) };
    case "chosen": {
      const { fields, wireValue } = choice.variant;
      const known: TypedValue = { kind: "lit", value: wireValue };
      const members = new Map([[union.wireField, known]]);
      return readMembers(context, value, slot, { fields, additionalFields: false }, read, members);
    }
  }
}

/** What is wrong with a discriminator that names no variant yet: a placeholder, with the options. */
function discriminatorProblems(context: CheckContext, told: ObjectEntry, union: UnionInput) {
  const options = union.variants.map(({ wireValue }) => wireLiteral(wireValue));
  const type = { entryId: null, type: { kind: "select", options } } as const;
  const slot = { shown: told.key.text, type, nullable: false, use: "wire" } as const;
  return readValue(context, told.value, slot).problems;
}
