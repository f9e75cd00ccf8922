import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { Value } from "../../language/ast-values.ts";
import { quoteText } from "../../language/quote-text.ts";
import type { ValueType } from "../../values/value-type.ts";
import { type CheckContext, textOf } from "../check-context.ts";
import type { TypedValue } from "../typed-program.ts";
import { foldList } from "./fold-value.ts";
import { foundText, literalText } from "./literal-text.ts";
import { invalidValue } from "./slot-problems.ts";
import { readAs, unreadable, type ValueReading, type ValueSlot } from "./value-reading.ts";

/** Reads the parts of a value; passed down so that the readers form no cycle. */
export type ReadValue = (context: CheckContext, value: Value, slot: ValueSlot) => ValueReading;

/**
 * A list, or a single element that becomes one; elements are never lists (LANG-040). Text alone is none as
 * an argument, unless the elements are words of a kind: it may be meant for several.
 */
export function readList(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  element: ValueType,
  read: ReadValue,
): ValueReading {
  const inner: ValueSlot = {
    ...slot,
    wantsList: false,
    nullable: false,
    omittable: false,
    type: { ...slot.type, type: element },
  };
  if (slot.wantsList === true) {
    const problem = textAlone(context, value, slot.shown, element);
    if (problem !== null) return unreadable(problem);
  }
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

/** The error of text where a list of texts is declared: it would be sent as a list of one. */
export function textAlone(
  context: CheckContext,
  value: Value,
  slot: string,
  element: ValueType,
): Diagnostic | null {
  const isText =
    value.kind === "StringValue" || value.kind === "HeredocValue" || value.kind === "WordValue";
  if (!isText || !takesAnyText(element)) return null;
  const written = textOf(context, value.span);
  const text = literalText(value) ?? "";
  const parts = text.split(/[,;\n]/).map((part) => withoutEnds(part, /[[\s"']/, /["'\]\s]/));
  const isSeveral = parts.length > 1 && parts.every((part) => part !== "");
  const form = isSeveral ? `[${parts.map(quoteText).join(", ")}]` : `[${written}]`;
  const args = { slot, found: foundText(value, written), form };
  const edits = isSeveral ? undefined : [{ span: value.span, replacement: form }];
  return diagnose(valueMessages.textAlone, value.span, args, edits);
}

/** A text without the characters at its ends that these match, each looked at once. */
function withoutEnds(text: string, first: RegExp, last: RegExp): string {
  let from = 0;
  let to = text.length;
  while (from < to && first.test(text[from] ?? "")) from++;
  while (to > from && last.test(text[to - 1] ?? "")) to--;
  return text.slice(from, to);
}

/** Whether any text is one of these elements, also one that was meant for several. */
function takesAnyText(element: ValueType): boolean {
  switch (element.kind) {
    case "string":
    case "json":
    case "blob":
    case "entity_ref":
      return true;
    case "select":
      return element.options.length === 0;
    case "uuid":
    case "number":
    case "integer":
    case "boolean":
    case "date":
    case "array":
    case "multi_select":
      return false;
  }
}
