import type { Value } from "../../language/ast-values.ts";
import type { ValueType } from "../../values/value-type.ts";
import type { CheckContext } from "../check-context.ts";
import type { TypedValue } from "../typed-program.ts";
import { foldList } from "./fold-value.ts";
import { invalidValue } from "./slot-problems.ts";
import { readAs, unreadable, type ValueReading, type ValueSlot } from "./value-reading.ts";

/** Reads the parts of a value; passed down so that the readers form no cycle. */
export type ReadValue = (context: CheckContext, value: Value, slot: ValueSlot) => ValueReading;

/** A list, or a single element that becomes one; elements are never lists (LANG-040). */
export function readList(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  element: ValueType,
  read: ReadValue,
): ValueReading {
  const inner: ValueSlot = {
    ...slot,
    nullable: false,
    omittable: false,
    type: { ...slot.type, type: element },
  };
  const items = value.kind === "ListValue" ? value.items : [value];
  const values: TypedValue[] = [];
  const problems = items.flatMap((item) => {
    if (item.kind === "ListValue") return [invalidValue(context, item, inner)];
    const reading = read(context, item, inner);
    if (reading.value !== null) values.push(reading.value);
    return reading.problems;
  });
  if (values.length < items.length) return unreadable(...problems);
  return { ...readAs(foldList(values)), problems };
}
