import { entityId } from "../federation/entity-of.ts";
import { noteText, TEXT_LIMITS } from "./clean-text.ts";
import { placedId, placeEntity, type PlacedName } from "./place.ts";
import type { Place, TypeRow } from "./row.ts";
import type { TypeRef } from "./type-text.ts";

/**
 * What the tables so far say of each name: its type everywhere, and where it differs. A place without
 * a type of its own takes its entity's field of that name, else the type taught first (TEACH-14, 1a).
 */
export class TaughtTypes {
  readonly #everywhere = new Map<string, readonly string[]>();
  readonly #there = new Map<string, readonly string[]>();
  /** names used so far, by entity */
  readonly #used = new Map<string, Map<string, PlacedName>>();

  /** Teaches the names of one new entity; gives the rows that are needed for it. */
  learn(names: readonly PlacedName[], keyOf: (type: TypeRef) => string): readonly TypeRow[] {
    const rows: TypeRow[] = [];
    for (const placed of names) {
      this.#remember(placed);
      rows.push(...this.#teach(placed, keyOf));
    }
    return rows;
  }

  /**
   * Teaches anew what more exposure has changed for entities taught before: a name whose type became
   * another wherever it was taken from the first row gets such a row again, else its place gets one.
   */
  relearn(keyOf: (type: TypeRef) => string): readonly TypeRow[] {
    const rows: TypeRow[] = [];
    for (const names of this.#used.values()) {
      for (const placed of names.values()) {
        const [type] = placed.types;
        if (type === undefined || this.#isKnown(placed, keyOf)) continue;
        if (this.#isShared(placed, keyOf)) {
          this.#everywhere.set(placed.name, [keyOf(type)]);
          rows.push({ kind: "slot", name: placed.name, type, note: "" });
        } else rows.push(...this.#teachThere(placed, keyOf));
      }
    }
    return rows;
  }

  #remember(placed: PlacedName): void {
    const id = entityId(placeEntity(placed.place));
    const names = this.#used.get(id) ?? new Map<string, PlacedName>();
    names.set(placedId(placed.place, placed.name), placed);
    this.#used.set(id, names);
  }

  #teach(placed: PlacedName, keyOf: (type: TypeRef) => string): readonly TypeRow[] {
    const { name, types, description } = placed;
    const [type, second] = types;
    if (type === undefined || this.#isKnown(placed, keyOf)) return [];
    if (this.#everywhere.has(name)) return this.#teachThere(placed, keyOf);
    this.#everywhere.set(name, [keyOf(type)]);
    const note = noteText(description, name, TEXT_LIMITS.slot);
    const first: TypeRow = { kind: "slot", name, type, note };
    return second === undefined ? [first] : [first, ...this.#teachThere(placed, keyOf)];
  }

  #teachThere(placed: PlacedName, keyOf: (type: TypeRef) => string): readonly TypeRow[] {
    const { name, place, types } = placed;
    this.#there.set(placedId(place, name), types.map(keyOf));
    return types.map((type) => ({ kind: "retyped", name, place, type }));
  }

  #isKnown({ name, place, types }: PlacedName, keyOf: (type: TypeRef) => string): boolean {
    const known = this.#typeAt(place, name);
    return known?.length === types.length && types.every((type, at) => known[at] === keyOf(type));
  }

  /** The type a reader takes for a name at a place, or nothing if the name is not taught. */
  #typeAt(place: Place, name: string): readonly string[] | undefined {
    const own = this.#there.get(placedId(place, name));
    if (own !== undefined || place.kind === "field") return own ?? this.#everywhere.get(name);
    const entity = placeEntity(place);
    const wider: Place =
      place.kind === "argument" && place.ofList
        ? { kind: "condition", entity }
        : { kind: "field", entity };
    return this.#typeAt(wider, name);
  }

  /** Whether all who take this name's type from its first row now have one and the same other type. */
  #isShared(placed: PlacedName, keyOf: (type: TypeRef) => string): boolean {
    const first = this.#everywhere.get(placed.name);
    if (this.#typeAt(placed.place, placed.name) !== first) return false;
    const [type] = placed.types;
    return [...this.#used.values()].every((names) =>
      [...names.values()].every((other) => {
        if (other.name !== placed.name) return true;
        if (this.#typeAt(other.place, other.name) !== first) return true;
        const [only, second] = other.types;
        if (only === undefined || type === undefined || second !== undefined) return false;
        return keyOf(only) === keyOf(type);
      }),
    );
  }
}
