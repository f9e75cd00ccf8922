import type { Catalog } from "../mapping/template.ts";
import { CURRENT_FEATURES, type Features, type Policy } from "../policy/policy.ts";
import { effectKind } from "../policy/may-use.ts";
import { cleanText } from "../teaching/clean-text.ts";
import {
  type CatalogIndex,
  discoveryIndex,
  type EntityDocument,
  listNames,
  MOST_LISTED,
} from "./index-catalogs.ts";
import { matchIntent, type Reading, TAUGHT } from "./match-intent.ts";
import type { Synonyms } from "./read-synonyms.ts";
import { rankDocuments, type ScoredDocument } from "./score.ts";
import { type EntityRef, permittedCatalogs, resolveApi } from "./resolve-entity.ts";

/** A search for seeds: a goal, and where to look (TEACH-36). */
export interface DiscoverInput {
  /** one sentence; it is not stored */
  readonly intent: string;
  /** names of catalogs to look in; all permitted ones without */
  readonly apis?: readonly string[];
  /** 1 to 32, default 8 */
  readonly limit?: number;
  /** what words of everyday speech may stand for; none without (TEACH-48) */
  readonly synonyms?: Synonyms;
}

/** A seed worth asking for (TEACH-39). */
export interface DiscoverOption {
  readonly api: string;
  readonly entity: string;
  readonly description: string;
}

/** What a search found, as data and as text; or the name that it could not resolve (TEACH-40). */
export type Discovered =
  | {
      readonly ok: true;
      readonly options: readonly DiscoverOption[];
      /** how many more matched */
      readonly omitted: number;
      /** the best of those, and without any option what comes nearest: to be named where the goal needs them (TEACH-59, TEACH-60) */
      readonly others: readonly EntityRef[];
      /** of catalogs that were named what else is there and shares no word with the goal; none of them is omitted (TEACH-62) */
      readonly further: readonly EntityRef[];
      /** the catalogs of which nothing stands here, of many those first that explain most of the goal (TEACH-63) */
      readonly elsewhere: readonly string[];
      readonly text: string;
    }
  /** a name in `apis` that is unknown or ambiguous (TEACH-40) */
  | { readonly ok: false; readonly message: string };

const DEFAULT_LIMIT = 8;
const DESCRIPTION_LIMIT = 120;

/**
 * The entities that fit an intent, best first, among what the caller may use; policy is applied before
 * anything is scored (TEACH-36 to TEACH-39).
 */
export function discover(
  input: DiscoverInput,
  catalogs: Iterable<Catalog>,
  policy: Policy,
  features: Features = CURRENT_FEATURES,
): Discovered {
  const found = ranked(input, catalogs, policy, features);
  if (!found.ok) return found;
  const { rows, rest, ids } = found;
  const limit = input.limit ?? DEFAULT_LIMIT;
  const shown = rows.slice(0, limit);
  const filled = rest.slice(0, limit - shown.length);
  const options = [...shown, ...filled].map(({ document }) => optionOf(document));
  // A limit is how much its caller wants to read.
  const isOpen = input.limit === undefined;
  const near = isOpen ? nextByName(rows) : [];
  const there = isOpen ? furtherRest(rest, filled.length, near.length) : [];
  const unfit = shown.length === 0;
  const omitted = unfit ? rest.length - filled.length - there.length : rows.length - shown.length;
  const isNone = options.length === 0;
  const others = (isNone ? found.nearest.slice(0, limit) : near).map(refOf);
  const further = there.map(refOf);
  const told = new Set([...options, ...near.map(refOf)].map(({ api }) => api));
  const isAsked = isNone || (isOpen && (input.apis ?? []).length === 0);
  const elsewhere = isAsked ? ids.filter((id) => !told.has(id)) : [];
  const answer = { ok: true, options, omitted, others, further, elsewhere } as const;
  if (isNone) return { ...answer, text: noMatchText(ids, others) };
  const table = optionsText(answer);
  const last = filled.length === 0 ? "" : `\n${lastUnfitText(filled.length)}`;
  return { ...answer, text: unfit ? `${unfitText(ids)}:\n${table}` : `${table}${last}` };
}

/** Beside the first eight so many entities are told by name, of at least this share of the odds of the best. */
const NAMED = { most: 16, share: 0.01 };

/** The rows after the first eight that are worth their names (TEACH-59). */
function nextByName(rows: readonly ScoredDocument[]): readonly ScoredDocument[] {
  // The best is dealt first.
  const least = NAMED.share * (rows[0]?.score ?? 0);
  return rows
    .slice(DEFAULT_LIMIT)
    .filter(({ score }) => score >= least)
    .slice(0, NAMED.most);
}

/** Of catalogs that were named so many others are told by name as are left of the sixteen, what can do most first (TEACH-62). */
const furtherRest = (
  rest: readonly ScoredDocument[],
  from: number,
  near: number,
): readonly ScoredDocument[] => rest.slice(from, from + NAMED.most - near);

/** Says that the last rows are no match: they are there since a catalog was named (TEACH-49). */
const lastUnfitText = (count: number): string =>
  count === 1
    ? "The last one shares no word with the goal."
    : `The last ${count} share no word with the goal.`;

/** Says that rows are no match (TEACH-47). */
const unfitText = (ids: readonly string[]): string =>
  `No word of this goal is found in ${listNames(ids)}; what can do most there`;

type Ranked =
  | {
      readonly ok: true;
      readonly rows: readonly ScoredDocument[];
      /** the others of catalogs that were named, what can do most first (TEACH-49) */
      readonly rest: readonly ScoredDocument[];
      /** what shares a word with an intent that nothing fits */
      readonly nearest: readonly ScoredDocument[];
      readonly ids: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/** What fits an intent, best first; and where catalogs are named, what else is there, what can do most first (TEACH-49). */
function ranked(
  input: Omit<DiscoverInput, "limit">,
  catalogs: Iterable<Catalog>,
  policy: Policy,
  features: Features,
  reading?: Reading,
): Ranked {
  const permitted = permittedCatalogs(catalogs, policy);
  const wanted = new Set<string>();
  for (const api of input.apis ?? []) {
    const found = resolveApi(api, permitted, policy);
    if (!found.ok) return { ok: false, message: found.message };
    wanted.add(found.entryId);
  }
  const scope = permitted.filter(({ entryId }) => wanted.size === 0 || wanted.has(entryId));
  const indexed = scope.map((catalog) => ({
    catalog,
    index: discoveryIndex(catalog, policy, features),
  }));
  const isChosen = wanted.size > 0;
  const match = matchIntent(input.intent, indexed, isChosen, input.synonyms, reading);
  const { scored, fits, ofCatalogs } = match;
  const ids = firstByWords(
    scope.map(({ entryId }) => entryId),
    ofCatalogs,
  );
  const matching = rankDocuments(scored);
  const rows = fits ? matching : [];
  const nearest = fits ? [] : matching;
  if (!isChosen) return { ok: true, rows, rest: [], nearest, ids };
  const fitting = new Set(rows.map(({ document }) => document));
  const others = indexed.flatMap(({ index }) => byAbility(index));
  const rest = rankDocuments(others.filter(({ document }) => !fitting.has(document)));
  return { ok: true, rows, rest, nearest, ids };
}

/** Catalogs in their order; where not all are named, those that explain most of a goal first (TEACH-61). */
const firstByWords = (
  ids: readonly string[],
  explained: ReadonlyMap<string, number>,
): readonly string[] =>
  ids.length <= MOST_LISTED
    ? ids
    : ids.toSorted((a, b) => (explained.get(b) ?? 0) - (explained.get(a) ?? 0));

/** All entities of a catalog, scored by how much can be done with each. */
const byAbility = ({ documents }: CatalogIndex): readonly ScoredDocument[] =>
  documents.map((document) => ({
    document,
    score: document.capabilities.length,
    words: new Map(),
    isNamed: false,
  }));

/** What a goal is taught by itself, and what else may be meant (TEACH-47). */
export interface GoalSeeds {
  /** at least one, best first */
  readonly chosen: readonly EntityRef[];
  /** the rest of the first eight, and what else is near (TEACH-59) */
  readonly others: readonly EntityRef[];
  /** catalogs that were named and in which no word of the goal is found: what was chosen of them can do most there */
  readonly unfit: readonly string[];
}

/** Why a goal is taught nothing. */
export interface NoSeeds {
  readonly ok: false;
  /** that nothing fits, or which catalog name means nothing */
  readonly message: string;
  /** what shares a word with a goal that nothing fits (TEACH-60) */
  readonly nearest: readonly EntityRef[];
}

/**
 * An entity is taught beside the best if its odds are worth its tokens: at 300 tokens this share of the odds of the best, more by the
 * root of its tokens. A smaller share among several catalogs, each of which may hold what is meant.
 */
const CHOSEN = { named: { share: 0.28, most: 3 }, among: { share: 0.085, most: 4 } };
const TOKENS_OF_SHARE = 300;
/** o200k tokens of all tables together, as estimated; the best entity is taught whatever it takes. */
const MOST_TOKENS = 1_450;
/** For what is as good as the best, at this share of its odds: a large table is no reason to leave the other out. */
const AS_GOOD = { share: 0.75, most: 2_200 };
const TOKENS_OF = { entity: 30, field: 10, capability: 25 };

/**
 * The seeds of a goal that names none: at most four entities, three where catalogs are named, that fit it nearly as well as the best does or that it calls by name beside it, within 1,450 tokens of
 * tables as estimated (2,200 for what fits as well), and what else is near, to be asked for by name (TEACH-47, TEACH-59).
 */
export function seedsOfGoal(
  input: Omit<DiscoverInput, "limit">,
  catalogs: Iterable<Catalog>,
  policy: Policy,
  features: Features = CURRENT_FEATURES,
): ({ readonly ok: true } & GoalSeeds) | NoSeeds {
  const found = ranked(input, catalogs, policy, features, TAUGHT);
  if (!found.ok) return { ...found, nearest: [] };
  const fits = found.rows.length > 0;
  const fitting = fits ? found.rows : found.rest;
  const rows = fitting.slice(0, DEFAULT_LIMIT);
  if (rows.length === 0) {
    const nearest = found.nearest.slice(0, DEFAULT_LIMIT).map(refOf);
    return { ok: false, message: noMatchText(found.ids, nearest), nearest };
  }
  const { share, most } = (input.apis ?? []).length > 0 ? CHOSEN.named : CHOSEN.among;
  const best = Math.max(...rows.map(({ score }) => score));
  const [first] = rows;
  const isNamed = (row: ScoredDocument): boolean =>
    row.isNamed && row.document.api === first?.document.api;
  const inTurn = [...new Set([...rows.slice(0, 1), ...fitting.filter(isNamed), ...rows])];
  const chosen = new Set<ScoredDocument>();
  let tokens = 0;
  for (const row of inTurn) {
    const cost = estimatedTokens(row.document);
    const mostTokens = row.score >= AS_GOOD.share * best ? AS_GOOD.most : MOST_TOKENS;
    const fits = chosen.size === 0 || tokens + cost <= mostTokens;
    const worth = isNamed(row) || row.score >= share * best * Math.sqrt(cost / TOKENS_OF_SHARE);
    if (chosen.size > 0 && !(worth && fits && chosen.size < most)) continue;
    chosen.add(row);
    tokens += cost;
  }
  const further = fits ? nextByName(fitting) : furtherRest(fitting, rows.length, 0);
  const filled = fits ? found.rest.slice(0, DEFAULT_LIMIT - rows.length) : [];
  const there = fits ? furtherRest(found.rest, filled.length, further.length) : [];
  const more = [...filled, ...there];
  const left = [...new Set([...inTurn, ...further])].filter((row) => !chosen.has(row));
  const others = [...left.slice(0, rows.length + further.length - chosen.size), ...more];
  const unfit = fits ? [] : found.ids;
  return { ok: true, chosen: [...chosen].map(refOf), others: others.map(refOf), unfit };
}

const refOf = ({ document: { api, entity } }: ScoredDocument): EntityRef => ({
  api,
  entity: entity.name,
});

const estimatedTokens = ({ entity, capabilities }: EntityDocument): number =>
  TOKENS_OF.entity +
  entity.fields.size * TOKENS_OF.field +
  capabilities.length * TOKENS_OF.capability;

function optionOf({ api, entity, capabilities }: EntityDocument): DiscoverOption {
  const described = cleanText(entity.description, DESCRIPTION_LIMIT);
  const labels = EFFECT_ORDER.flatMap((kind) =>
    capabilities.filter((each) => effectKind(each.kind) === kind).map(({ label }) => label),
  ).join(" ");
  const said = [described, labels].filter((text) => text !== "").join(" · ");
  const description = said === "" ? entity.name : said;
  return { api, entity: entity.name, description };
}

const EFFECT_ORDER = ["create", "action", "update", "delete"] as const;

const named = (what: string, names: string): readonly string[] =>
  names === "" ? [] : [`${what}: ${names}`];

function optionsText({
  options,
  omitted,
  others,
  further,
  elsewhere,
}: Omit<Extract<Discovered, { ok: true }>, "ok" | "text">): string {
  const left = omitted - others.length;
  return [
    "```tsv",
    "api\tentity\tdescription",
    ...options.map(({ api, entity, description }) => `${api}\t${entity}\t${description}`),
    "```",
    ...named("Also near", namesByApi(others)),
    ...named("Also there", namesByApi(further)),
    ...(left === 0 ? [] : [`${left} more: pass apis or a narrower intent`]),
    ...named("Other catalogs", listNames(elsewhere)),
  ].join("\n");
}

/** Says that nothing fits, where to look, and what shares a word with the goal (TEACH-39, TEACH-60). */
function noMatchText(ids: readonly string[], nearest: readonly EntityRef[]): string {
  const text = `No match. Catalogs: ${listNames(ids)}`;
  return nearest.length === 0 ? text : `${text}\nNearest by single words: ${namesByApi(nearest)}`;
}

/** Entities by their catalogs: `quay: Boat, Visit; yard: Part`. */
export function namesByApi(refs: readonly EntityRef[]): string {
  const byApi = new Map<string, string[]>();
  for (const { api, entity } of refs) byApi.set(api, [...(byApi.get(api) ?? []), entity]);
  return [...byApi].map(([api, names]) => `${api}: ${names.join(", ")}`).join("; ");
}
