import type { EntityKey } from "../../federation/entity-key.ts";
import { rangeOf, resolveSymbol, type SymbolFamily } from "../../symbols/resolve-symbol.ts";
import type { MethodKey, SymbolMap } from "../../symbols/symbol-map.ts";

/** What a text at a name position stands for before its place decides more (TEACH-9, TEACH-10). */
export type NameMeaning =
  | { readonly kind: "entity"; readonly key: EntityKey }
  | { readonly kind: "method"; readonly key: MethodKey }
  /** a wire name, written as such or as `p#` */
  | { readonly kind: "name"; readonly text: string; readonly symbolic: boolean }
  /** spelled like a symbol, but not allotted; a wire name may still be spelled so */
  | { readonly kind: "unallocated"; readonly family: SymbolFamily; readonly text: string };

/** Reads a name: an allotted symbol wins over a wire name of the same spelling (TEACH-10). */
export function nameMeaning(symbols: SymbolMap, text: string): NameMeaning {
  const symbol = resolveSymbol(symbols, text);
  if (symbol === null) return { kind: "name", text, symbolic: false };
  if (symbol.kind === "name") return { kind: "name", text: symbol.name, symbolic: true };
  return symbol.kind === "unallocated" ? { ...symbol, text } : symbol;
}

/** The wire name a text at a name position means, or the text itself if it means none. */
export function wireName(symbols: SymbolMap, text: string): string {
  const symbol = resolveSymbol(symbols, text);
  return symbol?.kind === "name" ? symbol.name : text;
}

/** The allotted symbols of a family as errors state them (TEACH-11). */
export function symbolRange(symbols: SymbolMap, family: SymbolFamily): string {
  const range = rangeOf(symbols, family);
  return range === "none" ? `wire names; no ${family}# is given out yet` : range;
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
