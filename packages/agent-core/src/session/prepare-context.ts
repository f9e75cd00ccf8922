import {
  type Catalog,
  CURRENT_FEATURES,
  exposeSeeds,
  type Notation,
  type Policy,
  type TaughtSessions,
  type WaveText,
} from "@plasm/core";
import {
  canBeSeed,
  compareCodePoints,
  entityResolver,
  nameList,
  nearestName,
  type ResolvedEntity,
  shownDropped,
} from "@plasm/core/internal";
import { fail } from "../errors/problem.ts";
import { named } from "../errors/arguments.ts";
import { type AccountDeps, namedIn, withAccounts } from "./accounts.ts";
import type { AccountNames, PinnedCatalog, WaveRecord } from "../records/sessions.ts";
import { tokenCounter } from "../answer/tokens.ts";
import { checkPins, type Pins } from "./pins.ts";
import { programWaves, type SeededProgram } from "./seeded-programs.ts";
import type { CatalogSeeds, SeedGroups } from "./seeds.ts";
import type { SessionView } from "./session-view.ts";
import { type Caller, principalOf } from "../identity/caller.ts";
import type { SessionDeps } from "./session-deps.ts";
import { effectiveCatalog, type SessionCatalog } from "./catalog-content.ts";

/** The waves a call would add to a session, computed before anything is written (SESS-16). */
export interface PreparedWaves {
  readonly waves: readonly WaveRecord[];
  readonly pins: readonly PinnedCatalog[];
  readonly primaryDigest: string;
  /** the tables of the seeds with every argument; empty unless the call asks for them (TEACH-46) */
  readonly inFull: readonly string[];
}

/** A catalog whose seeds are named, and what a name means in it that no entity has. */
interface NamedIn {
  readonly catalog: Catalog;
  readonly notes: readonly string[];
  readonly policy: Policy;
  readonly meaning: (name: string) => ResolvedEntity;
}

function entityName({ catalog, notes, policy, meaning }: NamedIn, wanted: string): string {
  const { entities } = catalog.cgs;
  const exact = entities.get(wanted);
  const found = exact ?? [...entities.values()].find((entity) => entity.aliases.includes(wanted));
  if (found !== undefined && canBeSeed(catalog.cgs, found)) return found.name;
  // The word that suffices without a catalog suffices with one.
  const meant = meaning(wanted);
  if (meant.ok) return meant.entity;
  const concrete = [...entities.values()].filter((each) => canBeSeed(catalog.cgs, each));
  const names = concrete.map(({ name }) => name).toSorted(compareCodePoints);
  const near = nearestName(wanted, names);
  const unknown = [
    `${catalog.entryId} has no entity ${named(wanted)}.`,
    ...(near === null ? [] : [`Nearest: ${near}.`]),
    `Entities: ${nameList(names, wanted)}`,
  ];
  const lost = shownDropped(policy, catalog)
    .filter(({ kind, name }) => kind === "entity" && name === wanted)
    .map(({ name, why }) => `${name} was not loaded: ${why}`);
  throw fail("plasm-unknown-entity", [unknown.join(" "), ...lost, ...notes].join("\n"));
}

function namedGroups(
  groups: readonly CatalogSeeds[],
  { catalogs, notes }: Pick<Content, "catalogs" | "notes">,
  policy: Policy,
): readonly CatalogSeeds[] {
  return groups.map(({ entryId, entities }) => {
    const catalog = catalogs.get(entryId);
    if (catalog === undefined) throw fail("plasm-unknown-catalog", `No catalog ${named(entryId)}.`);
    let resolver: NamedIn["meaning"] | null = null;
    // Most seeds are exact names: then nothing is indexed.
    const meaning: NamedIn["meaning"] = (name) =>
      (resolver ??= entityResolver([catalog], policy))(name);
    const place = { catalog, notes: notes.get(entryId) ?? [], policy, meaning };
    const names = new Set(entities.map((entity) => entityName(place, entity)));
    return { entryId, entities: [...names].toSorted(compareCodePoints) };
  });
}

const record = (wave: WaveText, tokens: number): WaveRecord => ({
  n: wave.n,
  mode: wave.mode,
  entry: { entryId: wave.entryId, entities: wave.entities, digest: wave.digest },
  text: wave.text,
  parts: wave.parts,
  e: wave.e,
  m: wave.m,
  p: wave.p,
  tokens,
  untaught: wave.untaught,
  ...(wave.cut.length === 0 ? {} : { cut: wave.cut }),
});

/** How waves are written, and which catalogs they may be of. */
export interface WaveSetting {
  readonly notation: Notation;
  readonly readOnly: boolean;
  readonly policy: Policy;
  readonly pins: Pins | null;
  readonly taught: TaughtSessions;
  readonly detail: boolean;
  readonly programs: readonly SeededProgram[];
}

/**
 * Checks every entity and computes the waves and their texts (SESS-16, steps 4 and 5). Throws
 * before anything is written if one seed is unknown (SESS-17).
 */
export async function prepareWaves(
  source: CatalogLookup,
  { live, logicalId }: { readonly live: SessionView | null; readonly logicalId: string | null },
  groups: SeedGroups,
  { notation, readOnly, policy, pins: demanded, taught, detail: inFull, programs }: WaveSetting,
): Promise<PreparedWaves> {
  const owner = logicalId ?? live?.session.sessionId ?? null;
  const content = await contentFor(source, live, groups, owner);
  const { catalogs, pins, notes } = content;
  checkPins(demanded, groups, catalogs);
  const seeds = namedGroups(groups, content, policy);
  const exposure = live === null ? null : { log: live.exposure.log, sent: live.waves };
  const features = CURRENT_FEATURES;
  const input = { exposure, catalogs, seeds, notation, readOnly, policy, features, notes, inFull };
  const exposed = live === null ? exposeSeeds(input) : taught.expose(live.session.sessionId, input);
  const count = await tokenCounter();
  const primary = catalogs.get(groups[0].entryId);
  const before = live?.waves ?? [];
  const waves = exposed.waves.map((wave) => record(wave, count(wave.text)));
  const known = { waves: [...before, ...waves], catalogs, count };
  return {
    waves: [...waves, ...programWaves(programs, known)],
    pins,
    primaryDigest: primary?.digest ?? "",
    inFull: exposed.inFull,
  };
}

/** The canonical names of the primary's seeds, for the reuse key (SESS-13). */
export async function primarySeeds(
  source: CatalogLookup,
  groups: SeedGroups,
  policy: Policy,
  owner: string | null = null,
): Promise<{ readonly entities: readonly string[]; readonly digest: string }> {
  const [primary] = groups;
  const content = await contentFor(source, null, [primary], owner);
  const entities = namedGroups([primary], content, policy)[0]?.entities ?? [];
  return { entities, digest: content.catalogs.get(primary.entryId)?.digest ?? "" };
}

/** A catalog as a new wave takes it, with what the wave says of it. */
interface OpenedCatalog extends SessionCatalog {
  readonly notes: readonly string[];
}

/** The catalogs of one context call, each opened once: overlays are read here (SESS-16 step 4). */
export type CatalogLookup = (entryId: string, owner: string | null) => Promise<OpenedCatalog>;

/** How many of a tenant's own entities a note lists. */
const LISTED = 20;

function noteOn({ overlay }: Catalog): readonly string[] {
  const names = (overlay?.entities ?? []).map(({ name }) => name);
  const [first] = names;
  if (first === undefined) return [];
  const more = names.length > LISTED ? ` +${names.length - LISTED}` : "";
  return [`This tenant's own entities, as seeds: ${names.slice(0, LISTED).join(", ")}${more}`];
}

/** Opens registered catalogs for a caller, with overlay and effective digest (RUN-103, RUN-171). */
export function catalogSource(
  deps: SessionDeps & AccountDeps,
  caller: Caller,
  accountNames: AccountNames,
): CatalogLookup {
  const opened = new Map<string, Promise<OpenedCatalog>>();
  const openOne = async (entryId: string, owner: string | null): Promise<OpenedCatalog> => {
    const registered = deps.registry.get(entryId);
    if (registered === undefined)
      throw fail("plasm-unknown-catalog", `No catalog ${named(entryId)}.`);
    const { catalog } = registered;
    const isWhole = catalog.cgs.overlay === undefined;
    const accounts = isWhole ? {} : await namedAccounts(deps, caller, owner, accountNames);
    if (!isWhole) requireAccount(deps, caller, owner, catalog, accounts);
    const { overlay, notes } = await deps.overlays.read(caller, owner, catalog, accounts);
    const content = effectiveCatalog(registered, deps.backends.get(entryId), overlay);
    deps.pinned.keep(content.catalog);
    const isNew = catalog.cgs.overlay?.mode === "per_scope_entity";
    return { ...content, notes: [...(isNew ? noteOn(content.catalog) : []), ...notes] };
  };
  return (entryId, owner) => {
    const known = opened.get(entryId) ?? openOne(entryId, owner);
    opened.set(entryId, known);
    return known;
  };
}

/**
 * A session keeps what it was opened with: without the account of its overlay it would lack that for good, so that the question comes first
 * (RUN-103, RUN-129). Throws plasm-upstream-auth.
 */
function requireAccount(
  { secretsOf, accounts }: AccountDeps,
  caller: Caller,
  owner: string | null,
  catalog: Catalog,
  named: AccountNames,
): void {
  const { credentials } = withAccounts(secretsOf(caller, owner ?? "", named), named);
  const question = accounts?.accountQuestion(catalog, credentials) ?? null;
  if (question !== null) throw fail("plasm-upstream-auth", `not opened: ${question}`);
}

/** What a principal has named of a logical session, and names now: its overlays are read with that account alone. */
async function namedAccounts(
  { store }: SessionDeps,
  caller: Caller,
  owner: string | null,
  now: AccountNames,
): Promise<AccountNames> {
  const logical = owner === null ? null : await store.get("logical", caller.scope, owner);
  return { ...now, ...namedIn(logical?.value ?? null, principalOf(caller)) };
}

/** The catalogs that waves are made from. */
interface Content {
  readonly catalogs: ReadonlyMap<string, Catalog>;
  readonly pins: readonly PinnedCatalog[];
  readonly notes: ReadonlyMap<string, readonly string[]>;
}

/**
 * A live session keeps the catalogs it opened with; others are taken as registered (RUN-173). `owner` is whose
 * credentials read their overlays.
 */
async function contentFor(
  source: CatalogLookup,
  live: SessionView | null,
  groups: readonly CatalogSeeds[],
  owner: string | null,
): Promise<Content> {
  const catalogs = new Map(live?.exposure.catalogs ?? []);
  const added = groups.filter(({ entryId }) => !catalogs.has(entryId));
  const opened = await Promise.all(added.map(({ entryId }) => source(entryId, owner)));
  for (const { catalog } of opened) catalogs.set(catalog.entryId, catalog);
  return {
    catalogs,
    pins: opened.map(({ pinned }) => pinned),
    notes: new Map(opened.map(({ catalog, notes }) => [catalog.entryId, notes])),
  };
}
