/** An exact decimal: `units` of a tenth to the power of `scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

const FORM = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Reads a number or its text exactly; null for what is none. */
export function decimalOf(value: unknown): Decimal | null {
  const parts = FORM.exec(
    typeof value === "number" ? String(value) : typeof value === "string" ? value : "",
  );
  if (parts === null) return null;
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] = parts;
  const units = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

const scaled = ({ units, scale }: Decimal, to: number): bigint => units * 10n ** BigInt(to - scale);

export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [scaled(a, scale), scaled(b, scale)];
  return left < right ? -1 : left > right ? 1 : 0;
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: scaled(a, scale) + scaled(b, scale), scale };
}

export const multiplied = (a: Decimal, b: Decimal): Decimal => ({
  units: a.units * b.units,
  scale: a.scale + b.scale,
});

const magnitudeOf = (units: bigint): number => units.toString().replace("-", "").length - 1;

/** The digits that a decimal has behind its point. */
function placesOf({ units, scale }: Decimal): number {
  const zeros = /0*$/.exec(units.toString())?.[0].length ?? 0;
  return units === 0n ? 0 : Math.max(0, scale - zeros);
}

/** Divides whole numbers, the quotient rounded half to even. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const sign = dividend < 0n ? -1n : 1n;
  const [quotient, rest] = [(sign * dividend) / divisor, (sign * dividend) % divisor];
  const isUp = rest * 2n > divisor || (rest * 2n === divisor && quotient % 2n === 1n);
  return sign * (isUp ? quotient + 1n : quotient);
}

/**
 * The mean of numbers, of which there is one at least: rounded to 15 significant digits, or to two decimal places more
 * than they have, whichever is finer (LANG-066).
 */
export function meanOf(numbers: readonly Decimal[]): Decimal {
  const sum = numbers.reduce(addDecimals);
  if (sum.units === 0n) return sum;
  // Of the quotient's digits before it is rounded, forty stand behind the point of the sum.
  const fine = (sum.units * 10n ** 40n) / BigInt(numbers.length);
  const magnitude = magnitudeOf(fine) - 40 - sum.scale;
  const scale = Math.max(14 - magnitude, 2 + Math.max(...numbers.map(placesOf)));
  const shift = scale - sum.scale;
  const dividend = shift < 0 ? sum.units : sum.units * 10n ** BigInt(shift);
  const divisor = BigInt(numbers.length) * (shift < 0 ? 10n ** BigInt(-shift) : 1n);
  const units = roundedQuotient(dividend, divisor);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** Whether two numbers are the same but for what a mean loses in its last digits. */
export function nearly(a: Decimal, b: Decimal): boolean {
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [scaled(a, scale), scaled(b, scale)];
  const difference = left > right ? left - right : right - left;
  const size = left < 0n ? -left : left;
  return difference * 10n ** 12n <= size + 10n ** BigInt(Math.max(0, scale - 12));
}

/** The shortest text of a decimal, without exponent. */
export function decimalText({ units, scale }: Decimal): string {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, "");
  return `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`.replace(/^-0$/, "0");
}
