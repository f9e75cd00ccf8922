import { editDistance } from "../text/edit-distance.ts";

const MAX_DISTANCE = 3;
const MAX_LISTED = 20;

/**
 * The names near enough to be meant, nearest first: edit distance up to 3 and less than half the
 * name's length, compared without case, `_` and `-` (ERR-007). Equally near ones keep their order.
 */
export function nearestNames(wanted: string, names: readonly string[]): readonly string[] {
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
