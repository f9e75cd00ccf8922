import type { Figure } from "../plan.ts";

export const ZERO: Figure = { exact: 0 };
export const ONE: Figure = { exact: 1 };

/** The most a figure can be, or null if that is not known. */
export function most(figure: Figure): number | null {
  if ("exact" in figure) return figure.exact;
  return "max" in figure ? figure.max : null;
}

/** The same figure, but no promise that all of it comes. */
export function atMost(figure: Figure): Figure {
  return "exact" in figure ? { max: figure.exact } : figure;
}

/** A figure that is at most `n`, whatever it was. */
export function cappedAt(figure: Figure, n: number): Figure {
  const known = most(figure);
  return { max: known === null ? n : Math.min(known, n) };
}

/** `count` times what each costs: exact only if both are, or if each costs nothing. */
export function times(count: Figure, each: Figure): Figure {
  if ("exact" in each && each.exact === 0) return ZERO;
  if ("unknown" in count) return count;
  if ("unknown" in each) return each;
  const product = (most(count) ?? 0) * (most(each) ?? 0);
  return "exact" in count && "exact" in each ? { exact: product } : { max: product };
}

/** A figure and more of it; the first unknown part stays the reason. */
export function plus(a: Figure, b: Figure): Figure {
  if ("unknown" in a) return a;
  if ("unknown" in b) return b;
  const sum = (most(a) ?? 0) + (most(b) ?? 0);
  return "exact" in a && "exact" in b ? { exact: sum } : { max: sum };
}

/** The sum of the figures of nodes; unknown ones are named as `name` says, by node and reason. */
export function total(
  figures: readonly (readonly [id: string, figure: Figure])[],
  name: (id: string, why: string) => string,
): Figure {
  const unknown = figures.flatMap(([id, figure]) =>
    "unknown" in figure ? [name(id, figure.unknown)] : [],
  );
  if (unknown.length > 0) return { unknown: unknown.join("; ") };
  return figures.reduce((sum, [, figure]) => plus(sum, figure), ZERO);
}
