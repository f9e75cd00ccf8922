import { compareCodePoints } from "../base/text.ts";
import type { ValueType } from "../values/value-type.ts";
import { type Capability, type Cgs, type Entity, isEffectKind } from "./model.ts";

type Index = ReadonlyMap<string, readonly Capability[]>;

/** The capabilities of each entity of a graph, in two orders. */
interface Indexes {
  readonly declared: Index;
  readonly byLabel: Index;
}

const known = new WeakMap<Cgs, Indexes>();

/** The capabilities of an entity in the order of their labels (TEACH-5); indexed once per graph. */
export function capabilitiesByLabel(cgs: Cgs, entity: string): readonly Capability[] {
  return indexesOf(cgs).byLabel.get(entity) ?? [];
}

/** The capabilities of an entity in the order of their catalog; indexed once per graph. */
export function declaredCapabilities(cgs: Cgs, entity: string): readonly Capability[] {
  return indexesOf(cgs).declared.get(entity) ?? [];
}

function indexesOf(cgs: Cgs): Indexes {
  const found = known.get(cgs);
  if (found !== undefined) return found;
  const all = [...cgs.capabilities.values()];
  const sorted = all.toSorted((a, b) => compareCodePoints(a.label, b.label));
  const indexes = { declared: indexed(all), byLabel: indexed(sorted) };
  known.set(cgs, indexes);
  return indexes;
}

function indexed(capabilities: readonly Capability[]): Index {
  const index = new Map<string, Capability[]>();
  for (const capability of capabilities) {
    const own = index.get(capability.entity);
    if (own === undefined) index.set(capability.entity, [capability]);
    else own.push(capability);
  }
  return index;
}

/**
 * The name programs call a capability by: without a leading `lower(Entity)_`, `_` written `-`
 * (catalog format, section 7). `parcel_mark_lost` of Parcel is `mark-lost`.
 */
export function capabilityLabel(capability: string, entity: string): string {
  const prefix = `${entity.toLowerCase()}_`;
  const own = capability.startsWith(prefix) ? capability.slice(prefix.length) : capability;
  return (own === "" ? capability : own).replaceAll("_", "-");
}

/** The capabilities of an entity, by name. */
export function capabilitiesOf(cgs: Cgs, entity: string): readonly Capability[] {
  return capabilitiesByLabel(cgs, entity).toSorted((a, b) => compareCodePoints(a.name, b.name));
}

/** The capability of an entity that programs call by this label; labels are unique (CAT-071). */
export function capabilityByLabel(cgs: Cgs, entity: string, label: string): Capability | undefined {
  return capabilitiesByLabel(cgs, entity).find((capability) => capability.label === label);
}

/**
 * The fields (and relations) that a capability's response fills: its `provides`; without it all
 * fields for reads, none for writes (catalog format, section 7).
 */
export function providedFields(cgs: Cgs, capability: Capability): readonly string[] {
  if (capability.provides !== undefined) return capability.provides;
  if (isEffectKind(capability.kind)) return [];
  return [...(cgs.entities.get(capability.entity)?.fields.keys() ?? [])];
}

/** The capability that is asked where a list's rows are counted: the list itself, or the one that counts for it (CAT-145). */
export function countingCapability(cgs: Cgs, list: string): string {
  const count = cgs.capabilities.get(list)?.count;
  return count !== undefined && "capability" in count ? count.capability : list;
}

/**
 * The names of an entity's key parts, in order: `key_vars` if there are two or more, else the id
 * field alone (RUN-011, LANG-028); none of rows without a key (CAT-040).
 */
export function keyParts(entity: Entity): readonly string[] {
  if (!entity.hasKey) return [];
  return entity.keyVars.length > 1 ? entity.keyVars : [entity.idField];
}

/** Whether every server brings values of a type in the same order: texts are sorted in as many ways as there are servers. */
export const sortsAlike = ({ kind }: Pick<ValueType, "kind">): boolean =>
  kind === "number" || kind === "integer" || kind === "date";

/** The entity of this name or alias; aliases are unique and no entity's name (CAT-042). */
export function findEntity(cgs: Cgs, nameOrAlias: string): Entity | undefined {
  const named = cgs.entities.get(nameOrAlias);
  if (named !== undefined) return named;
  for (const entity of cgs.entities.values()) {
    if (entity.aliases.includes(nameOrAlias)) return entity;
  }
  return undefined;
}

const targets = new WeakMap<Cgs, ReadonlySet<string>>();

/** The entities that a relation leads to; indexed once per graph. */
function relationTargets(cgs: Cgs): ReadonlySet<string> {
  let found = targets.get(cgs);
  if (found === undefined) {
    const all = [...cgs.entities.values()].flatMap(({ relations }) => [...relations.values()]);
    found = new Set(all.map(({ target }) => target));
    targets.set(cgs, found);
  }
  return found;
}

/**
 * Whether an entity may be asked for by name: each that is not abstract, and an abstract one whose rows can be
 * had, by a capability of its own or through a relation (17.14, TEACH-7). Discovery offers no abstract ones.
 */
export function canBeSeed(cgs: Cgs, entity: Entity): boolean {
  if (!entity.abstract) return true;
  return capabilitiesByLabel(cgs, entity.name).length > 0 || relationTargets(cgs).has(entity.name);
}

/**
 * The name of the deployment's setting that overrides a catalog's backend (RUN-004, CAT-021):
 * `PLASM_BACKEND_` and the entry id in capitals, punctuation as `_`.
 */
export function backendSetting(entryId: string): string {
  return `PLASM_BACKEND_${entryId.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}

/** Whether a read fills a field or relation: one that declares nothing fills all (catalog format, section 7). */
export function provides(capability: Capability, name: string): boolean {
  const declared = capability.provides ?? [];
  return declared.length === 0 || declared.includes(name);
}

/**
 * Whether a get may fill a name though what it declares does not have it: the rows of a relation, or its
 * reference, stand in the row itself, whichever get reads that (RUN-036, RUN-037, RUN-050).
 */
export function mayHold({ relations }: Pick<Entity, "relations">, name: string): boolean {
  const relation = relations.get(name);
  if (relation === undefined) return false;
  if (relation.materialize?.kind === "from_parent_get") return true;
  return relation.cardinality === "one" && relation.materialize === undefined;
}

/**
 * Returns the get to read an entity by (RUN-042): of those that `isBetter` holds for, if there are any, the one that fills
 * most of the names, then the entity's `primary_read`, then `<entity>_get`, then the first by name. Null if there is none.
 */
export function bestGet(
  gets: readonly Capability[],
  { name, primaryRead }: Pick<Entity, "name" | "primaryRead">,
  names: readonly string[],
  isBetter: (get: Capability) => boolean = () => true,
): Capability | null {
  const ranked = gets
    .toSorted((a, b) => compareCodePoints(a.name, b.name))
    .map((get) => ({
      get,
      rank: [
        isBetter(get) ? 1 : 0,
        names.filter((each) => provides(get, each)).length,
        get.name === primaryRead ? 1 : 0,
        get.name === `${name.toLowerCase()}_get` ? 1 : 0,
      ],
    }));
  const [best] = ranked.toSorted((a, b) => compareRanks(b.rank, a.rank));
  return best?.get ?? null;
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [at, rank] of a.entries()) {
    const difference = rank - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
