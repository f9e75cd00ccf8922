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

/** Divides by a whole number, to so many digits behind the point that no double tells more. */
export const divideDecimal = ({ units, scale }: Decimal, by: number): Decimal => ({
  units: (units * 10n ** 40n) / BigInt(by),
  scale: scale + 40,
});

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
