import type { TextRange } from "../../source/span.ts";
import { compareCodePoints } from "../../text/compare-code-points.ts";
import type { JsonObject } from "../../values/json.ts";
import { memberOf, sortedKeys } from "./from-json.ts";
import type { Run } from "./run.ts";
import { describe, type Value } from "./value.ts";

const MAX_NESTING = 200;
/** So many members of an object are counted in about a microsecond. */
const MEMBERS_A_STEP = 16;

/** Whether a value counts as true: not null, false, zero, or empty. */
export function isTrue(value: Value): boolean {
  switch (value.kind) {
    case "null":
    case "blank":
    case "missing":
      return false;
    case "boolean":
      return value.value;
    case "integer":
      return value.value !== 0n;
    case "float":
      return value.value !== 0;
    case "text":
      return value.value !== "";
    case "list":
      return value.length > 0;
    case "object":
      return hasMember(value.data);
  }
}

function hasMember(data: JsonObject): boolean {
  for (const key in data) if (Object.hasOwn(data, key)) return true;
  return false;
}

/** The exact order of two numbers, negative, 0 or positive; null if one of them is none. */
function compareNumbers(a: Value, b: Value): number | null {
  const left = numberOf(a);
  const right = numberOf(b);
  if (left === null || right === null) return null;
  // The language compares a bigint with a double exactly.
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

function numberOf(value: Value): bigint | number | null {
  return value.kind === "integer" || value.kind === "float" ? value.value : null;
}

/** Orders two numbers or two texts (by code points); anything else is a failure. */
export function order(run: Run, at: TextRange, a: Value, b: Value): number {
  if (a.kind === "text" && b.kind === "text") {
    run.spendOn(at, Math.min(a.value.length, b.value.length));
    return compareCodePoints(a.value, b.value);
  }
  const numbers = compareNumbers(a, b);
  if (numbers !== null) return numbers;
  let hint = "";
  if (a.kind === "null" || b.kind === "null") hint = " Test it first: x is not none.";
  if (a.kind === "boolean") hint = " Two comparisons are joined with and: a < b and b < c.";
  run.fail(
    at,
    `Found ${describe(a)} and ${describe(b)}. Allowed: two numbers or two texts.${hint}`,
  );
  return 0;
}

/** Whether two values are equal, lists and objects by their parts; true and false equal 1 and 0. */
export function isEqual(run: Run, at: TextRange, a: Value, b: Value, nesting = 0): boolean {
  if (nesting > MAX_NESTING) run.fail(at, `The data nests more than ${MAX_NESTING} levels deep.`);
  if (!run.spend(at)) return false;
  if (a.kind === "text" && b.kind === "text") {
    return run.spendOn(at, Math.min(a.value.length, b.value.length)) && a.value === b.value;
  }
  if (a.kind === "list" && b.kind === "list") {
    if (a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) {
      if (!isEqual(run, at, a.item(index), b.item(index), nesting + 1)) return false;
    }
    return true;
  }
  if (a.kind === "object" && b.kind === "object") {
    const [own, others] = [Object.keys(a.data).length, Object.keys(b.data).length];
    // Counting the members of a large object is work, too, for whoever looks for it among a thousand small ones.
    if (!run.spend(at, Math.ceil((own + others) / MEMBERS_A_STEP)) || own !== others) return false;
    if (!run.spend(at, own)) return false;
    return sortedKeys(a.data).every((key) => {
      const left = memberOf(a.data, key);
      const right = memberOf(b.data, key);
      if (left === undefined || right === undefined) return false;
      return isEqual(run, at, left, right, nesting + 1);
    });
  }
  if (a.kind === "boolean" && b.kind === "boolean") return a.value === b.value;
  const numbers = compareNumbers(asNumber(a), asNumber(b));
  return numbers === null ? a.kind === b.kind && a.kind === "null" : numbers === 0;
}

function asNumber(value: Value): Value {
  return value.kind === "boolean" ? { kind: "integer", value: value.value ? 1n : 0n } : value;
}

/** Whether a list has an item, an object a key, or a text another text; anything else is a failure. */
export function contains(run: Run, at: TextRange, whole: Value, part: Value): boolean {
  if (whole.kind === "list") {
    for (let index = 0; index < whole.length && run.failure === null; index++) {
      if (isEqual(run, at, whole.item(index), part)) return true;
    }
    return false;
  }
  if (whole.kind === "object") {
    return part.kind === "text" && memberOf(whole.data, part.value) !== undefined;
  }
  if (whole.kind === "text" && part.kind === "text") {
    run.spendOn(at, whole.value.length);
    return whole.value.includes(part.value);
  }
  run.fail(
    at,
    `Found ${describe(part)} in ${describe(whole)}. Allowed: in a list, a key in an object, a text in a text.`,
  );
  return false;
}
