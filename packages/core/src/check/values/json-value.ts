import { numberValue } from "../../decimal/number-value.ts";
import { inputMessages } from "../../diagnostics/input-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import type { ObjectValue, Value } from "../../language/ast-values.ts";
import type { Json } from "../../values/json.ts";
import type { CheckContext } from "../check-context.ts";
import type { TypedValue } from "../typed-program.ts";
import { foldList, foldObject } from "./fold-value.ts";
import type { ReadValue } from "./list-value.ts";
import { literalText } from "./literal-text.ts";
import { numberSize } from "./scalar-values.ts";
import { repeatedEntries } from "./repeated-entries.ts";
import { invalidValue } from "./slot-problems.ts";
import { literal, readAs, unreadable, type ValueReading, type ValueSlot } from "./value-reading.ts";

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
