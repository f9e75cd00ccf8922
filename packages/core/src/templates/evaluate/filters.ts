import type { FilterName } from "../filter-signatures.ts";
import {
  failInput,
  type Filter,
  type FilterCall,
  integerArgument,
  textArgument,
} from "./filter-call.ts";
import {
  date,
  joinSanitize,
  jsonEncode,
  lower,
  replace,
  sanitizeIdentifier,
  split,
  splitPart,
  stripTrailingSlash,
  trim,
  upper,
  urlencode,
  wireQuerySuffix,
  wireTime,
} from "./text-filters.ts";
import { fixedDecimal, numberValue, parseDecimal, wholePart } from "../../base/decimal.ts";
import { ExactSum } from "../../base/exact-sum.ts";
import { INTEGER_LIMIT } from "../tree.ts";
import { floatResult, integerResult } from "./calculate.ts";
import {
  characterAt,
  characterCount,
  integerValue,
  listValue,
  NULL,
  type TemplateValue,
  textValue,
} from "./value.ts";
import { itemsOf } from "./items.ts";
import { dataMember, fromJson, printTemplateValue } from "./print.ts";

/** Characters, items or members. */
const length: Filter = (call) => {
  const { run, at, input } = call;
  switch (input.kind) {
    case "text":
      run.spendOn(at, input.value.length);
      return integerValue(characterCount(input.value));
    case "list":
      return integerValue(input.length);
    case "object": {
      const { length: members } = Object.keys(input.data);
      return run.spend(at, members) ? integerValue(members) : NULL;
    }
    default:
      return failInput(call, "a text, a list or an object");
  }
};

const pick =
  (which: "first" | "last"): Filter =>
  (call) => {
    const { at, input } = call;
    if (input.kind === "text") {
      const character = characterAt(input.value, which === "first" ? 0 : -1);
      if (character !== undefined) return textValue(character);
    } else if (input.kind === "list") {
      if (input.length > 0) return input.item(which === "first" ? 0 : input.length - 1);
    } else {
      return failInput(call, "a list or a text");
    }
    const message = `There is no ${which} of nothing: what it is taken from is empty. Test its length first, or add | default(value).`;
    return { kind: "missing", at, message };
  };

const first = pick("first");
const last = pick("last");

/** The printed items with a separator between them; null is an empty list, in a list an empty item. */
const join: Filter = (call) => {
  const { run, at, input } = call;
  const separator = call.arguments.length === 0 ? "" : textArgument(call, 0);
  const items = itemsOf(run, at, input);
  if (items === null) return failInput(call, "a list");
  if (separator === null) return NULL;
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; index < items.length && run.spend(at); index++) {
    const part = printTemplateValue(run, at, items.item(index));
    parts.push(part);
    length += part.length + (index > 0 ? separator.length : 0);
    if (length > run.limits.output) break;
  }
  return run.mayMake(at, length) ? textValue(parts.join(separator)) : NULL;
};

const MAX_DIGITS = 15;
/** No whole number below the limit has more. */
const MOST_INTEGER_DIGITS = String(INTEGER_LIMIT).length;

/** A whole number: floats and decimal text without their fraction, true and false as 1 and 0. */
const int: Filter = (call) => {
  const { run, at, input } = call;
  switch (input.kind) {
    case "integer":
      return input;
    case "boolean":
      return integerValue(input.value ? 1 : 0);
    case "float":
    case "text": {
      if (input.kind === "text" && !run.spendOn(at, input.value.length)) return NULL;
      const decimal = parseDecimal(input.value);
      if (decimal === null) return failInput(call, "a text that is a number");
      return integerResult(run, at, wholePart(decimal, MOST_INTEGER_DIGITS) ?? INTEGER_LIMIT);
    }
    default:
      return failInput(call, "a number, or a text that is one");
  }
};

/** A float rounded to so many digits, halves away from zero; a whole number stays as it is. */
const round: Filter = (call) => {
  const { run, at, input } = call;
  const digits = call.arguments.length === 0 ? 0 : integerArgument(call, 0, MAX_DIGITS);
  if (digits === null) return NULL;
  if (input.kind === "integer") return input;
  if (input.kind !== "float") return failInput(call, "a number; x | int makes one of a text");
  const scale = 10 ** digits;
  const rounded = Math.round(Math.abs(input.value) * scale) / scale;
  return floatResult(run, at, Math.sign(input.value) * rounded);
};

/** A text with such a unit has characters of two. */
const SURROGATE = /[\ud800-\udfff]/;

/** A part of a text or a list, from one place to before another; negative places count from the end. */
const slice: Filter = (call) => {
  const { run, at, input } = call;
  if (input.kind !== "text" && input.kind !== "list") return failInput(call, "a text or a list");
  const from = placeArgument(call, 0);
  const to = placeArgument(call, 1);
  if (run.failure !== null) return NULL;
  if (input.kind === "text") {
    if (!run.spendOn(at, input.value.length)) return NULL;
    if (!SURROGATE.test(input.value)) return textValue(input.value.slice(from, to));
    if (!run.spend(at, input.value.length)) return NULL;
    return textValue(Array.from(input.value).slice(from, to).join(""));
  }
  const { length: count } = input;
  const [first, end] = [placed(from ?? 0, count), placed(to ?? count, count)];
  if (!run.spend(at, Math.max(0, end - first))) return NULL;
  const places = Array.from({ length: Math.max(0, end - first) }, (_none, index) => first + index);
  return listValue(places.map((place) => input.item(place)));
};

/** A place in a list of so many, negative ones from its end. */
const placed = (place: number, count: number): number =>
  place < 0 ? Math.max(0, count + place) : Math.min(place, count);

/** A place, or undefined where null stands for an open end. */
function placeArgument(call: FilterCall, index: number): number | undefined {
  const given = call.arguments[index];
  if (given === undefined || given.kind === "null") return undefined;
  return integerArgument(call, index, 1_000_000_000) ?? undefined;
}

/** The exact sum of numbers, or of a column of rows; null counts as nothing. */
const sum: Filter = (call) => {
  const { run, at } = call;
  const items = itemsOf(run, at, call.input);
  if (items === null) return failInput(call, "a list");
  const column = call.arguments.length === 0 ? null : textArgument(call, 0);
  if (run.failure !== null) return NULL;
  const total = new ExactSum();
  for (let index = 0; index < items.length && run.spend(at); index++) {
    const item = items.item(index);
    const value = column === null ? item : memberOf(item, column);
    if (value.kind === "null") continue;
    if (!addTo(total, value)) return failInput({ ...call, input: value }, "numbers");
  }
  const text = String(total.total());
  return fromJson(numberValue(text) ?? text) ?? NULL;
};

function memberOf(item: TemplateValue, column: string): TemplateValue {
  const value = item.kind === "object" ? dataMember(item.data, column) : undefined;
  return value ?? item;
}

function addTo(total: ExactSum, value: TemplateValue): boolean {
  switch (value.kind) {
    case "integer":
      return total.add(String(value.value));
    case "float":
    case "text":
      return total.add(value.value);
    default:
      return false;
  }
}

/** A number with two decimal places, halves rounded away from zero. */
const money: Filter = (call) => {
  const { run, at, input } = call;
  // Writing its digits takes as long as reading them.
  if (input.kind === "text" && !run.spendOn(at, 2 * input.value.length)) return NULL;
  const decimal =
    input.kind === "integer"
      ? parseDecimal(String(input.value))
      : input.kind === "float" || input.kind === "text"
        ? parseDecimal(input.value)
        : null;
  if (decimal === null) return failInput(call, "a number, or a text that is one");
  return run.text(at, fixedDecimal(decimal, 2));
};

/** What each filter does. `default` is not here: it alone takes an input that is missing. */
export const filters: Readonly<Record<Exclude<FilterName, "default">, Filter>> = {
  lower,
  upper,
  trim,
  replace,
  length,
  first,
  last,
  join,
  slice,
  sum,
  money,
  date,
  int,
  round,
  urlencode,
  json_encode: jsonEncode,
  strip_trailing_slash: stripTrailingSlash,
  wire_time: wireTime,
  wire_query_suffix: wireQuerySuffix,
  split,
  split_part: splitPart,
  join_sanitize: joinSanitize,
  sanitize_identifier: sanitizeIdentifier,
};
