import type { FilterName } from "../filter-signatures.ts";
import { failInput, type Filter, integerArgument, textArgument } from "./filter-call.ts";
import {
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
import { parseDecimal, wholePart } from "../../base/decimal.ts";
import { INTEGER_LIMIT } from "../tree.ts";
import { floatResult, integerResult } from "./calculate.ts";
import { characterAt, characterCount, integerValue, NULL, textValue } from "./value.ts";
import { itemsOf } from "./items.ts";
import { printTemplateValue } from "./print.ts";

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
