import { nameList, nearestNames } from "../../diagnostics/nearest-name.ts";
import type { EntityKey } from "../../federation/entity-key.ts";
import type { Exposure } from "../../symbols/exposure.ts";
import { exposedByName } from "./exposed-entities.ts";
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
export function isSymbolic(exposure: Exposure, text: string): boolean {
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
  const nameSymbol = (wire: string): string | null => {
    const at = symbolic ? symbols.names.indexOf(wire) : -1;
    return at < 0 ? null : `p${at + 1}`;
  };
  const methodSymbol = (key: EntityKey, label: string): string | null => {
    if (!symbolic) return null;
    const at = symbols.methods.findIndex(
      (method) =>
        method.entryId === key.entryId && method.entity === key.entity && method.label === label,
    );
    return at < 0 ? null : `m${at + 1}`;
  };
  const self: Speaker = {
    symbolic,
    entity(key) {
      const at = entitySymbol(exposure, key);
      if (at !== null && symbolic) return glossed(at, key.entity);
      const unambiguous = exposedByName(exposure, key.entity).length < 2;
      return at === null || unambiguous ? key.entity : at;
    },
    name(wire) {
      const symbol = nameSymbol(wire);
      return symbol === null ? wire : glossed(symbol, wire);
    },
    code: (wire) => nameSymbol(wire) ?? wire,
    method(key, label) {
      const symbol = methodSymbol(key, label);
      return symbol === null ? label : glossed(symbol, label);
    },
    methodCode: (key, label) => methodSymbol(key, label) ?? label,
    names: (wires, wanted) => listed(wires, wanted, (wire) => self.name(wire)),
    methods: (key, labels, wanted) => listed(labels, wanted, (label) => self.method(key, label)),
    nearest(wires, wanted) {
      const [first] = nearestNames(wanted, wires);
      return first === undefined ? "" : `use ${self.code(first)}. `;
    },
  };
  return self;
}

/** The `e#` of an entity, or null if it is not exposed. */
export function entitySymbol(exposure: Exposure, key: EntityKey): string | null {
  const at = exposure.symbols.entities.findIndex(
    (entity) => entity.entryId === key.entryId && entity.entity === key.entity,
  );
  return at < 0 ? null : `e${at + 1}`;
}

function listed(
  wires: readonly string[],
  wanted: string,
  say: (wire: string) => string,
): string {
  if (wires.length === 0) return "none";
  const shown = nameList(wires, wanted).split(", ");
  return shown.map((wire) => (wire.startsWith("+") ? wire : say(wire))).join(", ");
}
