import type { EntityKey } from "../federation/entity-key.ts";
import { entityId } from "../federation/entity-of.ts";
import type { MethodKey, SymbolMap } from "./symbol-map.ts";

interface Positions {
  readonly entities: ReadonlyMap<string, number>;
  readonly methods: ReadonlyMap<string, number>;
  readonly names: ReadonlyMap<string, number>;
}

const byMap = new WeakMap<SymbolMap, Positions>();

/** The `e#` of an entity, or null if it is not exposed (TEACH-1). */
export function entitySymbol(symbols: SymbolMap, key: EntityKey): string | null {
  return spelled("e", positionsOf(symbols).entities.get(entityId(key)));
}

/** The `m#` of a capability by its entity and label, or null if that is not exposed (TEACH-2). */
export function methodSymbol(symbols: SymbolMap, key: MethodKey): string | null {
  return spelled("m", positionsOf(symbols).methods.get(methodId(key)));
}

/** The `p#` of a name, whatever entity uses it, or null if none does (TEACH-3). */
export function nameSymbol(symbols: SymbolMap, name: string): string | null {
  return spelled("p", positionsOf(symbols).names.get(name));
}

function spelled(family: string, at: number | undefined): string | null {
  return at === undefined ? null : `${family}${at + 1}`;
}

function methodId(key: MethodKey): string {
  return `${entityId(key)}\u0000${key.label}`;
}

function positionsOf(symbols: SymbolMap): Positions {
  const known = byMap.get(symbols);
  if (known !== undefined) return known;
  const made = {
    entities: new Map(symbols.entities.map((key, at) => [entityId(key), at])),
    methods: new Map(symbols.methods.map((key, at) => [methodId(key), at])),
    names: new Map(symbols.names.map((name, at) => [name, at])),
  };
  byMap.set(symbols, made);
  return made;
}
