import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { ObjectEntry, ObjectValue, Value } from "../../language/grammar/ast-values.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import type { Json, ValueType } from "../../values/value-type.ts";
import { type CheckContext, programText } from "../check-context.ts";
import type { TypedValue } from "../typed-program.ts";
import { foldList, foldObject, numberSize } from "./scalar-values.ts";
import {
  foundText,
  literal,
  literalText,
  readAs,
  unreadable,
  type ValueReading,
  type ValueSlot,
} from "./value-reading.ts";
import { invalidValue } from "./slot-problems.ts";
import { numberValue } from "../../base/decimal.ts";
import { inputMessages } from "../../diagnostics/step-messages.ts";

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
  const readings = items.map((item) =>
    item.kind === "ListValue"
      ? unreadable(invalidValue(context, item, inner))
      : read(context, item, inner),
  );
  const outer: ValueSlot = { ...slot, wantsList: false };
  const lists = listAmong(context, value, slot.shown, readings, (item) =>
    read(context, item, outer),
  );
  if (lists !== null) return unreadable(lists);
  const values = readings.flatMap((reading) => reading.value ?? []);
  const problems = readings.flatMap((reading) => reading.problems);
  if (values.length < items.length) return unreadable(...problems);
  return { ...readAs(foldList(values)), problems };
}

/**
 * The error of a list that is written as an element of another, or null: `[_.tags, vip]` where `_.tags + [vip]` is meant.
 * `readings` are those of the elements; `readWhole` reads one of them as the whole list.
 */
export function listAmong(
  context: CheckContext,
  value: Value,
  slot: string,
  readings: readonly ValueReading[],
  readWhole: (item: Value) => ValueReading,
): Diagnostic | null {
  if (value.kind !== "ListValue") return null;
  const { items } = value;
  const isList = items.map((item, at) => {
    if (item.kind === "ListValue" || readings[at]?.value !== null) return false;
    const whole = readWhole(item).value;
    return whole !== null && whole.kind !== "lit" && whole.kind !== "list";
  });
  const first = items[isList.indexOf(true)];
  if (first === undefined) return null;
  const parts: string[] = [];
  let together: string[] = [];
  const flush = (): void => {
    if (together.length > 0) parts.push(`[${together.join(", ")}]`);
    together = [];
  };
  for (const [at, item] of items.entries()) {
    const written = programText(context, item.span);
    if (isList[at] !== true) {
      together.push(written);
      continue;
    }
    flush();
    parts.push(written);
  }
  flush();
  const form = parts.join(" + ");
  const args = { slot, found: programText(context, first.span), form };
  return diagnose(valueMessages.listAmong, first.span, args, [
    { span: value.span, replacement: form },
  ]);
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
  const written = programText(context, value.span);
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

/**
 * Any value, nested (LANG-040): numbers keep their exact value, dates and uuids are text, text that is
 * a JSON object or array becomes it. Keys are opaque to symbols (TEACH-9).
 */
export function readJson(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  read: ReadValue,
): ValueReading {
  const inner: ValueSlot = {
    ...slot,
    nullable: true,
    type: { entryId: null, type: { kind: "json" } },
  };
  switch (value.kind) {
    case "BoolValue":
      return literal(value.value);
    case "NumberValue": {
      const number = numberValue(value.raw);
      if (number === null) return unreadable(numberSize(value));
      return typeof number === "number" ? literal(number) : readAs({ kind: "dec", text: number });
    }
    case "ListValue":
      return collect(
        value.items.map((item) => read(context, item, inner)),
        foldList,
      );
    case "ObjectValue":
      return readObject(context, value, inner, read);
    case "StringValue":
    case "HeredocValue":
      return readAs({ kind: "lit", value: parsedText(value.text) });
    case "DateValue":
    case "UuidValue":
    case "WordValue":
      return literal(literalText(value));
    case "ConstructorValue":
    case "NullValue":
    case "PlaceholderValue":
    case "BinaryValue":
    case "UnaryValue":
    case "DurationValue":
    case "SliceValue":
    case "MemberValue":
    case "RelatedValue":
    case "Bad":
      return unreadable(invalidValue(context, value, slot));
  }
}

function readObject(
  context: CheckContext,
  value: ObjectValue,
  inner: ValueSlot,
  read: ReadValue,
): ValueReading {
  const keys = value.entries.map((entry) => entry.key.text);
  const readings = value.entries.map((entry) => read(context, entry.value, inner));
  const reading = collect(readings, (values) =>
    foldObject(new Map(values.map((each, at) => [keys[at] ?? "", each]))),
  );
  const twice = repeatedEntries(value.entries).map(({ key, span }) =>
    diagnose(inputMessages.duplicateMember, span, { name: key.text, slot: inner.shown }),
  );
  return { value: reading.value, problems: [...reading.problems, ...twice] };
}

function collect(
  readings: readonly ValueReading[],
  make: (values: readonly TypedValue[]) => TypedValue,
): ValueReading {
  const values = readings.flatMap((reading) => (reading.value === null ? [] : [reading.value]));
  const problems = readings.flatMap((reading) => reading.problems);
  return values.length < readings.length
    ? unreadable(...problems)
    : { value: make(values), problems };
}

/** Text that is a JSON object or array becomes it; any other text stays text. */
function parsedText(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** The entries of an object whose key is written in an entry before them; keys are opaque (TEACH-9). */
export function repeatedEntries(entries: readonly ObjectEntry[]): readonly ObjectEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ key }) => {
    const isRepeated = seen.has(key.text);
    seen.add(key.text);
    return isRepeated;
  });
}
