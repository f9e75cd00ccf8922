import type { TemplatePath } from "./template-path.ts";

/** A name that `set` or `for` gives: what it stands for, if that is a path, and whether it surely has a value. */
export interface LocalName {
  readonly path: TemplatePath | null;
  readonly sure: boolean;
  /** the offset of the word it was made from */
  readonly at: number;
}

/** The local names of one part of a template. */
export interface LocalNames {
  readonly names: Map<string, LocalName>;
  /** What an item of the innermost loop is. */
  readonly loopItem: TemplatePath | null;
}

export function copyLocals(locals: LocalNames): LocalNames {
  return { ...locals, names: new Map(locals.names) };
}

/**
 * Puts into `target` what holds after one of several ways through a template was taken. Gives the names
 * that stood for a path on some way and cannot be followed any further.
 */
export function mergeLocals(target: LocalNames, ways: readonly LocalNames[]): readonly LocalName[] {
  const lost: LocalName[] = [];
  const names = new Set(ways.flatMap((way) => [...way.names.keys()]));
  for (const name of names) {
    const found = ways.map((way) => way.names.get(name));
    const [first] = found;
    if (first !== undefined && found.every((each) => each === first)) {
      target.names.set(name, first);
      continue;
    }
    const path = found.every((each) => each?.path === first?.path) ? (first?.path ?? null) : null;
    const sure = found.every((each) => each?.sure === true);
    const known = found.filter((each) => each !== undefined);
    const [given] = known;
    if (given !== undefined) target.names.set(name, { path, sure, at: given.at });
    if (path === null || !sure) lost.push(...known.filter((each) => each.path !== null));
  }
  return lost;
}
