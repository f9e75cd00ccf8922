import { wireText } from "../../language/grammar/printer.ts";
import type { InputType, Slot } from "../../model/input.ts";
import type { Exposure } from "../../symbols/exposure.ts";
import { typeText } from "../types.ts";
import { sampleValue } from "../values/slot-problems.ts";
import type { Value } from "../../language/grammar/ast-values.ts";
import type { CheckContext } from "../check-context.ts";
import type { ValueReading } from "../values/value-reading.ts";

/** Where an argument, or a part of one, stands. */
export interface InputSlot {
  /** the slot as the program writes it, for errors */
  readonly shown: string;
  readonly entryId: string;
  readonly input: InputType;
  /** whether explicit null is legal (LANG-042) */
  readonly nullable: boolean;
  /** whether it may be left out instead */
  readonly omittable: boolean;
  /** whether its capability's rules leave null to optional members (LANG-042) */
  readonly nullableMembers: boolean;
  /** a wire name in the notation of the call */
  code(wire: string): string;
}

/** Reads the parts of an argument; passed down so that the readers form no cycle. */
export type ReadInput = (context: CheckContext, value: Value, slot: InputSlot) => ValueReading;

/** A type as TEACH-21 writes it: of values their own, else `object`, `[object]`. */
export function inputType(exposure: Exposure, entryId: string, input: InputType): string {
  switch (input.kind) {
    case "none":
      return "null";
    case "value":
      return typeText(exposure, { entryId, type: input.type });
    case "array":
      return `[${inputType(exposure, entryId, input.element)}]`;
    case "object":
    case "union":
      return "object";
  }
}

/** A slot with its type, as a correction lists it. */
export function slotText(
  exposure: Exposure,
  entryId: string,
  slot: Slot,
  say: (wire: string) => string,
): string {
  return `${say(slot.name)} ${inputType(exposure, entryId, slot.input)}`;
}

/** A value of an input as a program writes it, with what it requires; `code` spells its names. */
export function inputSample(
  exposure: Exposure,
  entryId: string,
  input: InputType,
  code: (wire: string) => string,
): string {
  switch (input.kind) {
    case "none":
      return "null";
    case "value":
      return sampleValue(exposure, { entryId, type: input.type });
    case "array":
      return `[${inputSample(exposure, entryId, input.element, code)}]`;
    case "object":
      return `{${memberForms(exposure, entryId, shown(input.fields), code)}}`;
    case "union": {
      const [first] = input.variants;
      if (first === undefined) return "{}";
      const told = `${code(input.wireField)}: ${wireText(first.wireValue)}`;
      const forms = memberForms(
        exposure,
        entryId,
        first.fields.filter(({ required }) => required),
        code,
      );
      return `{${[told, forms].filter((part) => part !== "").join(", ")}}`;
    }
  }
}

/** The required ones of some slots, or the first if none is. */
function shown<S extends Slot>(slots: readonly S[]): readonly S[] {
  const required = slots.filter((slot) => slot.required);
  return required.length > 0 ? required : slots.slice(0, 1);
}

/** Slots as members of an object: `a: 1, b: "text"`. */
export function memberForms(
  exposure: Exposure,
  entryId: string,
  slots: readonly Slot[],
  code: (wire: string) => string,
): string {
  return slots
    .map(({ name, input }) => `${code(name)}: ${inputSample(exposure, entryId, input, code)}`)
    .join(", ");
}
