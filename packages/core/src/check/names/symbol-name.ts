import type { SymbolMap, MethodKey } from "../../symbols/symbol-map.ts";
import type { EntityKey } from "../../federation/entity-key.ts";

export type SymbolFamily = "e" | "m" | "p";

/** What a text at a name position stands for before its place decides more (TEACH-9, TEACH-10). */
export type NameMeaning =
  | { readonly kind: "entity"; readonly key: EntityKey }
  | { readonly kind: "method"; readonly key: MethodKey }
  /** a wire name, written as such or as `p#` */
  | { readonly kind: "name"; readonly text: string; readonly symbolic: boolean }
  /** spelled like a symbol, but not allotted; a wire name may still be spelled so */
  | { readonly kind: "unallocated"; readonly family: SymbolFamily; readonly text: string };

const SYMBOL = /^([emp])([1-9][0-9]*)$/;

/** Reads a name: an allotted symbol wins over a wire name of the same spelling (TEACH-10). */
export function nameMeaning(symbols: SymbolMap, text: string): NameMeaning {
  const match = SYMBOL.exec(text);
  if (match === null) return { kind: "name", text, symbolic: false };
  const family = match[1] as SymbolFamily;
  const at = Number(match[2]) - 1;
  const entity = family === "e" ? symbols.entities[at] : undefined;
  if (entity !== undefined) return { kind: "entity", key: entity };
  const method = family === "m" ? symbols.methods[at] : undefined;
  if (method !== undefined) return { kind: "method", key: method };
  const name = family === "p" ? symbols.names[at] : undefined;
  if (name !== undefined) return { kind: "name", text: name, symbolic: true };
  return { kind: "unallocated", family, text };
}

/** The allotted symbols of a family as errors state them (TEACH-11): `e1..e8`, `m1`, or that there are none. */
export function symbolRange(symbols: SymbolMap, family: SymbolFamily): string {
  const counts = {
    e: symbols.entities.length,
    m: symbols.methods.length,
    p: symbols.names.length,
  };
  const count = counts[family];
  if (count === 0) return `a name, for there are no ${family}# yet`;
  return count === 1 ? `${family}1` : `${family}1..${family}${count}`;
}

/** How a family is called in an error. */
export function familyName(family: SymbolFamily): string {
  switch (family) {
    case "e":
      return "an entity";
    case "m":
      return "a method";
    case "p":
      return "a field, relation or argument";
  }
}
