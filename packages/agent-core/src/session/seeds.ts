import { type Catalog, discover, type EntityRef, type Policy } from "@plasm/core";
import {
  compareCodePoints,
  everydayWords,
  entityResolver,
  type GoalSeeds,
  mayUseApi,
  resolveApi,
  type ResolvedEntity,
  seedsOfGoal,
} from "@plasm/core/internal";
import { isAccountLabel } from "@plasm/runtime";
import { fail } from "../errors/problem.ts";
import type { AccountNames } from "../records/sessions.ts";
import type { CatalogRegistry } from "../ports.ts";
import type { SessionView } from "./session-view.ts";
import { refuseNoList } from "../errors/arguments.ts";

/** A seed that named no catalog, and the entity that it means. */
export interface ResolvedSeed extends EntityRef {
  readonly seed: string;
}

/** The seeds of a call, all of them with their catalogs. */
export interface SeedsOfCall {
  readonly groups: SeedGroups;
  /** what was chosen by the goal, where that was left to the server (TEACH-47) */
  readonly goal: GoalSeeds | null;
  /** those whose catalog was found out, in the order of the call */
  readonly resolved: readonly ResolvedSeed[];
  /** the accounts that they name */
  readonly accounts: AccountNames;
}

/** What seeds are resolved among. */
interface SeedScope {
  readonly registry: CatalogRegistry;
  readonly policy: Policy;
  /** the session they extend: what it holds is meant first */
  readonly live: SessionView | null;
  /** the goal, where one is known */
  readonly intent: string | null;
}

/** So many rows suffice where a guess failed. */
const SUGGESTED = 5;

/** So many faults are named, as of a program (ERR-004). */
const MOST_NAMED = 10;

/** As long as an intent may be (SESS-1). */
const MOST_WORDS = 4_096;

/** What discovery says to an intent, so that who guessed wrong has no need to ask (TEACH-39). */
export function suggestSeeds(
  intent: string,
  { registry, policy }: Pick<SeedScope, "registry" | "policy">,
  said = "this intent",
): string {
  const catalogs = registry.list().map((one) => one.catalog);
  const found = discover({ intent, limit: SUGGESTED, synonyms: everydayWords() }, catalogs, policy);
  return `Discovery finds for ${said}:\n${found.ok ? found.text : found.message}`;
}

/** Whether a session's catalog has the entities of what is on offer: a backend changes its digest alone. */
const isOffered = ({ base, digest, overlay }: Catalog, offered: Catalog): boolean =>
  overlay === undefined && (base ?? digest) === offered.digest;

/** What is on offer; of a catalog that the session has, what the session has of it (RUN-173). */
function catalogsOf({ registry, live }: SeedScope): readonly Catalog[] {
  return registry.list().map(({ catalog }) => {
    const own = live?.exposure.catalogs.get(catalog.entryId);
    return own === undefined || isOffered(own, catalog) ? catalog : own;
  });
}

const heldBy = (live: SessionView | null): readonly EntityRef[] =>
  (live?.exposure.log ?? []).flatMap(({ entryId, entities }) =>
    entities.map((entity) => ({ api: entryId, entity })),
  );

type Unresolved = Extract<ResolvedEntity, { readonly ok: false }> & { readonly seed: string };
type Finding = ResolvedSeed | Unresolved;

/** What each name means, among what is on offer and what the session holds. */
function resolveAll(open: readonly NamedSeed[], scope: SeedScope): readonly Finding[] {
  const { policy, live } = scope;
  const meant = entityResolver(catalogsOf(scope), policy, heldBy(live));
  return open.map(({ entity }) => {
    const found = meant(entity);
    return found.ok
      ? { seed: entity, api: found.api, entity: found.entity }
      : { ...found, seed: entity };
  });
}

/** By the goal, or by the words themselves where none is known. */
function suggestFor(asked: readonly NamedSeed[], scope: SeedScope): string {
  if (scope.intent !== null) return suggestSeeds(scope.intent, scope);
  const words = asked.map(({ entity }) => entity).join(" ");
  return suggestSeeds(words.slice(0, MOST_WORDS), scope, "these words");
}

/** Names what is wrong with the seeds, and what else there is if one means nothing at all. */
function refuse(
  findings: readonly Unresolved[],
  asked: readonly NamedSeed[],
  scope: SeedScope,
): never {
  const messages = [...new Set(findings.map(({ message }) => message))];
  const left = messages.length - MOST_NAMED;
  const named = [...messages.slice(0, MOST_NAMED), ...(left > 0 ? [`${left} more`] : [])];
  const isLost = findings.some(({ reason }) => reason === "unknown");
  const help = isLost ? [suggestFor(asked, scope)] : [];
  // What means nothing at all is no choice of a person: then all of it is the model's to mend.
  const choices = isLost
    ? []
    : findings.map(({ seed, candidates }) => ({ seed, options: candidates }));
  throw fail("plasm-unknown-entity", [...named, ...help].join("\n"), { choices });
}

/**
 * Finds the catalog of each seed that names none: all of them or none (SESS-17). It is one entity that the
 * name means, or nothing; ranks choose only where the goal alone is given (TEACH-47). `besides` are catalogs that the call needs without an
 * entity of theirs. Throws plasm-unknown-entity with what a name may mean, or else with what discovery says to the intent.
 */
export function resolveSeeds(
  asked: readonly AskedSeed[],
  scope: SeedScope,
  besides: readonly string[] = [],
): SeedsOfCall {
  const named = asked.filter(isNamed);
  const said = named.flatMap(({ api, entity }) => (api === null ? [] : [{ api, entity }]));
  const open = named.filter(({ api }) => api === null);
  const accounts = accountsIn(asked);
  const findings = resolveAll(open, scope);
  const resolved = findings.filter((one): one is ResolvedSeed => !("ok" in one));
  const failed = findings.flatMap((one) => ("ok" in one ? [one] : []));
  if (failed.length > 0) refuse(failed, named, scope);
  const left = asked.filter((one) => !isNamed(one));
  const held = left.some(({ api }) => api === null) ? heldOnOffer(scope) : [];
  const goal = held.length > 0 ? null : goalSeeds(left, scope);
  const groups = groupSeeds([...said, ...resolved, ...held, ...(goal?.chosen ?? [])], besides);
  return { groups, goal, resolved, accounts };
}

/** What a session has of what is on offer: a goal alone adds nothing to it. */
function heldOnOffer({ live, registry }: SeedScope): readonly EntityRef[] {
  return live === null ? [] : heldBy(live).filter(({ api }) => registry.get(api) !== undefined);
}

/** What the goal is taught in each catalog that is named without an entity, or in all of them (TEACH-47). */
function goalSeeds(asked: readonly AskedSeed[], scope: SeedScope): GoalSeeds | null {
  if (asked.length === 0) return null;
  const { policy, intent } = scope;
  if (intent === null) throw refuseUnknownGoal(asked);
  const catalogs = catalogsOf(scope);
  const apis = [...new Set(asked.map(({ api }) => api))];
  const [first, second] = catalogs.filter(({ entryId }) => mayUseApi(policy, entryId));
  // The only one that the caller may use is as good as named: it is never answered with nothing.
  const only = second === undefined ? (first?.entryId ?? null) : null;
  const found = apis.map((said) => {
    const api = said ?? only;
    const named = api === null ? {} : { apis: [api] };
    const one = seedsOfGoal({ intent, synonyms: everydayWords(), ...named }, catalogs, policy);
    if (one.ok) return one;
    const text = `Nothing fits this goal. ${one.message}\nName seeds: ${WANTED_SEED}; or {"api": …} alone for what it can do.`;
    throw fail("plasm-unknown-entity", text);
  });
  return {
    chosen: found.flatMap((one) => one.chosen),
    others: found.flatMap((one) => one.others),
    unfit: found.flatMap((one) => one.unfit),
  };
}

/** Without an intent there is nothing to choose by. */
function refuseUnknownGoal(asked: readonly AskedSeed[]): Error {
  const only = asked.find(({ api }) => api !== null);
  if (only === undefined) return refuseNoList("seeds", undefined, WANTED_SEED);
  const text = `A seed of ${only.api} names no entity, and no intent is known that could choose: name the entity, or send an intent.`;
  return fail("plasm-bad-request", text);
}

const isNamed = (seed: AskedSeed): seed is NamedSeed => seed.entity !== null;

/** The account that seeds name of each catalog. Throws plasm-bad-request where they name two of one. */
export function accountsIn(asked: readonly AskedSeed[]): AccountNames {
  const accounts = new Map<string, string>();
  for (const { api, account } of asked) {
    if (api === null || account === null) continue;
    const before = accounts.get(api) ?? account;
    if (before !== account) {
      const text = `${api} is asked for as ${before} and as ${account}: a session uses one account of a catalog.`;
      throw fail("plasm-bad-request", text);
    }
    accounts.set(api, account);
  }
  return Object.fromEntries(accounts);
}

/** What a seed is, for who gives none, or something else. */
const WANTED_SEED =
  '{"entity": …}, named as the goal names it, with "api" where several catalogs have one';

/**
 * An entity an agent asks to be taught: the catalog is null where the server is to find out whose it is, the entity where the goal
 * decides (TEACH-47).
 */
export interface AskedSeed {
  readonly api: string | null;
  readonly entity: string | null;
  /** one of several accounts that the caller has with the API; null where none is named (RUN-129) */
  readonly account: string | null;
}

/** A seed that names its entity. */
type NamedSeed = AskedSeed & { readonly entity: string };

/** The goal alone, over all catalogs. */
const BY_GOAL: AskedSeed = Object.freeze({ api: null, entity: null, account: null });

/** The seeds of one catalog, sorted and distinct. */
export interface CatalogSeeds {
  readonly entryId: string;
  readonly entities: readonly string[];
}

/** The seeds of a call, by catalog: the first group is the primary one (SESS-16). */
export type SeedGroups = readonly [CatalogSeeds, ...CatalogSeeds[]];

function checkShape(seed: unknown, index: number): AskedSeed {
  const {
    api,
    entity,
    account = null,
  } = (seed ?? {}) as {
    api?: unknown;
    entity?: unknown;
    account?: unknown;
  };
  if (!isSaid(api) || !isSaid(entity) || (api === undefined && entity === undefined)) {
    throw fail(
      "plasm-bad-request",
      `seeds[${index}] needs "entity", and "api" if several catalogs have it, both non-blank text; or "api" alone, for what the goal needs of it.`,
    );
  }
  if (account !== null && (typeof account !== "string" || !isAccountLabel(account))) {
    throw fail(
      "plasm-bad-request",
      `seeds[${index}] has an "account" that is no label: small letters, digits, dot, - and _, at most 32.`,
    );
  }
  if (account !== null && api === undefined)
    throw fail("plasm-bad-request", `seeds[${index}] needs "api" beside "account".`);
  return { api: api?.trim() ?? null, entity: entity?.trim() ?? null, account };
}

const isSaid = (value: unknown): value is string | undefined =>
  value === undefined || (typeof value === "string" && value.trim() !== "");

/**
 * Reads seeds, trims them and resolves the catalogs that they name (TEACH-40); without any the goal decides (TEACH-47). `suggest` says which seeds there could be, for who gives an empty list. Throws plasm-bad-request and
 * plasm-unknown-catalog.
 */
export function readSeeds(
  seeds: unknown,
  registry: CatalogRegistry,
  policy: Policy,
  suggest: () => string,
  hasOther = false,
): readonly AskedSeed[] {
  if (seeds === undefined) return [BY_GOAL];
  if (Array.isArray(seeds) && seeds.length === 0 && hasOther) return [];
  if (!Array.isArray(seeds) || seeds.length === 0) {
    throw refuseNoList("seeds", seeds, WANTED_SEED, suggest);
  }
  const catalogs = registry.list().map((one) => one.catalog);
  return seeds.map(checkShape).map(({ api, entity, account }) => {
    if (api === null) return { api, entity, account };
    const found = resolveApi(api, catalogs, policy);
    if (!found.ok) throw fail("plasm-unknown-catalog", found.message);
    if (account !== null) requireAccounts(catalogs, found.entryId);
    return { api: found.entryId, entity, account };
  });
}

/** Accounts are of credentials that are somebody's: throws plasm-bad-request for a catalog without any. */
function requireAccounts(catalogs: readonly Catalog[], entryId: string): void {
  const scheme = catalogs.find((one) => one.entryId === entryId)?.cgs.auth.scheme;
  if (scheme !== "none" && scheme !== "oauth2_client_credentials") return;
  throw fail("plasm-bad-request", `${entryId} has no accounts: leave "account" out.`);
}

/**
 * Groups seeds by catalog, in code-point order of the entry id: the first group is the primary catalog
 * (SESS-16, TEACH-40). Order and repetition have no effect (P3).
 */
function groupSeeds(seeds: readonly EntityRef[], besides: readonly string[]): SeedGroups {
  const groups = new Map<string, Set<string>>(besides.map((api) => [api, new Set()]));
  for (const { api, entity } of seeds) {
    const entities = groups.get(api) ?? new Set<string>();
    entities.add(entity);
    groups.set(api, entities);
  }
  const sorted = [...groups]
    .toSorted(([a], [b]) => compareCodePoints(a, b))
    .map(([entryId, entities]) => ({
      entryId,
      entities: [...entities].toSorted(compareCodePoints),
    }));
  const [primary, ...rest] = sorted;
  if (primary === undefined) throw fail("plasm-bad-request", "seeds is empty.");
  return [primary, ...rest];
}
