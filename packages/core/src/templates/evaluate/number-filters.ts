import { parseDecimal } from "../../decimal/parse-decimal.ts";
import { wholePart } from "../../decimal/plain-decimal.ts";
import { INTEGER_LIMIT } from "../integer-limit.ts";
import { floatResult, integerResult } from "./calculate.ts";
import { type Filter, failInput, integerArgument } from "./filter-call.ts";
import { integerValue, NULL } from "./value.ts";

const MAX_DIGITS = 15;
/** No whole number below the limit has more. */
const MOST_INTEGER_DIGITS = String(INTEGER_LIMIT).length;

/** A whole number: floats and decimal text without their fraction, true and false as 1 and 0. */
export const int: Filter = (call) => {
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
export const round: Filter = (call) => {
  const { run, at, input } = call;
  const digits = call.arguments.length === 0 ? 0 : integerArgument(call, 0, MAX_DIGITS);
  if (digits === null) return NULL;
  if (input.kind === "integer") return input;
  if (input.kind !== "float") return failInput(call, "a number; x | int makes one of a text");
  const scale = 10 ** digits;
  const rounded = Math.round(Math.abs(input.value) * scale) / scale;
  return floatResult(run, at, Math.sign(input.value) * rounded);
};
