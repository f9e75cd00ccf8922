import { catalogOf, type CatalogSet, entityId, type EntityKey } from "../catalog/federation.ts";
import type { Catalog } from "../mapping/template.ts";
import {
  entityAt,
  entitySymbol,
  isExposedIn,
  nameNumber,
  type SymbolMap,
} from "../symbols/symbols.ts";
import { fieldUses, keyUses } from "./call-cells.ts";
import type { ContractPart } from "./contract.ts";
import { entityFacts, type EntityFacts } from "./entity-facts.ts";
import { ownRows } from "./entity-rows.ts";
import { placedNames } from "./place.ts";
import { type FurtherRelation, furtherRelations, relationRows } from "./relation-rows.ts";
import type { ExecutableRow, TableRow, TypeRow } from "./row.ts";
import type { Scene, Untaught } from "./notation.ts";
import { TaughtTypes } from "./taught-types.ts";
import { referenceOf, type TypeRef, taughtTypeText } from "./list-choice.ts";
import { capabilitySlots } from "../mapping/capability-slots.ts";
import { isPaged } from "../mapping/open-lists.ts";
import type { LeftOut } from "./wave-text.ts";
import { isRare } from "./value-shapes.ts";
import type { InputType, Slot } from "../model/input.ts";
import { hasUnion, takesUnion } from "../model/slots-of.ts";
import { effectKind } from "../policy/may-use.ts";
import type { ValueType } from "../values/value-type.ts";

/** What one wave teaches, as rows in table order (TEACH-14, TEACH-27). */
export interface WaveRows {
  readonly rows: readonly TableRow[];
  readonly untaught: readonly Untaught[];
  /** relations of its entities to others that are not exposed, each named once in a session */
  readonly further: readonly FurtherRelation[];
  /** what its rows leave out of its entities (TEACH-46, TEACH-57) */
  readonly rare: readonly LeftOut[];
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
    const isExposed = (key: EntityKey): boolean => isExposedIn(scene.symbols, key);
    const changed = this.#types.relearn(added, keyOf);
    const untaught: Untaught[] = [];
    const further: FurtherRelation[] = [];
    const rare: LeftOut[] = [];
    const blocks = added.flatMap((key) => {
      const facts = entityFacts(scene, key);
      const relations = relationRows(scene, facts, isExposed);
      untaught.push(...facts.untaught, ...relations.untaught);
      further.push(
        ...furtherRelations(scene, facts, isExposed).filter((each) => this.#isNew(key, each)),
      );
      rare.push(...leftOut(scene, facts));
      return this.#block(scene, facts, relations.rows, keyOf);
    });
    const said = this.#saidAnew(scene, added, keyOf);
    const earlier = leadingTo(scene, added).filter((key) => !isNew(key));
    const gained = earlier.flatMap((key) => {
      const facts = entityFacts(scene, key);
      const relations = relationRows(scene, facts, isNew);
      this.#call(partsGained(relations.rows));
      untaught.push(...relations.untaught);
      return this.#showKey(facts, relations.rows).map((row) => this.#withTypes(key, row, keyOf));
    });
    const rows = [...blocks, ...byNumber(scene.symbols, changed), ...said, ...gained];
    return { rows, untaught, further, rare, called: new Set(this.#called) };
  }

  /** The blocks of exposed entities alone, with the parts of the contract that they call for (TEACH-46). */
  inFull(scene: Scene, keys: readonly EntityKey[]): Pick<WaveRows, "rows" | "called"> {
    const keyOf = typeKeys(scene.catalogs, scene.symbols);
    const isExposed = (key: EntityKey): boolean => isExposedIn(scene.symbols, key);
    const rows = keys.flatMap((key) => {
      const facts = entityFacts(scene, key);
      return this.#block(scene, facts, relationRows(scene, facts, isExposed).rows, keyOf);
    });
    return { rows, called: new Set(this.#called) };
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

/** What the rows of an entity leave out: fields, methods, and arguments at any depth, by name and method. */
function leftOut(scene: Scene, facts: EntityFacts): readonly LeftOut[] {
  const { catalog, queries, searches, gets, creates, methods, key } = facts;
  const args = [...queries, ...searches, ...gets, ...creates, ...methods].reduce(
    (sum, capability) => {
      const { slots, union } = capabilitySlots(catalog, capability);
      return sum + rareIn(slots) + (union === null ? 0 : rareWithin(union));
    },
    0,
  );
  const named = facts.rare.map(({ label }) => {
    const spelled = scene.spell.method({ ...key, label });
    return spelled === label ? label : `${spelled} ${label}`;
  });
  if (args === 0 && facts.rareColumns === 0 && named.length === 0) return [];
  const fields = facts.rareColumns;
  return [{ entity: scene.spell.introduced(key), fields, methods: named, args }];
}

/** Rare slots with all their members, and those within the others. */
const rareIn = (slots: readonly Slot[]): number =>
  slots.reduce((sum, slot) => sum + (isRare(slot) ? 1 : rareWithin(slot.input)), 0);

function rareWithin(input: InputType): number {
  switch (input.kind) {
    case "none":
    case "value":
      return 0;
    case "array":
      return rareWithin(input.element);
    case "object":
      return rareIn(input.fields);
    case "union":
      return input.variants.reduce((sum, { fields }) => sum + rareIn(fields), 0);
  }
}

const sources = new WeakMap<Catalog, ReadonlyMap<string, ReadonlySet<string>>>();

/** The entities of a catalog that have a relation to each. */
function sourcesOf(catalog: Catalog): ReadonlyMap<string, ReadonlySet<string>> {
  const known = sources.get(catalog);
  if (known !== undefined) return known;
  const made = new Map<string, Set<string>>();
  for (const [name, { relations }] of catalog.cgs.entities) {
    for (const { target } of relations.values()) {
      made.set(target, (made.get(target) ?? new Set()).add(name));
    }
  }
  sources.set(catalog, made);
  return made;
}

/** Exposed entities with a relation to one of these, in order: nothing else can gain a row. */
function leadingTo({ catalogs, symbols }: Scene, keys: readonly EntityKey[]): readonly EntityKey[] {
  const places = new Set<number>();
  for (const { entryId, entity } of keys) {
    for (const source of sourcesOf(catalogOf(catalogs, entryId)).get(entity) ?? []) {
      const at = entityAt(symbols, { entryId, entity: source });
      if (at !== undefined) places.add(at);
    }
  }
  return [...places].toSorted((a, b) => a - b).flatMap((at) => symbols.entities[at] ?? []);
}

/** Type rows in the order of their `p#`; rows of one name keep theirs (TEACH-14). */
function byNumber(symbols: SymbolMap, rows: readonly TypeRow[]): readonly TypeRow[] {
  const numberOf = ({ name }: TypeRow): number => nameNumber(symbols, name) ?? 0;
  return rows.toSorted((a, b) => numberOf(a) - numberOf(b));
}

/** Tells types apart by their text in symbols, which no later ambiguity changes. */
function typeKeys(catalogs: CatalogSet, symbols: SymbolMap): (type: TypeRef) => string {
  const scope = { catalogs, entity: (key: EntityKey) => entitySymbol(symbols, key) };
  const known = new Map<TypeRef["input"], Map<string, string>>();
  return (type) => {
    const byEntry = known.get(type.input) ?? new Map<string, string>();
    const text = byEntry.get(type.entryId) ?? taughtTypeText(type, scope);
    byEntry.set(type.entryId, text);
    known.set(type.input, byEntry);
    return text;
  };
}

function membership(keys: readonly EntityKey[]): (key: EntityKey) => boolean {
  const ids = new Set(keys.map(entityId));
  return (key) => ids.has(entityId(key));
}

/**
 * The parts of the contract that what one entity teaches calls for (TEACH-32); core is always due. Where
 * nothing is written, structured text counts only as what reads take.
 */
function partsCalledFor(
  facts: EntityFacts,
  readOnly: boolean,
  rows: readonly ExecutableRow[],
): ReadonlySet<ContractPart> {
  const { searches, queries, creates, methods, rare, catalog } = facts;
  const parts = new Set<ContractPart>(["core"]);
  const mutates = [...creates, ...methods, ...rare].some(({ kind }) => effectKind(kind) !== null);
  const paged = [...queries, ...searches].some((list) => {
    const template = catalog.cml.get(list.name);
    return template !== undefined && isPaged(template);
  });
  const shown = [...fieldUses(facts, facts.columns), ...rows.flatMap((row) => row.uses)];
  const uses = readOnly ? shown.filter(({ place }) => place.kind !== "field") : shown;
  if (searches.length > 0) parts.add("search");
  if (uses.some(({ input }) => isStructured(input))) parts.add("text");
  if (uses.some(({ input }) => hasUnion(input))) parts.add("unions");
  if ([...creates, ...methods].some(takesUnion)) parts.add("unions");
  if (rows.some(({ opt, here }) => here.length > 0 || opt.some((path) => path.includes(".")))) {
    parts.add("unions");
  }
  if (mutates) parts.add("effects");
  if (mutates || paged) parts.add("continuations");
  for (const part of partsGained(rows)) parts.add(part);
  return parts;
}

/** The parts that relation rows call for, those an entity gains later included. */
function partsGained(rows: readonly ExecutableRow[]): ReadonlySet<ContractPart> {
  const many = rows.some(
    ({ kind, result }) => kind === "relation" && result.kind === "rows" && result.card === "many",
  );
  return new Set<ContractPart>(many ? ["continuations"] : []);
}

/** Whether a slot holds structured text, at any depth: markdown, document, html, json_text, blob. */
function isStructured(input: InputType): boolean {
  switch (input.kind) {
    case "none":
      return false;
    case "value":
      return isStructuredValue(input.type);
    case "array":
      return isStructured(input.element);
    case "object":
      return input.fields.some((field) => isStructured(field.input));
    case "union":
      return input.variants.some((variant) =>
        variant.fields.some((field) => isStructured(field.input)),
      );
  }
}

function isStructuredValue(type: ValueType): boolean {
  if (type.kind === "string") return type.semantics !== "short";
  if (type.kind === "array") return isStructuredValue(type.items);
  return type.kind === "blob";
}
