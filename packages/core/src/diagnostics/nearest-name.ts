import { editDistance } from "../base/text.ts";

const MAX_DISTANCE = 3;
const MAX_LISTED = 20;

/** How many names may be compared for the suggestions of one catalog: some seconds of work otherwise, or hours. */
const MOST_COMPARED = 1_000_000;

/** What is left of that while a catalog is checked; all suggestions of a program are few. */
let comparable = Number.POSITIVE_INFINITY;

function mayCompare(names: number): boolean {
  const may = names <= comparable;
  // What is asked for in vain is the end: whoever has so many mistakes needs no suggestions.
  comparable = may ? comparable - names : 0;
  return may;
}

/**
 * Does work whose suggestions may cost a bounded number of comparisons in all. Mistakes beyond it, in a catalog that
 * has hundreds of them, are told without the name that was meant.
 */
export function withBoundedSuggestions<Result>(work: () => Result, most = MOST_COMPARED): Result {
  const before = comparable;
  comparable = Math.min(before, most);
  try {
    return work();
  } finally {
    comparable = before;
  }
}

/** Names for a suggestion: all of them, or, where no more are compared, those that a list would show. */
export function suggestible(names: Iterable<string>): readonly string[] {
  const some: string[] = [];
  for (const name of names) {
    some.push(name);
    if (some.length > comparable + MAX_LISTED) break;
  }
  return some;
}

/**
 * The names near enough to be meant, nearest first: edit distance up to 3 and less than half the
 * name's length, compared without case, `_` and `-` (ERR-007). Equally near ones keep their order.
 */
export function nearestNames(wanted: string, names: readonly string[]): readonly string[] {
  if (!mayCompare(names.length)) return [];
  const plain = plainName(wanted);
  return names
    .map((name) => ({ name, distance: editDistance(plain, plainName(name), MAX_DISTANCE) }))
    .filter(({ name, distance }) => {
      return distance <= MAX_DISTANCE && 2 * distance < Array.from(plainName(name)).length;
    })
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}

/** The single nearest name, or null if none is near or two are equally near. */
export function nearestName(wanted: string, names: readonly string[]): string | null {
  const [first, second] = nearestNames(wanted, names);
  if (first === undefined) return null;
  if (second === undefined || second === first) return first;
  const plain = plainName(wanted);
  const distanceOf = (name: string) => editDistance(plain, plainName(name), MAX_DISTANCE);
  return distanceOf(first) < distanceOf(second) ? first : null;
}

/**
 * Names as a correction lists them (ERR-007): up to 20 in the order given; of more, the 20 nearest to
 * `wanted` with the nearest first, and `+n` for the rest.
 */
export function nameList(names: readonly string[], wanted: string): string {
  if (names.length <= MAX_LISTED) return names.join(", ");
  if (!mayCompare(4 * names.length)) {
    return `${names.slice(0, MAX_LISTED).join(", ")}, +${names.length - MAX_LISTED}`;
  }
  const plain = plainName(wanted);
  const near = names
    .map((name) => ({
      name,
      distance: editDistance(plain, plainName(name), plain.length + name.length),
    }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_LISTED)
    .map(({ name }) => name);
  return `${near.join(", ")}, +${names.length - MAX_LISTED}`;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
