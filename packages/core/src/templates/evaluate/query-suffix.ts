import { numberValue } from "../../decimal/number-value.ts";
import type { JsonObject } from "../../values/json.ts";
import { type Filter, type FilterCall, failInput } from "./filter-call.ts";
import { fromJson, memberOf, sortedKeys } from "./from-json.ts";
import { jsonText, printValue } from "./print.ts";
import { NULL, textValue, type Value } from "./value.ts";
import { formEncode } from "./wire-filters.ts";

/** Runs of digits, or exponents, that a double may not hold. */
const MAYBE_INEXACT = /[0-9.]{16}|[eE]/;
/** What it costs to read JSON with its numbers exact, in readings of a text. */
const READINGS = 24;
/** Texts and numbers of valid JSON, so that the numbers can be told from digits in texts. */
const JSON_SCALAR = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

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
  const write = (key: string, value: Value): void => {
    if (value.kind === "null" || !run.spend(at)) return;
    const nested = value.kind === "list" || value.kind === "object";
    const text = nested ? jsonText(run, at, value) : printValue(run, at, value);
    if (run.mayMake(at, text.length)) parts.push(`&${formEncode(key)}=${formEncode(text)}`);
  };
  for (const key of sortedKeys(object)) {
    const value = memberOf(object, key) ?? NULL;
    if (value.kind !== "list") write(key, value);
    else for (let index = 0; index < value.length; index++) write(key, value.item(index));
  }
  return run.text(at, parts.join(""));
};

function isNothing(value: Value): boolean {
  return value.kind === "null" || value.kind === "blank" || isBlankText(value);
}

function isBlankText(value: Value): boolean {
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
