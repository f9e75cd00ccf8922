import type { ObjectEntry, ObjectValue } from "../../language/ast-values.ts";
import type { UnionInput } from "../../schema/union-input.ts";
import { spanIn } from "../../source/source-text.ts";
import type { CheckContext } from "../check-context.ts";
import { wireName } from "../names/symbol-name.ts";
import type { TypedValue } from "../typed-program.ts";
import { readValue } from "../values/read-value.ts";
import { UNKNOWN_VALUE, unreadable, type ValueReading } from "../values/value-reading.ts";
import { chooseVariant, wireLiteral } from "./choose-variant.ts";
import type { InputSlot, ReadInput } from "./input-slot.ts";
import { readMembers } from "./read-members.ts";

/** An object told apart by its discriminator, which the value has afterwards in any case (RUN-017). */
export function readUnion(
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
