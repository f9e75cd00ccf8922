import type { World } from "./model.ts";

/** What a session calls what a world has. */
export interface Names {
  readonly world: World;
  entity(name: string): string;
  /** a field, relation, parameter or argument; what is none of these keeps its name */
  slot(name: string): string;
  method(entity: string, label: string): string;
}

/** Thrown where a table has no symbol of a name. */
export class Untaught extends Error {}

export const plainNames = (world: World): Names => ({
  world,
  entity: (name) => name,
  slot: (name) => name,
  method: (_, label) => label,
});

const HEADING = /^(?:Added from )?[\w-]+: (e\d+ \w+(?:, e\d+ \w+)*)$/;
const SLOT = /^(p\d+)\t([a-z]\w*) /;
const RELATION = /^e\d+\b[^\t]*\.(p\d+)(?:\{[^\t]*\})?\t(?:\[e\d+\]|e\d+) ([a-z]\w*)/;
/** The head of an entity that only a read without a key has: its row says the entity's name. */
const HEAD = /^(e\d+)\.(m\d+)\(\)\[[^\t]*\t(?:\[e\d+\]|e\d+) (?:[\w-]+\.)?[A-Z]/;
const METHOD = /^(e\d+)\b[^\t]*\.(m\d+)\(.*\t(?:\[e\d+\]|e\d+|\(\)|\{[^}]*\}) ([a-z][\w-]*)/;

/** Reads the symbols of a session off the text that teaches them, as an agent does. */
export function taughtNames(world: World, text: string): Names {
  const [entities, slots, methods] = [new Map(), new Map(), new Map()] as Map<string, string>[];
  for (const line of text.split("\n")) {
    for (const each of HEADING.exec(line)?.[1]?.split(", ") ?? []) {
      const [symbol = "", name = ""] = each.split(" ");
      entities?.set(name, symbol);
    }
    const [, slot, slotName] = SLOT.exec(line) ?? RELATION.exec(line) ?? [];
    if (slot !== undefined && slotName !== undefined) slots?.set(slotName, slot);
    const [, headOf, head] = HEAD.exec(line) ?? [];
    if (headOf !== undefined && head !== undefined) methods?.set(headOf, head);
    const [, on, method, label] = METHOD.exec(line) ?? [];
    if (on !== undefined && method !== undefined) methods?.set(`${on}.${label ?? ""}`, method);
  }

  const owned = new Set(
    [
      ...world.entities.flatMap(({ fields, relations }) => [...fields, ...relations]),
      ...world.capabilities.flatMap(({ params }) => params),
    ].map(({ name }) => name),
  );
  // What the table lacks, an agent cannot write.
  const taught = (symbol: string | undefined, name: string): string => {
    if (symbol === undefined) throw new Untaught(name);
    return symbol;
  };
  const entity = (name: string): string => taught(entities?.get(name), name);
  return {
    world,
    entity,
    slot: (name) => (owned.has(name) ? taught(slots?.get(name), name) : name),
    method: (of, label) => {
      const own = methods?.get(`${entity(of)}.${label}`) ?? methods?.get(entity(of));
      return taught(own, `${of}.${label}`);
    },
  };
}
