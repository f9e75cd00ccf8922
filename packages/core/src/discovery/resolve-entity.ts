import type { Catalog } from "../mapping/template.ts";
import { CURRENT_FEATURES, type Policy } from "../policy/policy.ts";
import { compareCodePoints, editDistance } from "../base/text.ts";
import { discoveryIndex, listNames, shownName } from "./index-catalogs.ts";
import { tokenize } from "./words.ts";
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

/** A name as it is compared: as written, without case, and by its folded words. */
interface Name {
  readonly exact: string;
  readonly lower: string;
  readonly words: string;
}

/** An entity that a name may mean, with its own name and the others it is found by. */
interface Candidate extends EntityRef {
  readonly name: Name;
  readonly others: readonly string[];
}

const nameOf = (text: string): Name => {
  const exact = text.trim();
  return { exact, lower: exact.toLowerCase(), words: tokenize(exact).join(" ") };
};

type Reading = (wanted: Name, name: Name) => boolean;

/** How an entity's own name may be meant, the surest first. */
const READINGS: readonly Reading[] = [
  (wanted, { exact }) => exact === wanted.exact,
  (wanted, { lower }) => lower === wanted.lower,
  (wanted, { words }) => words !== "" && words === wanted.words,
];

const isRead: Reading = (wanted, name) => READINGS.some((reads) => reads(wanted, name));

/** Those whose own name is meant, by the surest reading that means any. */
function byName(wanted: Name, candidates: readonly Candidate[]): readonly Candidate[] {
  for (const reads of READINGS) {
    const found = candidates.filter(({ name }) => reads(wanted, name));
    if (found.length > 0) return found;
  }
  return [];
}

const byOtherName = (wanted: Name, candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.filter(({ others }) => others.some((name) => isRead(wanted, nameOf(name))));

const candidate = ({ api, entity }: EntityRef, others: readonly string[] = []): Candidate => ({
  api,
  entity,
  name: nameOf(entity),
  others,
});

/** What discovery could find: entities of permitted catalogs of which something may be used (TEACH-36). */
function candidatesIn(catalogs: readonly Catalog[], policy: Policy): readonly Candidate[] {
  return catalogs
    .flatMap((catalog) => discoveryIndex(catalog, policy, CURRENT_FEATURES).documents)
    .map(({ api, entity }) => {
      const { name, discoveryNames, aliases } = entity;
      return candidate({ api, entity: name }, [...discoveryNames, ...aliases]);
    });
}

/** The first of some sets that is not empty. */
function firstFound(...sets: readonly (() => readonly Candidate[])[]): readonly Candidate[] {
  for (const set of sets) {
    const found = set();
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * Resolves the name of an entity whose catalog is not said: exact name, else that name without case, else
 * the same words with plurals and the like folded (TEACH-37), else one of the other names it is found by.
 * The first reading that means anything decides, and it must mean one entity alone: nothing is ranked. What a
 * session `held` is meant before what it does not hold. Forbidden catalogs take no part (SURF-26).
 */
export function resolveEntity(
  text: string,
  catalogs: Iterable<Catalog>,
  policy: Policy,
  held: readonly EntityRef[] = [],
): ResolvedEntity {
  const wanted = nameOf(text);
  const permitted = permittedCatalogs(catalogs, policy);
  const ids = new Set(permitted.map(({ entryId }) => entryId));
  const own = distinct(held.filter(({ api }) => ids.has(api))).map((place) => candidate(place));
  const all = candidatesIn(permitted, policy);
  const isOwn = (one: Candidate): boolean =>
    own.some(({ api, entity }) => api === one.api && entity === one.entity);
  const found = firstFound(
    () => byName(wanted, own),
    () => byName(wanted, all),
    () => byOtherName(wanted, all.filter(isOwn)),
    () => byOtherName(wanted, all),
  );
  return resolved(wanted, found);
}

const placesInOrder = (a: EntityRef, b: EntityRef): number =>
  compareCodePoints(a.api, b.api) || compareCodePoints(a.entity, b.entity);

const distinct = (places: readonly EntityRef[]): readonly EntityRef[] => [
  ...new Map(places.map((place) => [JSON.stringify([place.api, place.entity]), place])).values(),
];

function resolved({ exact }: Name, found: readonly Candidate[]): ResolvedEntity {
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
