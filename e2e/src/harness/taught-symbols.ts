/** What an agent reads off the tables it was sent: symbols by what they stand for. */
export interface TaughtSymbols {
  /** `e1` by `quay.Boat` */
  readonly entities: ReadonlyMap<string, string>;
  /** `p8` by `state` */
  readonly slots: ReadonlyMap<string, string>;
}

const HEADING = /^(?:Added from )?([a-z0-9_-]+): (e\d+ .*)$/;
const SLOT = /^(p\d+)\t([A-Za-z_]\w*) /;

/** Reads symbols from the text of context answers. */
export function taughtSymbols(text: string): TaughtSymbols {
  const entities = new Map<string, string>();
  const slots = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, entryId, list = ""] = HEADING.exec(line) ?? [];
    for (const [, symbol = "", name] of entryId === undefined
      ? []
      : list.matchAll(/(e\d+) (\w+)/g)) {
      entities.set(`${entryId}.${name}`, symbol);
    }
    const [, slot, name] = SLOT.exec(line) ?? [];
    if (slot !== undefined && name !== undefined && !slots.has(name)) slots.set(name, slot);
  }
  return { entities, slots };
}

/** Writes the symbols of this session where a program says `e(quay.Boat)` or `p(state)`. */
export function withSymbols(program: string, symbols: TaughtSymbols): string {
  return program.replaceAll(/\b([ep])\(([\w.]+)\)/g, (_all, family: string, name: string) => {
    const symbol = (family === "e" ? symbols.entities : symbols.slots).get(name);
    if (symbol === undefined) throw new Error(`${name} was not taught`);
    return symbol;
  });
}
