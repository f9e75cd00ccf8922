import type { ParserState } from "./parser-state.ts";

const words = new WeakMap<ParserState, ReadonlySet<string>>();

/** A label that occurs nowhere in the program, made from `base`. */
export function freeName(p: ParserState, base: string): string {
  const taken = words.get(p) ?? new Set(p.text.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []);
  words.set(p, taken);
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (!taken.has(name)) return name;
  }
}
