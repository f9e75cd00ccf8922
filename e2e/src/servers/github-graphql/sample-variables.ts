import type { Capability, InputField, InputType, Json, JsonObject, ValueType } from "@plasm/core";
import { rootUnion, type Slot, slotsOf, wireInput } from "@plasm/core/internal";

function sampleValue(type: ValueType): Json {
  switch (type.kind) {
    case "integer":
      return 3;
    case "number":
      return 1.5;
    case "boolean":
      return true;
    case "date":
      return "2026-01-31";
    case "select":
      return type.options[0] ?? "x";
    case "array":
      return [sampleValue(type.items)];
    case "json":
      return {};
    default:
      return "x";
  }
}

function sampleInput(input: InputType): Json {
  switch (input.kind) {
    case "value":
      return sampleValue(input.type);
    case "object":
      return Object.fromEntries(input.fields.map((each) => [each.name, sampleInput(each.input)]));
    case "array":
      return [sampleInput(input.element)];
    default:
      throw new Error(`no sample of ${input.kind}`);
  }
}

/** One set of arguments in wire form, with what it is. */
export interface SampleArguments {
  readonly what: string;
  readonly args: JsonObject;
}

const sampleOf = (slots: readonly (Slot | InputField)[]): JsonObject =>
  Object.fromEntries(slots.map(({ name, input }) => [name, wireInput(input, sampleInput(input))]));

const wordsOf = ({ input }: Slot): readonly string[] =>
  input.kind === "value" && input.type.kind === "select" ? input.type.options : [];

/**
 * Arguments of a capability: all it takes, only what it must have, each alone beside that, each word of a
 * select, and each variant of a union.
 */
export function sampleArguments(capability: Capability): readonly SampleArguments[] {
  const union = rootUnion(capability);
  if (union !== null && union !== undefined) {
    return union.variants.map(({ name, fields }) => ({ what: name, args: sampleOf(fields) }));
  }
  const slots = slotsOf(capability);
  const required = slots.filter((slot) => slot.required);
  return [
    { what: "everything", args: sampleOf(slots) },
    { what: "what it must have", args: sampleOf(required) },
    ...slots
      .filter((slot) => !slot.required)
      .map((slot) => ({ what: `with ${slot.name}`, args: sampleOf([...required, slot]) })),
    ...slots.flatMap((slot) =>
      wordsOf(slot).map((word) => ({
        what: `${slot.name}=${word}`,
        args: { ...sampleOf(required), [slot.name]: word },
      })),
    ),
  ];
}
