/** The value below which a share `q` of the values lies; NaN without values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** Middle, 99 of 100, and most. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export const spreadOf = (values: readonly number[]): Spread => ({
  p50: quantile(values, 0.5),
  p99: quantile(values, 0.99),
  max: quantile(values, 1),
});
