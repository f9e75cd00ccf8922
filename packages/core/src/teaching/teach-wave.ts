import type { CatalogSet } from "../federation/catalog-set.ts";
import type { EntityKey } from "../federation/entity-key.ts";
import { entityId, entityOf } from "../federation/entity-of.ts";
import type { SymbolMap } from "../symbols/symbol-map.ts";
import { entitySymbol } from "../symbols/symbol-of.ts";
import { keyUses } from "./call-cells.ts";
import type { ContractPart } from "./contract.ts";
import { partsCalledFor, partsGained } from "./due-parts.ts";
import { entityFacts, type EntityFacts } from "./entity-facts.ts";
import { ownRows } from "./entity-rows.ts";
import { placedNames } from "./place.ts";
import { furtherRelations, relationRows, type FurtherRelation } from "./relation-rows.ts";
import type { ExecutableRow, TableRow, TypeRow } from "./row.ts";
import type { Scene, Untaught } from "./scene.ts";
import { TaughtTypes } from "./taught-types.ts";
import { referenceOf, typeText, type TypeRef } from "./type-text.ts";

/** What one wave teaches, as rows in table order (TEACH-14, TEACH-27). */
export interface WaveRows {
  readonly rows: readonly TableRow[];
  readonly untaught: readonly Untaught[];
  /** relations of its entities to others that are not exposed, each named once in a session */
  readonly further: readonly FurtherRelation[];
  /** parts of the contract that hold over everything taught so far (TEACH-32) */
  readonly called: ReadonlySet<ContractPart>;
}

/** The teaching of one session: waves in order, each knowing what the earlier ones taught. */
export class Lessons {
  readonly #types = new TaughtTypes();
  readonly #called = new Set<ContractPart>();
  /** the relations to entities that are not exposed that a wave named */
  readonly #named = new Set<string>();
  /** entity → those whose rows say its type in the row itself */
  readonly #saidHere = new Map<string, Map<string, EntityKey>>();
  /** whether a step behind a whole compound key was shown: once is enough to know the form */
  #hasShownStep = false;

  /** Teaches the entities of one wave: their blocks, then the rows earlier entities gain. */
  teach(scene: Scene, added: readonly EntityKey[]): WaveRows {
    const keyOf = typeKeys(scene.catalogs, scene.symbols);
    const isNew = membership(added);
    const isExposed = membership(scene.symbols.entities);
    const changed = this.#types.relearn(added, keyOf);
    const untaught: Untaught[] = [];
    const further: FurtherRelation[] = [];
    const blocks = added.flatMap((key) => {
      const facts = entityFacts(scene, key);
      const relations = relationRows(scene, facts, isExposed);
      untaught.push(...facts.untaught, ...relations.untaught);
      further.push(
        ...furtherRelations(scene, facts, isExposed).filter((each) => this.#isNew(key, each)),
      );
      return this.#block(scene, facts, relations.rows, keyOf);
    });
    const said = this.#saidAnew(scene, added, keyOf);
    const earlier = scene.symbols.entities.filter(
      (key) => !isNew(key) && leadsTo(scene, key, isNew),
    );
    const gained = earlier.flatMap((key) => {
      const facts = entityFacts(scene, key);
      const relations = relationRows(scene, facts, isNew);
      this.#call(partsGained(relations.rows));
      untaught.push(...relations.untaught);
      return this.#showKey(facts, relations.rows).map((row) => this.#withTypes(key, row, keyOf));
    });
    const rows = [...blocks, ...byNumber(scene.symbols, changed), ...said, ...gained];
    return { rows, untaught, further, called: new Set(this.#called) };
  }

  #block(
    scene: Scene,
    facts: EntityFacts,
    relations: readonly ExecutableRow[],
    keyOf: (type: TypeRef) => string,
  ): readonly TableRow[] {
    const { head, reads, effects } = ownRows(scene, facts);
    const heads: readonly ExecutableRow[] = "kind" in head ? [] : head;
    const plain = this.#showKey(facts, [...heads, ...reads, ...relations, ...effects]);
    // The parts of a key are always taught: references from elsewhere show them (TEACH-20).
    const uses = [...keyUses(scene, facts), ...plain.flatMap((row) => row.uses)];
    const taught = this.#types.learn(placedNames(facts.key.entryId, uses), keyOf);
    const code = plain.map((row) => this.#withTypes(facts.key, row, keyOf));
    this.#call(partsCalledFor(facts, scene.rules.exposure.readOnly === true, code));
    const slots = byNumber(scene.symbols, taught);
    return "kind" in head ? [...slots, head, ...code] : [...slots, ...code];
  }

  /**
   * The rows of an entity, the first whose step follows a compound key with that key in full: where no row
   * of its own reads by that key, and once in a session in any case.
   */
  #showKey({ keyed }: EntityFacts, rows: readonly ExecutableRow[]): readonly ExecutableRow[] {
    const first = rows.find(({ whole }) => whole !== null);
    if (first === undefined || (keyed !== null && this.#hasShownStep)) return rows;
    this.#hasShownStep = true;
    return rows.map((row) => (row === first ? { ...row, left: row.whole ?? row.left } : row));
  }

  /** Whether no wave named this relation yet; from now on one has. */
  #isNew({ entryId }: EntityKey, { name, target }: FurtherRelation): boolean {
    const id = `${entryId}\u0000${name}\u0000${target}`;
    const isNew = !this.#named.has(id);
    this.#named.add(id);
    return isNew;
  }

  /** A row with the types of its slots that differ from those of their places: those it says itself. */
  #withTypes(key: EntityKey, row: ExecutableRow, keyOf: (type: TypeRef) => string): ExecutableRow {
    const here = new Map<string, TypeRef>();
    for (const { place, name, path, input } of row.uses) {
      const type = { entryId: key.entryId, input };
      if (place.kind === "field" || this.#types.saysAt(place, name, keyOf(type))) continue;
      here.set(path, type);
      const target = referenceOf(type);
      if (target === null) continue;
      const sayers = this.#saidHere.get(entityId(target)) ?? new Map<string, EntityKey>();
      this.#saidHere.set(entityId(target), sayers.set(entityId(key), key));
    }
    return { ...row, here: [...here].map(([path, type]) => ({ path, type })) };
  }

  /** Rows that say the type of a slot themselves, once that type is an entity of this wave (TEACH-27). */
  #saidAnew(
    scene: Scene,
    added: readonly EntityKey[],
    keyOf: (type: TypeRef) => string,
  ): readonly ExecutableRow[] {
    const isAdded = membership(added);
    const sayers = new Map(
      added.flatMap((target) => [...(this.#saidHere.get(entityId(target)) ?? [])]),
    );
    return [...sayers.values()].flatMap((key) => {
      if (isAdded(key)) return [];
      const { head, reads, effects } = ownRows(scene, entityFacts(scene, key));
      const rows = [...("kind" in head ? [] : head), ...reads, ...effects];
      return rows
        .map((row) => this.#withTypes(key, row, keyOf))
        .filter(({ here }) =>
          here.some(({ type }) => {
            const target = referenceOf(type);
            return target !== null && isAdded(target);
          }),
        );
    });
  }

  #call(parts: ReadonlySet<ContractPart>): void {
    for (const part of parts) this.#called.add(part);
  }
}

/** Whether an entity has a relation to one of these: nothing else of it can gain a row. */
function leadsTo(scene: Scene, key: EntityKey, isTarget: (key: EntityKey) => boolean): boolean {
  const { relations } = entityOf(scene.catalogs, key);
  return [...relations.values()].some(({ target }) =>
    isTarget({ entryId: key.entryId, entity: target }),
  );
}

/** Type rows in the order of their `p#`; rows of one name keep theirs (TEACH-14). */
function byNumber(symbols: SymbolMap, rows: readonly TypeRow[]): readonly TypeRow[] {
  const numbers = new Map(symbols.names.map((name, at) => [name, at]));
  return rows.toSorted((a, b) => (numbers.get(a.name) ?? 0) - (numbers.get(b.name) ?? 0));
}

/** Tells types apart by their text in symbols, which no later ambiguity changes. */
function typeKeys(catalogs: CatalogSet, symbols: SymbolMap): (type: TypeRef) => string {
  const scope = { catalogs, entity: (key: EntityKey) => entitySymbol(symbols, key) };
  const known = new Map<TypeRef["input"], Map<string, string>>();
  return (type) => {
    const byEntry = known.get(type.input) ?? new Map<string, string>();
    const text = byEntry.get(type.entryId) ?? typeText(type, scope);
    byEntry.set(type.entryId, text);
    known.set(type.input, byEntry);
    return text;
  };
}

function membership(keys: readonly EntityKey[]): (key: EntityKey) => boolean {
  const ids = new Set(keys.map(entityId));
  return (key) => ids.has(entityId(key));
}
