import { nearestNames, suggestible } from "../diagnostics/nearest-name.ts";

/**
 * ` (nearest: x)` for a wrong name, or nothing: the nearest allowed name, if its edit distance is
 * at most 3 and less than half its length, else one of which either is a prefix of the other
 * (catalog format, section 1).
 */
export function nearestText(wrong: string, names: Iterable<string>): string {
  const all = suggestible(names);
  const nearest = nearestNames(wrong, all)[0] ?? all.find((name) => isPrefix(wrong, name));
  return nearest === undefined ? "" : ` (nearest: ${nearest})`;
}

function isPrefix(a: string, b: string): boolean {
  return a !== "" && b !== "" && (a.startsWith(b) || b.startsWith(a));
}
