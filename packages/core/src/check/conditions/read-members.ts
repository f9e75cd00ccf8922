import { diagnose } from "../../diagnostics/messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { Value } from "../../language/grammar/ast-values.ts";
import { type CheckContext, programText } from "../check-context.ts";
import type { TypedValue } from "../typed-program.ts";
import { foldList } from "../values/scalar-values.ts";
import {
  foundText,
  readAs,
  unreadable,
  type ValueReading,
  type ValueSlot,
} from "../values/value-reading.ts";
import { readValue } from "../values/read-value.ts";
import { readWord } from "../values/read-word.ts";

/**
 * The right side of `in`: a list of values of the slot's type, each read by `read`, or the cells of a
 * label, many or one (LANG-044). Equal constants count once.
 */
export function readInMembers(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  read: (context: CheckContext, value: Value, slot: ValueSlot) => ValueReading = readValue,
): ValueReading {
  const member: ValueSlot = { ...slot, nullable: false };
  if (value.kind === "PlaceholderValue") return readValue(context, value, member);
  if (value.kind === "WordValue") {
    const reading = readWord(context, value, member, "many");
    if (reading === null) return unreadable(needsList(context, value, slot));
    return reading.value === null ? reading : { ...reading, value: asList(reading.value) };
  }
  if (value.kind !== "ListValue") return unreadable(needsList(context, value, slot));
  const readings = value.items.map((item) => read(context, item, member));
  const problems = readings.flatMap((reading) => reading.problems);
  const values = readings.flatMap((reading) => (reading.value === null ? [] : [reading.value]));
  if (values.length < readings.length) return unreadable(...problems);
  return { ...readAs(foldList(distinct(values))), problems };
}

/**
 * The cells of a label as a list: a cell that is known without reading its row, too, is a list of one. A label of
 * one row at most is a column all the same, so that no row, or a null in it, is an empty list (C-124).
 */
function asList(value: TypedValue): TypedValue {
  if (value.kind === "hole") return { ...value, many: true };
  if (value.kind !== "list") return foldList([value]);
  const [only, ...more] = value.items;
  return only?.kind === "hole" && more.length === 0 ? { ...only, many: true } : value;
}

function distinct(values: readonly TypedValue[]): readonly TypedValue[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    if (value.kind !== "lit" && value.kind !== "dec") return true;
    const text = JSON.stringify(value);
    return !seen.has(text) && seen.add(text);
  });
}

function needsList(context: CheckContext, value: Value, slot: ValueSlot) {
  const found = foundText(value, programText(context, value.span));
  return diagnose(valueMessages.inNeedsList, value.span, { slot: slot.shown, found });
}
