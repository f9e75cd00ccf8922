import type { TemplatePath } from "./template-path.ts";

/** A name that `set` or `for` gives: what it stands for, if that is a path, and whether it surely has a value. */
export interface LocalName {
  readonly path: TemplatePath | null;
  readonly sure: boolean;
  /** the offset of the word it was made from */
  readonly at: number;
}

/** The names that one part of a template gives, on top of those around it. */
export interface LocalNames {
  readonly names: Map<string, LocalName>;
  readonly outer: LocalNames | null;
  /** What an item of the innermost loop is. */
  readonly loopItem: TemplatePath | null;
}

/** A part inside another; what it gives is its own until it is merged. */
export function innerLocals(
  outer: LocalNames,
  loopItem: TemplatePath | null = outer.loopItem,
): LocalNames {
  return { names: new Map(), outer, loopItem };
}

/** A name as a part sees it; blocks nest at most 100 deep. */
export function localName(locals: LocalNames, name: string): LocalName | undefined {
  for (let at: LocalNames | null = locals; at !== null; at = at.outer) {
    const found = at.names.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Puts into `target` what holds after one of several ways through a template was taken, each a part inside
 * it or `target` itself. Gives the names that stood for a path on some way and cannot be followed any
 * further.
 */
export function mergeLocals(target: LocalNames, ways: readonly LocalNames[]): readonly LocalName[] {
  const lost: LocalName[] = [];
  const inner = ways.filter((way) => way !== target);
  for (const name of new Set(inner.flatMap((way) => [...way.names.keys()]))) {
    const found = ways.map((way) => localName(way, name));
    const [first] = found;
    const path = found.every((each) => each?.path === first?.path) ? (first?.path ?? null) : null;
    const sure = found.every((each) => each?.sure === true);
    const known = found.filter((each) => each !== undefined);
    const [given] = known;
    if (given !== undefined) target.names.set(name, { path, sure, at: given.at });
    if (path === null || !sure) lost.push(...known.filter((each) => each.path !== null));
  }
  return lost;
}
