import type { TextRange } from "../../base/span.ts";
import { type Arithmetic, INTEGER_LIMIT } from "../tree.ts";
import { dataMember, printTemplateValue, sortedKeys } from "./print.ts";
import type { Run } from "./run.ts";
import { describe, NULL, type TemplateValue } from "./value.ts";
import { compareCodePoints } from "../../base/text.ts";
import type { JsonObject } from "../../values/value-type.ts";

type Numeric = Exclude<Arithmetic, "~">;

/** A whole number, unless it is too large to be calculated with. */
export function integerResult(run: Run, at: TextRange, value: bigint): TemplateValue {
  if (value > -INTEGER_LIMIT && value < INTEGER_LIMIT) return { kind: "integer", value };
  return run.fail(at, "The number is too large. Allowed: whole numbers below 2^127.");
}

/** A float, unless it is none. */
export function floatResult(run: Run, at: TextRange, value: number): TemplateValue {
  if (Number.isFinite(value)) return { kind: "float", value };
  return run.fail(at, "The number is too large. Allowed: numbers below 1.8e308.");
}

/** `+ - * / // %` and `~`. Whole numbers stay exact, `/` always gives a float. */
export function calculate(
  run: Run,
  at: TextRange,
  operator: Arithmetic,
  left: TemplateValue,
  right: TemplateValue,
): TemplateValue {
  if (operator === "~") {
    return run.text(at, printTemplateValue(run, at, left) + printTemplateValue(run, at, right));
  }
  if (left.kind === "integer" && right.kind === "integer") {
    return calculateIntegers(run, at, operator, left.value, right.value);
  }
  if (isNumber(left) && isNumber(right)) {
    return calculateFloats(run, at, operator, Number(left.value), Number(right.value));
  }
  return calculateOthers(run, at, operator, left, right);
}

function isNumber(
  value: TemplateValue,
): value is Extract<TemplateValue, { readonly kind: "integer" | "float" }> {
  return value.kind === "integer" || value.kind === "float";
}

function calculateIntegers(
  run: Run,
  at: TextRange,
  operator: Numeric,
  a: bigint,
  b: bigint,
): TemplateValue {
  switch (operator) {
    case "+":
      return integerResult(run, at, a + b);
    case "-":
      return integerResult(run, at, a - b);
    case "*":
      return integerResult(run, at, a * b);
    case "/":
      return calculateFloats(run, at, operator, Number(a), Number(b));
    case "//":
    case "%": {
      if (b === 0n) return failZero(run, at);
      const size = b < 0n ? -b : b;
      const rest = ((a % size) + size) % size;
      return integerResult(run, at, operator === "%" ? rest : (a - rest) / b);
    }
  }
}

function calculateFloats(
  run: Run,
  at: TextRange,
  operator: Numeric,
  a: number,
  b: number,
): TemplateValue {
  switch (operator) {
    case "+":
      return floatResult(run, at, a + b);
    case "-":
      return floatResult(run, at, a - b);
    case "*":
      return floatResult(run, at, a * b);
    case "/":
      return b === 0 ? failZero(run, at) : floatResult(run, at, a / b);
    case "//": {
      if (b === 0) return failZero(run, at);
      const whole = Math.trunc(a / b);
      return floatResult(run, at, a % b < 0 ? whole - Math.sign(b) : whole);
    }
    case "%":
      return b === 0 ? failZero(run, at) : floatResult(run, at, a % b);
  }
}

function failZero(run: Run, at: TextRange): TemplateValue {
  return run.fail(at, "Division by zero.");
}

function calculateOthers(
  run: Run,
  at: TextRange,
  operator: Numeric,
  left: TemplateValue,
  right: TemplateValue,
): TemplateValue {
  if (operator === "+" && left.kind === "text" && right.kind === "text") {
    return run.text(at, left.value + right.value);
  }
  if (operator === "+" && left.kind === "list" && right.kind === "list") {
    const length = left.length + right.length;
    if (!run.spend(at, length)) return NULL;
    // Copied, so that chains of sums stay as quick to read as one list.
    const items = Array.from({ length }, (_, index) =>
      index < left.length ? left.item(index) : right.item(index - left.length),
    );
    return { kind: "list", length, item: (index) => items[index] ?? NULL };
  }
  if (operator === "*" && left.kind === "text" && right.kind === "integer") {
    return repeat(run, at, left.value, right.value);
  }
  if (operator === "*" && left.kind === "integer" && right.kind === "text") {
    return repeat(run, at, right.value, left.value);
  }
  const also =
    operator === "+"
      ? ", two texts or two lists"
      : operator === "*"
        ? ", or a text and a count"
        : "";
  return run.fail(
    at,
    `Found ${describe(left)} ${operator} ${describe(right)}. Allowed: two numbers${also}. ~ joins anything as text; x | int makes a number of a text.`,
  );
}

function repeat(run: Run, at: TextRange, text: string, count: bigint): TemplateValue {
  if (count < 0n) return run.fail(at, "Found a text times a negative number. Allowed: from 0.");
  const length = text.length * Number(count);
  return run.mayMake(at, length) ? { kind: "text", value: text.repeat(Number(count)) } : NULL;
}

const MAX_NESTING = 200;
/** So many members of an object are counted in about a microsecond. */
const MEMBERS_A_STEP = 16;

/** Whether a value counts as true: not null, false, zero, or empty. */
export function isTrue(value: TemplateValue): boolean {
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
function compareNumbers(a: TemplateValue, b: TemplateValue): number | null {
  const left = numberOf(a);
  const right = numberOf(b);
  if (left === null || right === null) return null;
  // The language compares a bigint with a double exactly.
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

function numberOf(value: TemplateValue): bigint | number | null {
  return value.kind === "integer" || value.kind === "float" ? value.value : null;
}

/** Orders two numbers or two texts (by code points); anything else is a failure. */
export function order(run: Run, at: TextRange, a: TemplateValue, b: TemplateValue): number {
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
export function isEqual(
  run: Run,
  at: TextRange,
  a: TemplateValue,
  b: TemplateValue,
  nesting = 0,
): boolean {
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
      const left = dataMember(a.data, key);
      const right = dataMember(b.data, key);
      if (left === undefined || right === undefined) return false;
      return isEqual(run, at, left, right, nesting + 1);
    });
  }
  if (a.kind === "boolean" && b.kind === "boolean") return a.value === b.value;
  const numbers = compareNumbers(asNumber(a), asNumber(b));
  return numbers === null ? a.kind === b.kind && a.kind === "null" : numbers === 0;
}

function asNumber(value: TemplateValue): TemplateValue {
  return value.kind === "boolean" ? { kind: "integer", value: value.value ? 1n : 0n } : value;
}

/** Whether a list has an item, an object a key, or a text another text; anything else is a failure. */
export function contains(
  run: Run,
  at: TextRange,
  whole: TemplateValue,
  part: TemplateValue,
): boolean {
  if (whole.kind === "list") {
    for (let index = 0; index < whole.length && run.failure === null; index++) {
      if (isEqual(run, at, whole.item(index), part)) return true;
    }
    return false;
  }
  if (whole.kind === "object") {
    return part.kind === "text" && dataMember(whole.data, part.value) !== undefined;
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
