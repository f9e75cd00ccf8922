import type { Decimal } from "../../decimal/decimal.ts";
import { parseDecimal } from "../../decimal/parse-decimal.ts";
import { plainDecimal } from "../../decimal/plain-decimal.ts";
import { floatResult, integerResult } from "./calculate.ts";
import { type Filter, failInput, integerArgument } from "./filter-call.ts";
import { integerValue, NULL } from "./value.ts";

const MAX_DIGITS = 15;

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
      const decimal = parseDecimal(input.value);
      if (decimal !== null) return integerResult(run, at, wholePart(decimal));
      return failInput(call, "a text that is a number");
    }
    default:
      return failInput(call, "a number, or a text that is one");
  }
};

function wholePart(decimal: Decimal): bigint {
  const [whole = "0"] = plainDecimal(decimal).split(".");
  return BigInt(whole);
}

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
