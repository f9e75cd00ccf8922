import { nameList, nearestNames } from "../../diagnostics/nearest-name.ts";
import type { EntityKey } from "../../federation/entity-key.ts";
import type { Exposure } from "../../symbols/exposure.ts";
import { entitiesNamed } from "../../symbols/entities-named.ts";
import { entitySymbol, methodSymbol, nameSymbol } from "../../symbols/symbol-of.ts";
import { nameMeaning } from "./symbol-name.ts";

/**
 * Says names in the notation of the text an error is about: wire names, or symbols with the wire name
 * after the first mention (ERR-006). One speaker serves one error.
 */
export interface Speaker {
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
export function speakerLike(exposure: Exposure, sample: string): Speaker {
  return speaker(exposure, isSymbolic(exposure, sample));
}

export function speaker(exposure: Exposure, symbolic: boolean): Speaker {
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
  const self: Speaker = {
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
