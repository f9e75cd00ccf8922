import type { Big } from "big.js";

declare const exact: unique symbol;

/**
 * An exact decimal number. Opaque, since the library behind it is nobody else's concern: made by
 * {@link parseDecimal}, read by the functions of this folder.
 */
export interface Decimal {
  readonly [exact]: true;
}

/** What stands behind an exact number. */
export const bigOf = (decimal: Decimal): Big => decimal as unknown as Big;

/** A number of the library as everyone else has it. */
export const decimalOf = (big: Big): Decimal => big as unknown as Decimal;
