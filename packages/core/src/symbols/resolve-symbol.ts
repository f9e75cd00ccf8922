import type { EntityKey } from "../federation/entity-key.ts";
import type { MethodKey, SymbolMap } from "./symbol-map.ts";

export type SymbolFamily = "e" | "m" | "p";

/** What a text that is spelled like a symbol stands for. */
export type ResolvedSymbol =
  | { readonly kind: "entity"; readonly key: EntityKey }
  | { readonly kind: "method"; readonly key: MethodKey }
  | { readonly kind: "name"; readonly name: string }
  /** not allocated; `range` states what is, `e1..e8`, `m1` or `none` (TEACH-11) */
  | { readonly kind: "unallocated"; readonly family: SymbolFamily; readonly range: string };

const SYMBOL = /^([emp])([0-9]+)$/;

/** Whether a text is spelled like a symbol, allocated or not (LANG-021). */
export function isSymbolShaped(text: string): boolean {
  return SYMBOL.test(text);
}

/** Reads a symbol; null for a text that is not spelled like one (TEACH-10, TEACH-11). */
export function resolveSymbol(symbols: SymbolMap, text: string): ResolvedSymbol | null {
  const match = SYMBOL.exec(text);
  if (match === null) return null;
  const family = match[1] as SymbolFamily;
  const digits = match[2] ?? "";
  const at = digits.startsWith("0") ? -1 : Number(digits) - 1;
  return (
    allocated(symbols, family, at) ?? {
      kind: "unallocated",
      family,
      range: rangeOf(symbols, family),
    }
  );
}

/** The allocated symbols of a family: `e1..e8`, `e1` if there is one, else `none` (TEACH-11). */
export function rangeOf(symbols: SymbolMap, family: SymbolFamily): string {
  const { entities, methods, names } = symbols;
  const count = { e: entities.length, m: methods.length, p: names.length }[family];
  if (count === 0) return "none";
  return count === 1 ? `${family}1` : `${family}1..${family}${count}`;
}

function allocated(symbols: SymbolMap, family: SymbolFamily, at: number): ResolvedSymbol | null {
  switch (family) {
    case "e": {
      const key = symbols.entities[at];
      return key === undefined ? null : { kind: "entity", key };
    }
    case "m": {
      const key = symbols.methods[at];
      return key === undefined ? null : { kind: "method", key };
    }
    case "p": {
      const name = symbols.names[at];
      return name === undefined ? null : { kind: "name", name };
    }
  }
}
