import type { Catalog } from "../mapping/template.ts";
import { CURRENT_FEATURES, type Policy } from "../policy/policy.ts";
import { compareCodePoints, editDistance } from "../base/text.ts";
import { type CatalogIndex, discoveryIndex, listNames, shownName } from "./index-catalogs.ts";
import { inSingular, tokenize } from "./words.ts";
import { mayUseApi } from "../policy/may-use.ts";

/** An entity with its catalog: a seed that says all. */
export interface EntityRef {
  readonly api: string;
  readonly entity: string;
}

/** What a seed without catalog means; the texts name permitted catalogs only. */
export type ResolvedEntity =
  | ({ readonly ok: true } & EntityRef)
  | {
      readonly ok: false;
      readonly reason: "ambiguous" | "unknown";
      /** all that an ambiguous name may be, by api and entity; none of an unknown one */
      readonly candidates: readonly EntityRef[];
      readonly message: string;
    };

/** A name as it is compared: as written, without case, in the singular, and by its folded words. */
interface Name {
  readonly exact: string;
  readonly lower: string;
  readonly singular: string;
  /** with its numbers, which no folding may drop: OAuth1 and OAuth2 are two things */
  readonly words: string;
}

const nameOf = (text: string): Name => {
  const exact = text.trim();
  const numbers = exact.match(/\p{N}+/gu) ?? [];
  return {
    exact,
    lower: exact.toLowerCase(),
    singular: [...inSingular(exact), ...numbers].join(" "),
    words: [...tokenize(exact), ...numbers].join(" "),
  };
};

type Form = keyof Name;

type EntitiesByName = ReadonlyMap<string, readonly EntityRef[]>;

/** Entities by what they are called, in each form of a name: by their own, and by the others they are found by. */
interface NameIndex {
  readonly own: Readonly<Record<Form, EntitiesByName>>;
  readonly others: Readonly<Record<Form, EntitiesByName>>;
}

type Reading = readonly [whose: keyof NameIndex, forms: readonly Form[]];

const PLURAL: Reading = ["own", ["singular"]];

/** How a name may be meant, the surest first: all of a name comes before what is folded. */
const READINGS: readonly Reading[] = [
  ["own", ["exact"]],
  ["own", ["lower"]],
  PLURAL,
  ["others", ["exact", "lower"]],
  ["own", ["words"]],
  ["others", ["words"]],
];

/** An entity with all its names. */
interface NamedEntity extends EntityRef {
  readonly others: readonly string[];
}

const emptyForms = () => ({
  exact: new Map<string, EntityRef[]>(),
  lower: new Map<string, EntityRef[]>(),
  singular: new Map<string, EntityRef[]>(),
  words: new Map<string, EntityRef[]>(),
});

function indexNames(entities: Iterable<NamedEntity>): NameIndex {
  const [own, others] = [emptyForms(), emptyForms()];
  for (const { api, entity, others: more } of entities) {
    const ref = { api, entity };
    addName(own, entity, ref);
    for (const name of more) addName(others, name, ref);
  }
  return { own, others };
}

function addName(forms: ReturnType<typeof emptyForms>, text: string, ref: EntityRef): void {
  const name = nameOf(text);
  for (const form of ["exact", "lower", "singular", "words"] as const) {
    const named = forms[form].get(name[form]);
    if (named === undefined) forms[form].set(name[form], [ref]);
    else if (named.at(-1) !== ref) named.push(ref);
  }
}

const indexes = new WeakMap<CatalogIndex, NameIndex>();

/** The names of what discovery could find in a catalog: each view of it is read once (TEACH-36). */
function namesIn(catalog: Catalog, policy: Policy): NameIndex {
  const view = discoveryIndex(catalog, policy, CURRENT_FEATURES);
  const known = indexes.get(view);
  if (known !== undefined) return known;
  const index = indexNames(
    view.documents.map(({ api, entity: { name, discoveryNames, aliases } }) => ({
      api,
      entity: name,
      others: [...discoveryNames, ...aliases],
    })),
  );
  indexes.set(view, index);
  return index;
}

/** The catalogs that say themselves what a name is another name of: they mean that by it, whatever else they have. */
const apisThatSay = (named: Name, indexesOfAll: readonly NameIndex[]): ReadonlySet<string> =>
  new Set(lookUp(named, indexesOfAll, ["others", ["exact", "lower"]]).map(({ api }) => api));

function lookUp(
  wanted: Name,
  indexesOfAll: readonly NameIndex[],
  [whose, forms]: Reading,
): readonly EntityRef[] {
  const found = indexesOfAll.flatMap((index) =>
    forms
      .filter((form) => wanted[form] !== "")
      .flatMap((form) => index[whose][form].get(wanted[form]) ?? []),
  );
  return distinct(found);
}

/**
 * Returns what resolves names of entities whose catalog is not said, reading the names of all catalogs once:
 * exact name, else that name without case, else in the singular, else one of the other names an entity is found by, else
 * the same words with -ing and the like folded, of its own name before the others (TEACH-37). The first reading that means
 * anything decides, and it must mean one entity alone: nothing is ranked. In each reading, what a session `held` is
 * meant before what it does not hold: a name that is another's own is never folded into what is held. Forbidden
 * catalogs take no part (SURF-26).
 */
export function entityResolver(
  catalogs: Iterable<Catalog>,
  policy: Policy,
  held: readonly EntityRef[] = [],
): (text: string) => ResolvedEntity {
  const permitted = permittedCatalogs(catalogs, policy);
  const ids = new Set(permitted.map(({ entryId }) => entryId));
  const heldHere = held.filter(({ api }) => ids.has(api));
  const heldNames = indexNames(distinct(heldHere).map((ref) => ({ ...ref, others: [] })));
  const all = permitted.map((catalog) => namesIn(catalog, policy));
  const heldIds = new Set(heldHere.map(idOf));
  return (text) => {
    const wanted = nameOf(text);
    const said = apisThatSay(wanted, all);
    for (const reading of READINGS) {
      const isMeant = ({ api }: EntityRef) => reading !== PLURAL || !said.has(api);
      const found = lookUp(wanted, all, reading).filter(isMeant);
      const own = distinct([
        ...lookUp(wanted, [heldNames], reading).filter(isMeant),
        ...found.filter((ref) => heldIds.has(idOf(ref))),
      ]);
      if (own.length > 0) return resolved(wanted, own);
      if (found.length > 0) return resolved(wanted, found);
    }
    return resolved(wanted, []);
  };
}

const idOf = ({ api, entity }: EntityRef): string => JSON.stringify([api, entity]);

const placesInOrder = (a: EntityRef, b: EntityRef): number =>
  compareCodePoints(a.api, b.api) || compareCodePoints(a.entity, b.entity);

const distinct = (refs: readonly EntityRef[]): readonly EntityRef[] =>
  refs.length < 2 ? refs : [...new Map(refs.map((ref) => [idOf(ref), ref])).values()];

function resolved({ exact }: Name, found: readonly EntityRef[]): ResolvedEntity {
  const candidates = found.map(({ api, entity }) => ({ api, entity })).toSorted(placesInOrder);
  const [only, other] = candidates;
  if (only !== undefined && other === undefined) return { ok: true, ...only };
  const shown = shownName(exact);
  if (only === undefined) {
    const message = `No catalog has an entity ${shown}.`;
    return { ok: false, reason: "unknown", candidates, message };
  }
  const seeds = listNames(candidates.map((each) => JSON.stringify(each)));
  return {
    ok: false,
    reason: "ambiguous",
    candidates,
    message: `${shown} may be ${seeds}: seed the one that is meant.`,
  };
}

/** What a catalog name in a seed means; the texts name permitted catalogs only. */
export type ResolvedApi =
  | { readonly ok: true; readonly entryId: string }
  | {
      readonly ok: false;
      readonly reason: "ambiguous" | "unknown";
      /** the candidates of an ambiguous name, the nearest of an unknown one */
      readonly entryIds: readonly string[];
      readonly message: string;
    };

const FARTHEST = 3;

/**
 * Resolves a catalog name: exact id, else the only catalog with that id, label, tag or alias, case
 * ignored. Forbidden catalogs take no part: their names answer as unknown ones (TEACH-40, RUN-182).
 */
export function resolveApi(name: string, catalogs: Iterable<Catalog>, policy: Policy): ResolvedApi {
  const permitted = permittedCatalogs(catalogs, policy);
  const wanted = name.trim();
  if (permitted.some(({ entryId }) => entryId === wanted)) return { ok: true, entryId: wanted };
  const shown = shownName(wanted);
  const lower = wanted.toLowerCase();
  const found = permitted.filter((catalog) => namesOf(catalog).includes(lower));
  const entryIds = found.map(({ entryId }) => entryId);
  const [only] = entryIds;
  if (only !== undefined && entryIds.length === 1) return { ok: true, entryId: only };
  if (only !== undefined) {
    const message = `${shown} may be ${listNames(entryIds)}: name one of them.`;
    return { ok: false, reason: "ambiguous", entryIds, message };
  }
  const nearest = nearestIds(lower, permitted);
  const known = permitted.map(({ entryId }) => entryId);
  const help =
    nearest.length > 0 ? `Nearest: ${listNames(nearest)}.` : `Catalogs: ${listNames(known)}.`;
  const message = `No catalog ${shown}. ${known.length === 0 ? "There are none." : help}`;
  return { ok: false, reason: "unknown", entryIds: nearest, message };
}

/** The catalogs a caller may use, by id. */
export function permittedCatalogs(catalogs: Iterable<Catalog>, policy: Policy): readonly Catalog[] {
  return [...catalogs]
    .filter(({ entryId }) => mayUseApi(policy, entryId))
    .toSorted((a, b) => compareCodePoints(a.entryId, b.entryId));
}

/** All names of a catalog in lower case: id, label, tags, aliases. */
export function namesOf({ entryId, cgs }: Catalog): readonly string[] {
  const names = [entryId, cgs.label, ...cgs.tags, ...cgs.registryAliases];
  return names.map((name) => name.trim().toLowerCase()).filter((name) => name !== "");
}

function nearestIds(wanted: string, catalogs: readonly Catalog[]): readonly string[] {
  return catalogs
    .map((catalog) => ({
      entryId: catalog.entryId,
      distance: Math.min(...namesOf(catalog).map((name) => editDistance(wanted, name, FARTHEST))),
    }))
    .filter(({ distance }) => distance <= FARTHEST)
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ entryId }) => entryId);
}
