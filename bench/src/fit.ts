/** One measured point: how large the input was, and what the work took. */
export interface Point {
  readonly size: number;
  /** median, in milliseconds */
  readonly ms: number;
}

/** How time grows with size: ms ≈ c · size^exponent (1 linear, 0 flat), fitted on logarithms. */
export interface Fit {
  readonly exponent: number;
  /** share of the variation the fit explains, 0 to 1 */
  readonly r2: number;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The least-squares line through the logarithms of the points; at least two sizes are needed. */
export function fitPower(points: readonly Point[]): Fit {
  const x = points.map(({ size }) => Math.log(size));
  const y = points.map(({ ms }) => Math.log(ms));
  const [mx, my] = [mean(x), mean(y)];
  const sum = (of: (at: number) => number): number =>
    points.reduce((total, _point, at) => total + of(at), 0);
  const dx = (at: number): number => (x[at] ?? 0) - mx;
  const dy = (at: number): number => (y[at] ?? 0) - my;
  const [sxx, sxy, syy] = [
    sum((at) => dx(at) ** 2),
    sum((at) => dx(at) * dy(at)),
    sum((at) => dy(at) ** 2),
  ];
  if (sxx === 0) throw new Error("A fit needs two sizes at least");
  return { exponent: sxy / sxx, r2: syy === 0 ? 1 : sxy ** 2 / (sxx * syy) };
}
