import { Big } from "big.js";
import {
  bigOf,
  type Decimal,
  decimalOf,
  decimalPlaces,
  decimalValue,
  divideDecimal,
  meanDecimal,
  parseDecimal,
} from "./decimal.ts";

/** Decimal places up to which numbers are added as integers. */
const MOST_PLACES = 9;
/** Quotients of that many divisors are added before they are carried out, and such as have no more digits. */
const MOST_DIVISORS = 16;
const MOST_DIGITS = 40;
/** Digits that a quotient is carried out to. */
const SIGNIFICANT = 15;
const HALF_EVEN = 2;
/** Below it a double tells the decimal with so many places that it was written as from all others. */
const SURE = 1e15;

const isWide = ({ c, e }: Big): boolean => c.length > MOST_DIGITS || Math.abs(e) > MOST_DIGITS;

/**
 * A sum that is exact, whatever the order of its addends (LANG-066). Numbers of few decimal places
 * are added as integers of the smallest unit, since that costs a tenth; all others as decimals.
 */
export class ExactSum {
  /** what was added as integers, in units of `10 ^ -places` */
  #units = 0;
  #places = 0;
  /** all others as integers, by the decimal places that they have: numbers far apart are not aligned one by one */
  readonly #others = new Map<number, bigint>();
  #otherPlaces = 0;
  /** what was added as quotients: the sum of all that have one divisor, by its text */
  #divided: Map<string, { readonly above: Big; readonly below: Big }> | null = null;
  /** the sum of all quotients as they are carried out, for when there are more divisors than are kept */
  #carriedOut: ExactSum | null = null;
  #areTooMany = false;

  /** Adds a number, or text that is one; false, and nothing added, for any other text. */
  add(value: number | string): boolean {
    if (typeof value === "number" && this.#addUnits(value)) return true;
    const decimal = parseDecimal(value);
    if (decimal === null) return false;
    const { c, e, s } = bigOf(decimal);
    this.#addDigits(BigInt(c.join("")) * BigInt(s), c.length - 1 - e);
    this.#otherPlaces = Math.max(this.#otherPlaces, decimalPlaces(decimal));
    return true;
  }

  /** Adds a quotient that does not come out even, `rounded` being it carried out: all of them are carried out together. */
  addQuotient(dividend: Decimal, divisor: Decimal, rounded: number | string): void {
    (this.#carriedOut ??= new ExactSum()).add(rounded);
    if (this.#areTooMany) return;
    const divided = (this.#divided ??= new Map());
    const [above, below] = [bigOf(dividend), bigOf(divisor)];
    const by = below.toString();
    const known = divided.get(by);
    const isNew = known === undefined;
    // Whatever the order of the addends, either all quotients are added before they are carried out, or none is.
    this.#areTooMany = (isNew && divided.size >= MOST_DIVISORS) || isWide(above) || isWide(below);
    if (this.#areTooMany) this.#divided = null;
    else divided.set(by, { above: isNew ? above : known.above.plus(above), below });
  }

  /** The sum so far: a JSON number if a double holds it, else canonical decimal text; 0 of nothing. */
  total(): number | string {
    if (this.#carriedOut === null) return decimalValue(this.#sum());
    const [above, below] = this.#whole();
    return decimalValue(divideDecimal(above, below));
  }

  /** The sum divided by a count of at least 1; see {@link meanDecimal} for its precision. */
  mean(count: number): number | string {
    if (this.#carriedOut !== null) {
      const [above, below] = this.#whole();
      return decimalValue(divideDecimal(above, decimalOf(bigOf(below).times(count))));
    }
    const places = Math.max(this.#places, this.#otherPlaces);
    return decimalValue(meanDecimal(this.#sum(), count, places));
  }

  /** All as one quotient. */
  #whole(): readonly [above: Decimal, below: Decimal] {
    let [above, below] = [bigOf(this.#sum()), new Big(1)];
    if (this.#divided === null) {
      // Digits behind those that each was carried out to say nothing.
      const rounded = new Big(this.#carriedOut?.total() ?? 0).prec(SIGNIFICANT, HALF_EVEN);
      return [decimalOf(above.plus(rounded)), decimalOf(below)];
    }
    for (const part of this.#divided.values()) {
      above = above.times(part.below).plus(part.above.times(below));
      below = below.times(part.below);
    }
    return [decimalOf(above), decimalOf(below)];
  }

  #sum(): Decimal {
    const all = new Map(this.#others);
    all.set(this.#places, (all.get(this.#places) ?? 0n) + BigInt(this.#units));
    let [sum, at] = [0n, 0];
    // From the largest unit to the smallest, so that each is aligned once.
    for (const [places, digits] of [...all].toSorted(([a], [b]) => a - b)) {
      sum = (sum === 0n ? 0n : sum * 10n ** BigInt(places - at)) + digits;
      at = places;
    }
    return decimalOf(new Big(`${sum}e${-at}`));
  }

  #addDigits(digits: bigint, places: number): void {
    this.#others.set(places, (this.#others.get(places) ?? 0n) + digits);
  }

  #addUnits(value: number): boolean {
    for (let places = this.#places; places <= MOST_PLACES; places++) {
      const unit = 10 ** places;
      const units = Math.round(value * unit);
      if (Math.abs(units) >= SURE) return false;
      if (units / unit !== value) continue;
      if (places > this.#places || !Number.isSafeInteger(this.#units + units)) {
        this.#addDigits(BigInt(this.#units), this.#places);
        this.#units = 0;
        this.#places = places;
      }
      this.#units += units;
      return true;
    }
    return false;
  }
}
