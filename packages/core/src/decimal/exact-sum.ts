import { bigOf, type Decimal, decimalOf } from "./decimal.ts";
import { decimalPlaces, meanDecimal } from "./mean-decimal.ts";
import { decimalValue } from "./number-value.ts";
import { parseDecimal } from "./parse-decimal.ts";

const plus = (a: Decimal, b: Decimal): Decimal => decimalOf(bigOf(a).plus(bigOf(b)));

/** Decimal places up to which numbers are added as integers. */
const MOST_PLACES = 9;
/** Below it a double tells the decimal with so many places that it was written as from all others. */
const SURE = 1e15;

function exact(value: number | string): Decimal {
  const decimal = parseDecimal(value);
  if (decimal === null) throw new Error(`${value} is no number`);
  return decimal;
}

/**
 * A sum that is exact, whatever the order of its addends (LANG-066). Numbers of few decimal places
 * are added as integers of the smallest unit, since that costs a tenth; all others as decimals.
 */
export class ExactSum {
  /** what was added as integers, in units of `10 ^ -places` */
  #units = 0;
  #places = 0;
  #others: Decimal = exact(0);
  #otherPlaces = 0;

  /** Adds a number, or text that is one; false, and nothing added, for any other text. */
  add(value: number | string): boolean {
    if (typeof value === "number" && this.#addUnits(value)) return true;
    const decimal = parseDecimal(value);
    if (decimal === null) return false;
    this.#others = plus(this.#others, decimal);
    this.#otherPlaces = Math.max(this.#otherPlaces, decimalPlaces(decimal));
    return true;
  }

  /** The sum so far: a JSON number if a double holds it, else canonical decimal text; 0 of nothing. */
  total(): number | string {
    return decimalValue(this.#sum());
  }

  /** The sum divided by a count of at least 1; see {@link meanDecimal} for its precision. */
  mean(count: number): number | string {
    const places = Math.max(this.#places, this.#otherPlaces);
    return decimalValue(meanDecimal(this.#sum(), count, places));
  }

  #sum(): Decimal {
    return plus(this.#others, exact(`${this.#units}e-${this.#places}`));
  }

  #addUnits(value: number): boolean {
    for (let places = this.#places; places <= MOST_PLACES; places++) {
      const unit = 10 ** places;
      const units = Math.round(value * unit);
      if (Math.abs(units) >= SURE) return false;
      if (units / unit !== value) continue;
      if (places > this.#places || !Number.isSafeInteger(this.#units + units)) {
        this.#others = this.#sum();
        this.#units = 0;
        this.#places = places;
      }
      this.#units += units;
      return true;
    }
    return false;
  }
}
