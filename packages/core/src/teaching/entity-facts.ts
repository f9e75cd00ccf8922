import { getByKey, getsByKey } from "../check/reads/gets-by-key.ts";
import { catalogOf, entityId, type EntityKey, entityOf } from "../catalog/federation.ts";
import type { Catalog } from "../mapping/template.ts";
import { defaultList } from "../mapping/open-lists.ts";
import { capabilitySlots, unsentSlots } from "../mapping/capability-slots.ts";
import { effectKind } from "../policy/may-use.ts";
import { capabilitiesByLabel, keyParts, providedFields } from "../model/lookups.ts";
import type { Capability, Entity } from "../model/model.ts";
import { compareCodePoints } from "../base/text.ts";
import { isSatisfiable, slotsOfList } from "./list-choice.ts";
import type { Scene, Untaught } from "./notation.ts";
import type { InputType } from "../model/input.ts";

/** What an entity can be asked in this session, before it is written down. */
export interface EntityFacts {
  readonly key: EntityKey;
  readonly catalog: Catalog;
  readonly entity: Entity;
  /** all capabilities, taught or not, by label */
  readonly all: readonly Capability[];
  readonly queries: readonly Capability[];
  readonly searches: readonly Capability[];
  /** what the bare name reads, and what a search of it is, where that needs nothing more (RUN-110) */
  readonly defaults: readonly Capability[];
  readonly gets: readonly Capability[];
  readonly creates: readonly Capability[];
  readonly methods: readonly Capability[];
  /** what could be called and stands in tables in full alone, by label (TEACH-57) */
  readonly rare: readonly Capability[];
  /** the fields some taught read fills: key first, then by name (TEACH-15) */
  readonly columns: readonly string[];
  /** how many of those that reads fill stand in tables in full alone (TEACH-57) */
  readonly rareColumns: number;
  /** the gets that need nothing but the key */
  readonly byKey: readonly Capability[];
  /** the get that `E($)` is, or null */
  readonly keyed: Capability | null;
  /** what heads the block (TEACH-15), or null for an entity without reads */
  readonly head: Capability | null;
  readonly untaught: readonly Untaught[];
}

const known = new WeakMap<Scene, Map<string, EntityFacts>>();

/** Sorts the capabilities of an exposed entity by what they are taught as (TEACH-14, TEACH-24). */
export function entityFacts(scene: Scene, key: EntityKey): EntityFacts {
  const ofScene = known.get(scene) ?? new Map<string, EntityFacts>();
  known.set(scene, ofScene);
  const id = entityId(key);
  const facts = ofScene.get(id) ?? sortedOut(scene, key);
  ofScene.set(id, facts);
  return facts;
}

function sortedOut(scene: Scene, key: EntityKey): EntityFacts {
  const catalog = catalogOf(scene.catalogs, key.entryId);
  const entity = entityOf(scene.catalogs, key);
  const all = capabilitiesByLabel(catalog.cgs, key.entity);
  const judged = all.map((capability) => ({
    capability,
    reason: scene.standing(key, capability) ?? unusable(catalog, capability),
  }));
  const taught = judged.flatMap(({ capability, reason }) => (reason === null ? [capability] : []));
  const reads = taught.filter((capability) => effectKind(capability.kind) === null);
  const filled = columnsOf(catalog, entity, reads);
  const defaults = (["query", "search"] as const).map((kind) =>
    defaultList(catalog, entity, kind, taught),
  );
  const ofKind = (kind: Capability["kind"]): readonly Capability[] =>
    taught.filter((capability) => capability.kind === kind);
  const queries = byRequired(catalog, ofKind("query"), defaults);
  const searches = byRequired(catalog, ofKind("search"), defaults);
  const gets = ofKind("get");
  const keyed = getByKey(scene.rules, key, []);
  const head = queries[0] ?? getByKey(scene.rules, key, filled) ?? gets[0] ?? searches[0] ?? null;
  // What the name of an entity and its key read is taught whatever the catalog says of it.
  const isRare = (one: Capability): boolean =>
    !scene.inFull &&
    one.detail === true &&
    one !== head &&
    one !== keyed &&
    !defaults.includes(one);
  const shown = (all: readonly Capability[]): readonly Capability[] =>
    all.filter((one) => !isRare(one));
  const columns = scene.inFull
    ? filled
    : filled.filter((name) => isKeyPart(entity, name) || !isDetail(entity, name));
  return {
    key,
    catalog,
    entity,
    all,
    queries: shown(queries),
    searches: shown(searches),
    defaults: defaults.filter((list) => list !== null),
    gets: shown(gets),
    creates: shown(ofKind("create")),
    methods: shown(
      taught.filter(({ kind }) => kind === "update" || kind === "action" || kind === "delete"),
    ),
    rare: taught.filter(isRare),
    columns,
    rareColumns: filled.length - columns.length,
    keyed,
    byKey: getsByKey(scene.rules, key),
    head,
    untaught: judged.flatMap(({ capability, reason }) =>
      reason === null ? [] : [{ capability: capability.name, reason }],
    ),
  };
}

function unusable(catalog: Catalog, capability: Capability): Untaught["reason"] | null {
  if (unexpressible(catalog, capability)) return "unexpressible_input";
  // What requires an argument that its request would never carry is refused when planned (RUN-010).
  if (effectKind(capability.kind) !== null && unsentSlots(catalog, capability).size > 0) {
    return "not_plannable";
  }
  if (capability.kind !== "query" && capability.kind !== "search") return null;
  return isSatisfiable(catalog, capability) ? null : "not_plannable";
}

/** Lists with the fewest required slots first, then the default, then by label (TEACH-15). */
function byRequired(
  catalog: Catalog,
  lists: readonly Capability[],
  defaults: readonly (Capability | null)[],
): readonly Capability[] {
  const required = (list: Capability): number => slotsOfList(catalog, list).required.length;
  return lists.toSorted(
    (a, b) =>
      required(a) - required(b) ||
      Number(defaults.includes(b)) - Number(defaults.includes(a)) ||
      compareCodePoints(a.label, b.label),
  );
}

const isKeyPart = (entity: Entity, name: string): boolean => keyParts(entity).includes(name);

const isDetail = (entity: Entity, name: string): boolean =>
  entity.fields.get(name)?.detail === true;

function columnsOf(
  catalog: Catalog,
  entity: Entity,
  reads: readonly Capability[],
): readonly string[] {
  if (reads.length === 0) return [];
  const filled = new Set(reads.flatMap((read) => [...providedFields(catalog.cgs, read)]));
  const keys = keyParts(entity).filter((part) => entity.fields.has(part));
  const others = [...filled].filter((name) => entity.fields.has(name) && !keys.includes(name));
  return [...keys, ...others.toSorted(compareCodePoints)];
}

/**
 * Whether a capability needs an argument that no program can write: a list of lists (LANG-040) or a
 * union without variants.
 */
function unexpressible(catalog: Catalog, capability: Capability): boolean {
  const { slots, union } = capabilitySlots(catalog, capability);
  if (union !== null && isUnwritable(union)) return true;
  return slots.some((slot) => slot.required && isUnwritable(slot.input));
}

function isUnwritable(input: InputType): boolean {
  switch (input.kind) {
    case "none":
      return false;
    case "value":
      return input.type.kind === "array" && isList(input.type.items.kind);
    case "array":
      return isListInput(input.element) || isUnwritable(input.element);
    case "object":
      return input.fields.some((field) => field.required && isUnwritable(field.input));
    case "union":
      return input.variants.every((variant) =>
        variant.fields.some((field) => field.required && isUnwritable(field.input)),
      );
  }
}

function isListInput(input: InputType): boolean {
  return input.kind === "array" || (input.kind === "value" && isList(input.type.kind));
}

function isList(kind: string): boolean {
  return kind === "array" || kind === "multi_select";
}
