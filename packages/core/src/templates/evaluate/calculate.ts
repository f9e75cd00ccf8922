import type { TextRange } from "../../source/span.ts";
import { INTEGER_LIMIT } from "../integer-limit.ts";
import type { Arithmetic } from "../tree.ts";
import { printValue } from "./print.ts";
import type { Run } from "./run.ts";
import { describe, NULL, type Value } from "./value.ts";

type Numeric = Exclude<Arithmetic, "~">;

/** A whole number, unless it is too large to be calculated with. */
export function integerResult(run: Run, at: TextRange, value: bigint): Value {
  if (value > -INTEGER_LIMIT && value < INTEGER_LIMIT) return { kind: "integer", value };
  return run.fail(at, "The number is too large. Allowed: whole numbers below 2^127.");
}

/** A float, unless it is none. */
export function floatResult(run: Run, at: TextRange, value: number): Value {
  if (Number.isFinite(value)) return { kind: "float", value };
  return run.fail(at, "The number is too large. Allowed: numbers below 1.8e308.");
}

/** `+ - * / // %` and `~`. Whole numbers stay exact, `/` always gives a float. */
export function calculate(
  run: Run,
  at: TextRange,
  operator: Arithmetic,
  left: Value,
  right: Value,
): Value {
  if (operator === "~") {
    return run.text(at, printValue(run, at, left) + printValue(run, at, right));
  }
  if (left.kind === "integer" && right.kind === "integer") {
    return calculateIntegers(run, at, operator, left.value, right.value);
  }
  if (isNumber(left) && isNumber(right)) {
    return calculateFloats(run, at, operator, Number(left.value), Number(right.value));
  }
  return calculateOthers(run, at, operator, left, right);
}

function isNumber(value: Value): value is Extract<Value, { readonly kind: "integer" | "float" }> {
  return value.kind === "integer" || value.kind === "float";
}

function calculateIntegers(
  run: Run,
  at: TextRange,
  operator: Numeric,
  a: bigint,
  b: bigint,
): Value {
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

function calculateFloats(run: Run, at: TextRange, operator: Numeric, a: number, b: number): Value {
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

function failZero(run: Run, at: TextRange): Value {
  return run.fail(at, "Division by zero.");
}

function calculateOthers(
  run: Run,
  at: TextRange,
  operator: Numeric,
  left: Value,
  right: Value,
): Value {
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

function repeat(run: Run, at: TextRange, text: string, count: bigint): Value {
  if (count < 0n) return run.fail(at, "Found a text times a negative number. Allowed: from 0.");
  const length = text.length * Number(count);
  return run.mayMake(at, length) ? { kind: "text", value: text.repeat(Number(count)) } : NULL;
}
