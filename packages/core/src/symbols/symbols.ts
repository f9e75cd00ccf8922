import { entityId, type EntityKey } from "../catalog/federation.ts";
import type { Catalog } from "../mapping/template.ts";
import { pathArguments } from "../mapping/capability-slots.ts";
import { capabilitiesByLabel } from "../model/lookups.ts";
import type { Capability } from "../model/model.ts";
import type { InputType, Slot } from "../model/input.ts";
import { rootUnion, slotsOf } from "../model/slots-of.ts";

/** A capability label of an exposed entity. */
export interface MethodKey extends EntityKey {
  readonly label: string;
}

/**
 * The symbols of one execute session (TEACH-1): `entities[0]` is e1, `methods[0]` is m1,
 * `names[0]` is p1. Assignments are only ever appended (TEACH-6).
 */
export interface SymbolMap {
  readonly entities: readonly EntityKey[];
  readonly methods: readonly MethodKey[];
  readonly names: readonly string[];
}

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

/**
 * The names of an entity that get a `p#` (TEACH-3): fields, relations, parameters at any depth by
 * their last segment, path variables that are arguments (RUN-011), and discriminators of unions. Of the
 * capabilities those that count, all of them where nothing else is said.
 */
export function taughtNames(
  catalog: Catalog,
  entity: string,
  counts: (capability: Capability) => boolean = () => true,
): ReadonlySet<string> {
  const names = new Set<string>();
  const owner = catalog.cgs.entities.get(entity);
  for (const field of owner?.fields.keys() ?? []) names.add(field);
  for (const relation of owner?.relations.keys() ?? []) names.add(relation);
  for (const capability of capabilitiesByLabel(catalog.cgs, entity).filter(counts)) {
    addSlots(slotsOf(capability), names);
    const union = rootUnion(capability);
    if (union !== undefined) addInput(union, names);
    for (const name of pathArguments(catalog, capability)) names.add(name);
  }
  return names;
}

function addSlots(slots: readonly Slot[], names: Set<string>): void {
  for (const slot of slots) {
    names.add(slot.name);
    addInput(slot.input, names);
  }
}

function addInput(input: InputType, names: Set<string>): void {
  switch (input.kind) {
    case "none":
    case "value":
      return;
    case "object":
      addSlots(input.fields, names);
      return;
    case "array":
      addInput(input.element, names);
      return;
    case "union":
      names.add(input.wireField);
      for (const variant of input.variants) addSlots(variant.fields, names);
  }
}

/** Where symbols stand, from 0. Maps that grew out of one another share it, each as far as it goes itself. */
interface Positions {
  readonly entities: Map<string, number>;
  readonly methods: Map<string, number>;
  readonly names: Map<string, number>;
}

const byMap = new WeakMap<SymbolMap, Positions>();

/** The map before the first wave. */
export const NO_SYMBOLS: SymbolMap = Object.freeze({ entities: [], methods: [], names: [] });

/** The map with more symbols behind those that it has, none of which it has already (TEACH-6). */
export function grownSymbols(before: SymbolMap, more: SymbolMap): SymbolMap {
  const grown = Object.freeze({
    entities: Object.freeze([...before.entities, ...more.entities]),
    methods: Object.freeze([...before.methods, ...more.methods]),
    names: Object.freeze([...before.names, ...more.names]),
  });
  const known = byMap.get(before);
  // What has grown otherwise meanwhile holds symbols that this one has not: it gets an index of its own.
  if (known !== undefined && before.entities.length > 0 && isOf(known, before)) {
    place(known, more, before);
    byMap.set(grown, known);
  }
  return grown;
}

const isOf = ({ entities, methods, names }: Positions, symbols: SymbolMap): boolean =>
  entities.size === symbols.entities.length &&
  methods.size === symbols.methods.length &&
  names.size === symbols.names.length;

function place(positions: Positions, more: SymbolMap, before: SymbolMap): void {
  const { entities, methods, names } = before;
  more.entities.forEach((key, at) => positions.entities.set(entityId(key), entities.length + at));
  more.methods.forEach((key, at) => positions.methods.set(methodId(key), methods.length + at));
  more.names.forEach((name, at) => positions.names.set(name, names.length + at));
}

function positionsOf(symbols: SymbolMap): Positions {
  const known = byMap.get(symbols);
  if (known !== undefined) return known;
  const made: Positions = { entities: new Map(), methods: new Map(), names: new Map() };
  place(made, symbols, NO_SYMBOLS);
  byMap.set(symbols, made);
  return made;
}

/** A place in a list of so many symbols; undefined where it is that of a map which has grown further. */
const within = (at: number | undefined, count: number): number | undefined =>
  at === undefined || at >= count ? undefined : at;

/** Where an entity stands among those exposed, from 0, or undefined if it is not. */
export const entityAt = (symbols: SymbolMap, key: EntityKey): number | undefined =>
  within(positionsOf(symbols).entities.get(entityId(key)), symbols.entities.length);

/** The number of a name's `p#`, or undefined if nothing uses it. */
export const nameNumber = (symbols: SymbolMap, name: string): number | undefined =>
  within(positionsOf(symbols).names.get(name), symbols.names.length);

/** Whether an entity is exposed. */
export const isExposedIn = (symbols: SymbolMap, key: EntityKey): boolean =>
  entityAt(symbols, key) !== undefined;

/** The `e#` of an entity, or null if it is not exposed (TEACH-1). */
export function entitySymbol(symbols: SymbolMap, key: EntityKey): string | null {
  return spelled("e", entityAt(symbols, key));
}

/** The `m#` of a capability by its entity and label, or null if that is not exposed (TEACH-2). */
export function methodSymbol(symbols: SymbolMap, key: MethodKey): string | null {
  const at = positionsOf(symbols).methods.get(methodId(key));
  return spelled("m", within(at, symbols.methods.length));
}

/** The `p#` of a name, whatever entity uses it, or null if none does (TEACH-3). */
export function nameSymbol(symbols: SymbolMap, name: string): string | null {
  return spelled("p", nameNumber(symbols, name));
}

function spelled(family: string, at: number | undefined): string | null {
  return at === undefined ? null : `${family}${at + 1}`;
}

function methodId(key: MethodKey): string {
  return `${entityId(key)}\u0000${key.label}`;
}
