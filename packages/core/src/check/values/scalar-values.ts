import { numberValue } from "../../base/decimal.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { DurationValue, NumberValue, Value } from "../../language/grammar/ast-values.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import { isRelativeDate, isWithinReach } from "../../values/relative-date.ts";
import type { Json, JsonObject, TemporalFormat } from "../../values/value-type.ts";
import { canonicalDate, wireDate } from "../../values/coerce-value.ts";
import type { CheckContext } from "../check-context.ts";
import {
  literal,
  literalText,
  readAs,
  unreadable,
  type ValueReading,
  type ValueSlot,
} from "./value-reading.ts";
import { badOption, invalidValue } from "./slot-problems.ts";
import { isDate, shiftedDate } from "../../language/grammar/date-literal.ts";
import { type Instant, instantOf, parseInstant } from "../../values/dates.ts";
import type { TypedKey, TypedValue } from "../typed-program.ts";

const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** Text of any semantics; numbers, dates and uuids by their source text (LANG-040). */
export function readText(context: CheckContext, value: Value, slot: ValueSlot): ValueReading {
  const text = literalText(value);
  if (text !== null) return literal(text);
  const problem = invalidValue(context, value, slot);
  if (value.kind !== "BoolValue") return unreadable(problem);
  const quoted = quoteText(String(value.value));
  return unreadable({ ...problem, edits: [{ span: value.span, replacement: quoted }] });
}

export function readUuid(context: CheckContext, value: Value, slot: ValueSlot): ValueReading {
  const text = literalText(value);
  if (text !== null && UUID.test(text)) return literal(text);
  return unreadable(invalidValue(context, value, slot));
}

/** Text, or an attachment object (RUN-038). */
export function readBlob(context: CheckContext, value: Value, slot: ValueSlot): ValueReading {
  const text = value.kind === "NumberValue" ? null : literalText(value);
  if (text === null) return unreadable(invalidValue(context, value, slot));
  if (!PATH.test(text)) return literal(text);
  const form = `file(${quoteText(text)})`;
  const edits = [{ span: value.span, replacement: form }];
  const args = { slot: slot.shown, form };
  return unreadable(diagnose(valueMessages.pathAsText, value.span, args, edits));
}

/** The path of a file: no bytes are written so, and its writer means what is there (VAL-07). */
const PATH = /^\/(?:[^/\s]+\/)+[^/\s]+\.\w{1,8}$/;

/** A number or text that is one, exactly (LANG-041); an integer only if integral. */
export function readNumber(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  integral: boolean,
): ValueReading {
  if (value.kind === "NumberValue") {
    const problem = badNumber(value);
    if (problem !== null) return unreadable(problem);
  }
  const text = value.kind === "BoolValue" ? null : literalText(value);
  const number = text === null ? null : numberValue(text.trim());
  if (number === null) return unreadable(invalidValue(context, value, slot));
  if (integral && !isIntegral(number)) return unreadable(invalidValue(context, value, slot));
  return typeof number === "number" ? literal(number) : readAs({ kind: "dec", text: number });
}

function isIntegral(number: number | string): boolean {
  if (typeof number === "number") return Number.isInteger(number);
  const match = /^-?\d+(?:\.(\d+))?(?:e(-?\d+))?$/.exec(number);
  return match !== null && (match[1] ?? "").length <= Number(match[2] ?? 0);
}

/** The error of a number, or a length of time, that is too long or too large to be kept exactly (LANG-041). */
export function numberSize({ raw, span }: NumberValue | DurationValue): Diagnostic {
  return diagnose(valueMessages.numberSize, span, { quoted: quoteText(raw) });
}

function badNumber(value: NumberValue): Diagnostic | null {
  const { raw } = value;
  if (numberValue(raw) === null) return numberSize(value);
  const plain = raw.replace(/^(-?)0+(?=\d)/, "$1");
  if (plain === raw) return null;
  const edits = [{ span: value.span, replacement: plain }];
  const args = { plain, quoted: quoteText(raw) };
  return diagnose(valueMessages.leadingZero, value.span, args, edits);
}

export function readBoolean(context: CheckContext, value: Value, slot: ValueSlot): ValueReading {
  if (value.kind === "BoolValue") return literal(value.value);
  const text = value.kind === "NumberValue" ? null : literalText(value);
  if (text === "true" || text === "false") return literal(text === "true");
  return unreadable(invalidValue(context, value, slot));
}

/** One option by its source text; a select without options takes any text (CAT-032). */
export function readOption(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  options: readonly string[],
): ValueReading {
  const text = value.kind === "BoolValue" ? String(value.value) : literalText(value);
  if (text === null) return unreadable(invalidValue(context, value, slot));
  if (options.length === 0 || options.includes(text)) return literal(text);
  return unreadable(badOption(context, value, slot, options));
}

/** A date, the same as text, a relative date, or an integer in the unit of a unix format. */
export function readDate(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  format: TemporalFormat,
): ValueReading {
  if (value.kind === "WordValue" && isRelativeDate(value.raw)) {
    if (isWithinReach(value.raw)) return readAs({ kind: "now", text: value.raw });
    const args = { raw: value.raw, quoted: quoteText(value.raw) };
    return unreadable(diagnose(valueMessages.farDate, value.span, args));
  }
  if (value.kind === "NumberValue") {
    const unix = unixInstant(Number(value.raw), format);
    if (unix === null) return unreadable(dateProblem(context, value, slot));
    return literal(slot.use === "wire" ? Number(value.raw) : canonicalDate(unix));
  }
  const text = literalText(value);
  const instant = text === null ? null : literalInstant(text);
  if (instant === null) return unreadable(dateProblem(context, value, slot));
  return literal(slot.use === "wire" ? wireDate(instant, format) : canonicalDate(instant));
}

/** The error of what is no date, with the date that is meant where one can be told: `today-3months`, `1990`, `2026-05`. */
function dateProblem(context: CheckContext, value: Value, slot: ValueSlot): Diagnostic {
  const text = literalText(value) ?? "";
  const shifted = value.kind === "WordValue" ? shiftedDate(text) : null;
  if (shifted !== null) {
    const edits = [{ span: value.span, replacement: shifted }];
    return { ...invalidValue(context, value, slot, shifted), edits };
  }
  const [year, month = "01"] = /^[12]\d{3}(?:-\d\d)?$/.test(text) ? text.split("-") : [];
  const first = `${year}-${month}-01`;
  return invalidValue(context, value, slot, isDate(first) ? `its first day, ${first}` : null);
}

/** The instant of a date literal; null if the text is no date of LANG-006. */
function literalInstant(text: string): Instant | null {
  return isDate(text) ? parseInstant(text) : null;
}

/** The instant of an integer in the unit of a unix format, else null. */
function unixInstant(value: number, format: TemporalFormat): Instant | null {
  if (!Number.isSafeInteger(value)) return null;
  return format === "unix_sec" || format === "unix_ms" ? instantOf(value, format) : null;
}

/** A list; one constant if all its items are (plan specification, section 2). */
export function foldList(items: readonly TypedValue[]): TypedValue {
  const constants: Json[] = [];
  for (const item of items) {
    if (item.kind !== "lit") return { kind: "list", items };
    constants.push(item.value);
  }
  return { kind: "lit", value: constants };
}

/** An object; one constant if all its members are. */
export function foldObject(entries: ReadonlyMap<string, TypedValue>): TypedValue {
  const constants: [string, Json][] = [];
  for (const [key, value] of entries) {
    if (value.kind !== "lit") return { kind: "object", entries };
    constants.push([key, value.value]);
  }
  return { kind: "lit", value: jsonObject(constants) };
}

/** An object of own members only, whatever their names (`__proto__` included). */
export function jsonObject(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}

/** The constant a value is, exact decimals as text; undefined if it is known only at run. */
export function constantOf(value: TypedValue | null): Json | undefined {
  if (value?.kind === "lit") return value.value;
  if (value?.kind === "dec") return value.text;
  if (value?.kind !== "list") return undefined;
  const items = value.items.map(constantOf);
  return items.includes(undefined)
    ? undefined
    : items.flatMap((item) => (item === undefined ? [] : [item]));
}

/** A key whose parts are all constants, as an object; undefined if one is known only at run. */
export function constantKey(key: TypedKey): Readonly<Record<string, Json>> | undefined {
  const parts: [string, Json][] = [];
  for (const [name, value] of key) {
    const constant = constantOf(value);
    if (constant === undefined) return undefined;
    parts.push([name, constant]);
  }
  return Object.fromEntries(parts);
}
