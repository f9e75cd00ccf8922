import {
  absoluteExactly,
  addExactly,
  divideExactly,
  type Exact,
  multiplyExactly,
  negateExactly,
  numberExactly,
  Quotient,
  remainderExactly,
  subtractExactly,
} from "./numbers.ts";

/**
 * Told of what an operation is about to go through or to make, as so many characters; it throws where that is too much
 * (18.13, 18.14).
 */
export type SpendWork = (characters: number) => void;

/** What a digit of one number that meets a digit of the other costs, in characters gone through in the same time. */
const DIGIT_PAIR = 8;

/** The most digits that a double has, nearly. */
const DIGITS_OF_DOUBLE = 16;

/**
 * An operation that takes and gives quotients which are not carried out yet (LANG-048). No operand is null; one that
 * takes a single operand leaves the second alone.
 */
type Arithmetic = (a: Exact, b: Exact, spend: SpendWork) => Exact;

/** What going through a number costs: text is as long as it is. */
const lengthOf = (value: Exact): number =>
  typeof value === "string" || Array.isArray(value) ? value.length : 0;

function digitsOf(value: Exact): number {
  if (value instanceof Quotient) return value.digits;
  return typeof value === "string" ? value.length : DIGITS_OF_DOUBLE;
}

type Calculate = (a: Exact, b: Exact) => Exact;

/** One whose work grows with the digits that it reads: numbers that a double holds have few, and most rows have no others. */
const byDigit =
  (of: Calculate): Arithmetic =>
  (a, b, spend) => {
    if (typeof a !== "number" || (typeof b !== "number" && b !== null)) {
      spend(lengthOf(a) + lengthOf(b) + digitsOf(a) * digitsOf(b) * DIGIT_PAIR);
    }
    return of(a, b);
  };

/** One whose work is that of all digits of one number with all of the other, whatever holds them. */
const byDigitPair =
  (of: Calculate): Arithmetic =>
  (a, b, spend) => {
    const digits = digitsOf(a) * digitsOf(b) * DIGIT_PAIR;
    const isPlain = typeof a === "number" && (typeof b === "number" || b === null);
    spend(isPlain ? digits : lengthOf(a) + lengthOf(b) + digits);
    return of(a, b);
  };

const ARITHMETIC: ReadonlyMap<string, Arithmetic> = new Map([
  ["add", byDigit(addExactly)],
  ["subtract", byDigit(subtractExactly)],
  ["multiply", byDigitPair(multiplyExactly)],
  ["divide", byDigitPair(divideExactly)],
  ["remainder", byDigitPair(remainderExactly)],
  ["negate", byDigit(negateExactly)],
  ["abs", byDigit(absoluteExactly)],
  ["number", byDigit(numberExactly)],
  ["days", byDigitPair((a) => divideExactly(a, 86_400))],
]);

/** The arithmetic of this name; undefined where the operation is none. Names are part of the commit of a plan. */
export const arithmetic = (name: string): Arithmetic | undefined => ARITHMETIC.get(name);
