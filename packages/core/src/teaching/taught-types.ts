import { entityId, type EntityKey } from "../catalog/federation.ts";
import { noteText, saysMore, TEXT_LIMITS } from "./clean-text.ts";
import { placedId, type PlacedName, placeEntity } from "./place.ts";
import type { TypePlace, TypeRow } from "./row.ts";
import { referenceOf, type TypeRef } from "./list-choice.ts";

/**
 * What the tables so far say of each name: its type and its note everywhere, and where they differ. A place
 * without a row of its own takes its entity's field of that name, else the row taught first (TEACH-14, 1a).
 */
export class TaughtTypes {
  readonly #everywhere = new Map<string, readonly string[]>();
  readonly #there = new Map<string, readonly string[]>();
  /** the note of the row that taught a name, and of the rows of its places */
  readonly #notes = new Map<string, string>();
  readonly #notesThere = new Map<string, string>();
  /** places used so far, by name */
  readonly #byName = new Map<string, PlacedName[]>();
  /** those whose type names an entity, by it, with their place in the order of teaching */
  readonly #byTarget = new Map<string, Map<number, PlacedName>>();
  #used = 0;

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
   * Teaches anew what the exposure of `added` has changed for entities taught before: a name whose type became
   * another wherever it was taken from the first row gets such a row again, else its place gets one. Only
   * types that name one of them have another text now.
   */
  relearn(added: readonly EntityKey[], keyOf: (type: TypeRef) => string): readonly TypeRow[] {
    const touched = new Map(added.flatMap((key) => [...(this.#byTarget.get(entityId(key)) ?? [])]));
    const inOrder = [...touched].toSorted(([a], [b]) => a - b);
    const rows: TypeRow[] = [];
    for (const [, placed] of inOrder) {
      const [type] = placed.types;
      if (type === undefined || this.#isKnown(placed, keyOf)) continue;
      if (this.#isShared(placed, keyOf)) {
        this.#everywhere.set(placed.name, [keyOf(type)]);
        rows.push({ kind: "slot", name: placed.name, type, note: "" });
      } else rows.push(...this.#teachThere(placed, keyOf, ""));
    }
    return rows;
  }

  /** Whether a reader takes this type for a name at a place. */
  saysAt(place: TypePlace, name: string, key: string): boolean {
    return this.#typeAt(place, name)?.[0] === key;
  }

  #remember(placed: PlacedName): void {
    const { name, types } = placed;
    const named = this.#byName.get(name) ?? [];
    named.push(placed);
    this.#byName.set(name, named);
    this.#used += 1;
    for (const type of types) {
      const target = referenceOf(type);
      if (target === null) continue;
      const id = entityId(target);
      const places = this.#byTarget.get(id) ?? new Map<number, PlacedName>();
      places.set(this.#used, placed);
      this.#byTarget.set(id, places);
    }
  }

  #teach(placed: PlacedName, keyOf: (type: TypeRef) => string): readonly TypeRow[] {
    const { name, place, types, description } = placed;
    const [type, second] = types;
    if (type === undefined) return [];
    const note = noteText(description, name, TEXT_LIMITS.slot);
    if (this.#everywhere.has(name)) {
      const own = saysMore(note, this.#noteAt(place, name)) ? note : "";
      if (own !== "") this.#notesThere.set(placedId(place, name), own);
      return own === "" && this.#isKnown(placed, keyOf) ? [] : this.#teachThere(placed, keyOf, own);
    }
    this.#everywhere.set(name, [keyOf(type)]);
    this.#notes.set(name, note);
    const first: TypeRow = { kind: "slot", name, type, note };
    return second === undefined ? [first] : [first, ...this.#teachThere(placed, keyOf, "")];
  }

  #teachThere(
    placed: PlacedName,
    keyOf: (type: TypeRef) => string,
    note: string,
  ): readonly TypeRow[] {
    const { name, place, types } = placed;
    this.#there.set(placedId(place, name), types.map(keyOf));
    return types.map((type, at) => ({
      kind: "retyped",
      name,
      place,
      type,
      note: at === 0 ? note : "",
    }));
  }

  /** The note a reader takes for a name at a place: that of its own row, else of the row it takes its type from. */
  #noteAt(place: TypePlace, name: string): string {
    const own = this.#notesThere.get(placedId(place, name));
    if (own !== undefined) return own;
    const wider = widerPlace(place);
    return wider === null ? (this.#notes.get(name) ?? "") : this.#noteAt(wider, name);
  }

  #isKnown({ name, place, types }: PlacedName, keyOf: (type: TypeRef) => string): boolean {
    const known = this.#typeAt(place, name);
    return known?.length === types.length && types.every((type, at) => known[at] === keyOf(type));
  }

  /** The type a reader takes for a name at a place, or nothing if the name is not taught. */
  #typeAt(place: TypePlace, name: string): readonly string[] | undefined {
    const own = this.#there.get(placedId(place, name));
    if (own !== undefined) return own;
    const wider = widerPlace(place);
    return wider === null ? this.#everywhere.get(name) : this.#typeAt(wider, name);
  }

  /** Whether all who take this name's type from its first row now have one and the same other type. */
  #isShared(placed: PlacedName, keyOf: (type: TypeRef) => string): boolean {
    const first = this.#everywhere.get(placed.name);
    if (this.#typeAt(placed.place, placed.name) !== first) return false;
    const [type] = placed.types;
    return (this.#byName.get(placed.name) ?? []).every((other) => {
      if (this.#typeAt(other.place, other.name) !== first) return true;
      const [only, second] = other.types;
      if (only === undefined || type === undefined || second !== undefined) return false;
      return keyOf(only) === keyOf(type);
    });
  }
}

/** Where a name is looked up that a place has no row for: conditions for a list's arguments, then fields. */
function widerPlace(place: TypePlace): TypePlace | null {
  if (place.kind === "field") return null;
  const { entryId, entity } = placeEntity(place);
  const ofList = place.kind === "argument" && place.ofList;
  return { kind: ofList ? "condition" : "field", entity: { entryId, entity } };
}
