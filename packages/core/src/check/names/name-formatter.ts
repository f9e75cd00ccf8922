import { nameList, nearestNames } from "../../diagnostics/nearest-name.ts";
import type { EntityKey } from "../../catalog/federation.ts";
import { entitiesNamed, type Exposure } from "../../symbols/exposure.ts";
import {
  entitySymbol,
  type MethodKey,
  methodSymbol,
  nameSymbol,
  rangeOf,
  resolveSymbol,
  type SymbolFamily,
  type SymbolMap,
} from "../../symbols/symbols.ts";
import { usableCapabilities } from "../access.ts";
import type { CheckContext } from "../check-context.ts";
import { navigableNames } from "../relations/relation-reading.ts";
import { compareCodePoints } from "../../base/text.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import type { Name } from "../../language/grammar/ast-values.ts";

/**
 * Says names in the notation of the text an error is about: wire names, or symbols with the wire name
 * after the first mention (ERR-006). One speaker serves one error.
 */
export interface NameFormatter {
  readonly symbolic: boolean;
  entity(key: EntityKey): string;
  name(wire: string): string;
  /** the name alone, as code: never with the wire name behind it */
  code(wire: string): string;
  method(key: EntityKey, label: string): string;
  methodCode(key: EntityKey, label: string): string;
  /** names sorted nearest first if there are many (ERR-007); `none` for none */
  names(wires: readonly string[], wanted: string): string;
  methods(key: EntityKey, labels: readonly string[], wanted: string): string;
  /** `Use x. ` for the nearest name, else nothing */
  nearest(wires: readonly string[], wanted: string): string;
}

/** Whether a text at a name position is an allotted symbol. */
function isSymbolic(exposure: Exposure, text: string): boolean {
  const meaning = nameMeaning(exposure.symbols, text);
  return meaning.kind !== "name" || meaning.symbolic;
}

/** A speaker in the notation of `sample`, a name of the offending text. */
export function speakerLike(exposure: Exposure, sample: string): NameFormatter {
  return createNameFormatter(exposure, isSymbolic(exposure, sample));
}

export function createNameFormatter(exposure: Exposure, symbolic: boolean): NameFormatter {
  const said = new Set<string>();
  const { symbols } = exposure;
  const glossed = (symbol: string, wire: string): string => {
    if (said.has(symbol)) return symbol;
    said.add(symbol);
    return `${symbol} (${wire})`;
  };
  const namedSymbol = (wire: string): string | null =>
    symbolic ? nameSymbol(symbols, wire) : null;
  const labelSymbol = (key: EntityKey, label: string): string | null =>
    symbolic ? methodSymbol(symbols, { ...key, label }) : null;
  const self: NameFormatter = {
    symbolic,
    entity(key) {
      const at = entitySymbol(symbols, key);
      if (at !== null && symbolic) return glossed(at, key.entity);
      const meant = entitiesNamed(exposure, key.entity);
      const isMeant = meant.length < 2 && meant.every((other) => other.entryId === key.entryId);
      return at === null || isMeant ? key.entity : at;
    },
    name(wire) {
      const symbol = namedSymbol(wire);
      return symbol === null ? wire : glossed(symbol, wire);
    },
    code: (wire) => namedSymbol(wire) ?? wire,
    method(key, label) {
      const symbol = labelSymbol(key, label);
      return symbol === null ? label : glossed(symbol, label);
    },
    methodCode: (key, label) => labelSymbol(key, label) ?? label,
    names: (wires, wanted) => listed(wires, wanted, (wire) => self.name(wire)),
    methods: (key, labels, wanted) => listed(labels, wanted, (label) => self.method(key, label)),
    nearest(wires, wanted) {
      const [first] = nearestNames(wanted, wires);
      return first === undefined ? "" : `use ${self.code(first)}. `;
    },
  };
  return self;
}

function listed(wires: readonly string[], wanted: string, say: (wire: string) => string): string {
  if (wires.length === 0) return "none";
  const shown = nameList(wires, wanted).split(", ");
  return shown.map((wire) => (wire.startsWith("+") ? wire : say(wire))).join(", ");
}

/** What may follow a dot on rows of an entity, for corrections: methods by kind, then relations. */
export function stepNames(
  context: CheckContext,
  key: EntityKey,
  createNameFormatter: NameFormatter,
  wanted: string,
): string {
  const usable = usableCapabilities(context, key);
  const kinds = [...new Set(usable.map(({ kind }) => kind))].toSorted(compareCodePoints);
  const methods = kinds.map((kind) => {
    const labels = usable.filter((each) => each.kind === kind).map(({ label }) => label);
    return `${kind}: ${createNameFormatter.methods(key, labels, wanted)}`;
  });
  const relations = createNameFormatter.names(relationNames(context, key), wanted);
  return [...methods, `Relations: ${relations}`].join(". ");
}

/** Names of the relations and references of an entity that can be followed, sorted. */
export function relationNames(context: CheckContext, key: EntityKey): readonly string[] {
  return navigableNames(context, key).toSorted(compareCodePoints);
}

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
function symbolRange(symbols: SymbolMap, family: SymbolFamily): string {
  const range = rangeOf(symbols, family);
  return range === "none" ? `wire names; no ${family}# is given out yet` : range;
}

/** How a family is called in an error. */
function familyName(family: SymbolFamily): string {
  switch (family) {
    case "e":
      return "an entity";
    case "m":
      return "a method";
    case "p":
      return "a field, relation or argument";
  }
}

/** The error of a symbol that is not allotted, or of another family than `wanted` (TEACH-11). */
export function symbolProblem(context: CheckContext, name: Name, wanted: SymbolFamily): Diagnostic {
  const { symbols } = context.exposure;
  const range = symbolRange(symbols, wanted);
  const meaning = nameMeaning(symbols, name.text);
  const family = name.text.slice(0, 1) as SymbolFamily;
  if (meaning.kind === "unallocated" && family === wanted) {
    return diagnose(nameMessages.unknownSymbol, name.span, { symbol: name.text, range });
  }
  const args = {
    symbol: name.text,
    is: familyName(family),
    wanted: familyName(wanted),
    range,
  };
  return diagnose(nameMessages.wrongFamily, name.span, args);
}
