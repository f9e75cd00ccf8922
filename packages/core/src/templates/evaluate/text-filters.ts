import { cutWhiteSpace, skipWhiteSpace } from "../parse/tag-reader.ts";
import {
  failInput,
  type Filter,
  type FilterCall,
  integerArgument,
  textArgument,
  textFilter,
  inputText,
} from "./filter-call.ts";
import { listValue, NULL, textValue, type TemplateValue } from "./value.ts";
import { parseInstant } from "../../values/dates.ts";
import { wireDate } from "../../values/coerce-value.ts";
import { isWireTimeFormat, WIRE_TIME_FORMATS } from "../filter-signatures.ts";
import { fromJson, sortedJsonText, dataMember, printTemplateValue, sortedKeys } from "./print.ts";
import { numberValue } from "../../base/decimal.ts";
import type { JsonObject } from "../../values/value-type.ts";

const MAX_PARTS = 1_000_000;

export const lower = textFilter((text) => text.toLowerCase());
export const upper = textFilter((text) => text.toUpperCase());
export const stripTrailingSlash = textFilter((text) => text.replace(/\/$/, ""));

export const trim = textFilter((text) => {
  const start = skipWhiteSpace(text, 0);
  return text.slice(start, cutWhiteSpace(text, start, text.length));
});

export const replace: Filter = (call) => {
  const text = inputText(call);
  const from = textArgument(call, 0);
  const to = textArgument(call, 1);
  if (text === null || from === null || to === null) return NULL;
  if (from === "" && !call.run.spend(call.at, text.length)) return NULL;
  const pieces = from === "" ? ["", ...text, ""] : text.split(from);
  const kept = text.length - (from === "" ? 0 : (pieces.length - 1) * from.length);
  const length = kept + (pieces.length - 1) * to.length;
  return call.run.mayMake(call.at, length) ? textValue(pieces.join(to)) : NULL;
};

const TWO = (value: number): string => String(value).padStart(2, "0");
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The parts of a date by the letters that C and Python have for them; in UTC, names in English. */
const DATE_PARTS: Readonly<Record<string, (at: Date) => string>> = {
  Y: (at) => String(at.getUTCFullYear()).padStart(4, "0"),
  m: (at) => TWO(at.getUTCMonth() + 1),
  d: (at) => TWO(at.getUTCDate()),
  H: (at) => TWO(at.getUTCHours()),
  M: (at) => TWO(at.getUTCMinutes()),
  S: (at) => TWO(at.getUTCSeconds()),
  B: (at) => MONTHS[at.getUTCMonth()] ?? "",
  b: (at) => (MONTHS[at.getUTCMonth()] ?? "").slice(0, 3),
  A: (at) => DAYS[at.getUTCDay()] ?? "",
  a: (at) => (DAYS[at.getUTCDay()] ?? "").slice(0, 3),
  "%": () => "%",
};

/** A date or moment as its day, or in a form such as `%d.%m.%Y`. */
export const date: Filter = (call) => {
  const { run, at } = call;
  const text = inputText(call);
  const form = call.arguments.length === 0 ? "%Y-%m-%d" : textArgument(call, 0);
  if (text === null || form === null || !run.spendOn(at, form.length)) return NULL;
  const instant = parseInstant(text.trim());
  if (instant === null) return failInput(call, "a date, like 2026-01-31 or 2026-01-31T08:00:00Z");
  const moment = new Date(instant.seconds * 1000);
  const unknown = /%(?![YmdHMSBbAa%])./.exec(form)?.[0];
  if (unknown !== undefined) {
    const place = call.argumentsAt[0] ?? at;
    return run.fail(place, `Found ${unknown} in a form. Allowed: ${ALLOWED}.`);
  }
  return run.text(
    at,
    form.replaceAll(/%([YmdHMSBbAa%])/g, (_all, part: string) => DATE_PARTS[part]?.(moment) ?? ""),
  );
};

const ALLOWED = Object.keys(DATE_PARTS)
  .map((part) => `%${part}`)
  .join(" ");

export const split: Filter = (call) => {
  if (call.input.kind !== "text") return failInput(call, "a text");
  const pieces = splitText(call, call.input.value, 0);
  return pieces === null ? NULL : listValue(pieces.map(textValue));
};

/** One part of a text between separators, by its number: from 0, or from the end as -1, -2. */
export const splitPart: Filter = (call) => {
  if (call.input.kind !== "text") return failInput(call, "a text");
  const pieces = splitText(call, call.input.value, 0);
  const number = integerArgument(call, 1, MAX_PARTS);
  if (pieces === null || number === null) return NULL;
  const piece = pieces.at(number);
  if (piece !== undefined) return textValue(piece);
  const message = `There is no part ${number}: the text has ${pieces.length}. Add | default(value) where it may be missing.`;
  return { kind: "missing", at: call.at, message };
};

/** The pieces of a text between a separator, which is an argument; null if that is none. */
function splitText(call: FilterCall, text: string, argument: number): readonly string[] | null {
  const { run, at, argumentsAt } = call;
  const separator = textArgument(call, argument);
  if (separator === null || !run.spendOn(at, text.length)) return null;
  if (separator === "") {
    const place = argumentsAt[argument] ?? at;
    run.fail(place, "Found an empty separator. Allowed: one character or more.");
    return null;
  }
  const pieces = text.split(separator);
  return run.spend(at, pieces.length) ? pieces : null;
}

const LONE_SURROGATE = /\p{Cs}/gu;
const HAS_SURROGATE = /[\ud800-\udfff]/;

/** What forms write in another way than the language's own encoding of a part of an address. */
const OF_FORMS = /%20|[!'()~]/g;
const FORM_WRITING: Readonly<Record<string, string>> = {
  "%20": "+",
  "!": "%21",
  "'": "%27",
  "(": "%28",
  ")": "%29",
  "~": "%7E",
};

/**
 * A text as a form writes it: blanks as `+`, other unsafe characters as percent-encoded UTF-8, half a
 * surrogate pair as U+FFFD.
 */
function formEncode(text: string): string {
  const whole = HAS_SURROGATE.test(text) ? text.replaceAll(LONE_SURROGATE, "\ufffd") : text;
  return encodeURIComponent(whole).replaceAll(OF_FORMS, (found) => FORM_WRITING[found] ?? found);
}

export const urlencode = textFilter(formEncode, 6);

export const jsonEncode: Filter = ({ run, at, input }) =>
  run.text(at, sortedJsonText(run, at, input));

/** A date in a wire format, in UTC; digits and `now…` as they are, null as nothing. */
export const wireTime: Filter = (call) => {
  const { input } = call;
  const format = textArgument(call, 0);
  if (format === null) return NULL;
  if (!isWireTimeFormat(format)) {
    const at = call.argumentsAt[0] ?? call.at;
    return call.run.fail(at, `Found format ${format}. Allowed: ${WIRE_TIME_FORMATS.join(", ")}.`);
  }
  if (input.kind === "null" || input.kind === "blank") return textValue("");
  if (input.kind === "integer" && input.value >= 0n) return input;
  if (input.kind === "text") {
    const text = input.value.trim();
    if (/^(?:\d+$|now)/.test(text)) return textValue(text);
    const instant = parseInstant(text);
    if (instant !== null) return fromJson(wireDate(instant, format)) ?? NULL;
  }
  return failInput(call, "a date such as 2026-01-31 or 2026-01-31T10:00:00Z, digits, or now…");
};

/**
 * A text as a name (CAT-017): each run of other characters than letters, digits and `_` is one `_`, none
 * at the ends; a leading digit gets one before it. `_` if nothing is left.
 */
function identifier(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9_]+/g, "_");
  const start = name.startsWith("_") && !text.startsWith("_") ? 1 : 0;
  const cut = name.endsWith("_") && !text.endsWith("_") ? 1 : 0;
  const bare = name.slice(start, Math.max(start, name.length - cut));
  return /^[A-Za-z_]/.test(bare) ? bare : `_${bare}`;
}

export const sanitizeIdentifier = textFilter(identifier);

/** The parts of a text between separators as names, joined by another separator; empty parts are left out. */
export const joinSanitize: Filter = (call) => {
  const text = inputText(call);
  const separator = textArgument(call, 0);
  const parts = splitText(call, text ?? "", 1);
  if (text === null || separator === null || parts === null) return NULL;
  const names = parts.filter((part) => part !== "").map(identifier);
  const length = text.length + names.length * (separator.length + 1);
  return call.run.mayMake(call.at, length) ? textValue(names.join(separator)) : NULL;
};

/** Runs of digits, or exponents, that a double may not hold. */
const MAYBE_INEXACT = /[0-9.]{16}|[eE]/;
/** What it costs to read JSON with its numbers exact, in readings of a text. */
const READINGS = 24;
/** Texts and numbers of valid JSON, so that the numbers can be told from digits in texts. */
const JSON_SCALAR = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/g;

/**
 * A JSON object, or text that is one, as `&key=value…` in the order of its keys. As in mappings, null and
 * empty lists are left out, lists repeat their key, objects are JSON (MAP-013). Null and blank text: nothing.
 */
export const wireQuerySuffix: Filter = (call) => {
  const object = objectOf(call);
  if (object === null) {
    if (isNothing(call.input)) return textValue("");
    return failInput(call, "an object, or a text that is a JSON object");
  }
  const { run, at } = call;
  const parts: string[] = [];
  const write = (key: string, value: TemplateValue): void => {
    if (value.kind === "null" || !run.spend(at)) return;
    const nested = value.kind === "list" || value.kind === "object";
    const text = nested ? sortedJsonText(run, at, value) : printTemplateValue(run, at, value);
    if (run.mayMake(at, text.length)) parts.push(`&${formEncode(key)}=${formEncode(text)}`);
  };
  for (const key of sortedKeys(object)) {
    const value = dataMember(object, key) ?? NULL;
    if (value.kind !== "list") write(key, value);
    else for (let index = 0; index < value.length; index++) write(key, value.item(index));
  }
  return run.text(at, parts.join(""));
};

function isNothing(value: TemplateValue): boolean {
  return value.kind === "null" || value.kind === "blank" || isBlankText(value);
}

function isBlankText(value: TemplateValue): boolean {
  return value.kind === "text" && value.value.trim() === "";
}

function objectOf({ run, at, input }: FilterCall): JsonObject | null {
  if (input.kind === "object") return input.data;
  if (input.kind !== "text" || !run.spendOn(at, READINGS * input.value.length)) {
    return null;
  }
  const value = fromJson(parseExact(input.value));
  return value?.kind === "object" ? value.data : null;
}

/** JSON with the numbers that no double holds as decimal text (RUN-033); undefined if it is none. */
function parseExact(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (!MAYBE_INEXACT.test(text)) return value;
    const exact = text.replaceAll(JSON_SCALAR, (scalar) => {
      const kept = scalar.startsWith('"') || typeof numberValue(scalar) !== "string";
      return kept ? scalar : `"${scalar}"`;
    });
    return JSON.parse(exact);
  } catch {
    return undefined;
  }
}
