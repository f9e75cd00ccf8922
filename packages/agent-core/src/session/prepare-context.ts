import {
  canBeSeed,
  compareCodePoints,
  CURRENT_FEATURES,
  exposeSeeds,
  nameList,
  nearestName,
  resolveEntity,
  shownDropped,
  type Catalog,
  type Notation,
  type Policy,
  type TaughtSessions,
  type WaveText,
} from "@plasm/core";
import { fail } from "../errors/failure.ts";
import { named } from "../errors/named.ts";
import type { PinnedCatalog } from "../records/pinned-catalog.ts";
import type { WaveRecord } from "../records/wave-record.ts";
import { tokenCounter } from "../render-text/tokens.ts";
import { type CatalogSource, type Content, contentFor } from "./catalog-source.ts";
import { checkPins, type Pins } from "./pins.ts";
import type { SeedGroup, SeedGroups } from "./seeds.ts";
import type { SessionView } from "./session-view.ts";

/** The waves a call would add to a session, computed before anything is written (SESS-16). */
export interface PreparedWaves {
  readonly waves: readonly WaveRecord[];
  readonly pins: readonly PinnedCatalog[];
  readonly primaryDigest: string;
}

function entityName(
  catalog: Catalog,
  wanted: string,
  notes: readonly string[],
  policy: Policy,
): string {
  const { entities } = catalog.cgs;
  const exact = entities.get(wanted);
  const found = exact ?? [...entities.values()].find((entity) => entity.aliases.includes(wanted));
  if (found !== undefined && canBeSeed(catalog.cgs, found)) return found.name;
  // The word that suffices without a catalog suffices with one.
  const meant = resolveEntity(wanted, [catalog], policy);
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
  groups: readonly SeedGroup[],
  { catalogs, notes }: Pick<Content, "catalogs" | "notes">,
  policy: Policy,
): readonly SeedGroup[] {
  return groups.map(({ entryId, entities }) => {
    const catalog = catalogs.get(entryId);
    if (catalog === undefined) throw fail("plasm-unknown-catalog", `No catalog ${named(entryId)}.`);
    const names = new Set(
      entities.map((entity) => entityName(catalog, entity, notes.get(entryId) ?? [], policy)),
    );
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
}

/**
 * Checks every entity and computes the waves and their texts (SESS-16, steps 4 and 5). Throws
 * before anything is written if one seed is unknown (SESS-17).
 */
export async function prepareWaves(
  source: CatalogSource,
  { live, logicalId }: { readonly live: SessionView | null; readonly logicalId: string | null },
  groups: SeedGroups,
  { notation, readOnly, policy, pins: demanded, taught }: WaveSetting,
): Promise<PreparedWaves> {
  const owner = logicalId ?? live?.session.sessionId ?? null;
  const content = await contentFor(source, live, groups, owner);
  const { catalogs, pins, notes } = content;
  checkPins(demanded, groups, catalogs);
  const seeds = namedGroups(groups, content, policy);
  const exposure = live === null ? null : { log: live.exposure.log, sent: live.waves };
  const features = CURRENT_FEATURES;
  const input = { exposure, catalogs, seeds, notation, readOnly, policy, features, notes };
  const exposed = live === null ? exposeSeeds(input) : taught.expose(live.session.sessionId, input);
  const count = await tokenCounter();
  const primary = catalogs.get(groups[0].entryId);
  return {
    waves: exposed.waves.map((wave) => record(wave, count(wave.text))),
    pins,
    primaryDigest: primary?.digest ?? "",
  };
}

/** The canonical names of the primary's seeds, for the reuse key (SESS-13). */
export async function primarySeeds(
  source: CatalogSource,
  groups: SeedGroups,
  policy: Policy,
  owner: string | null = null,
): Promise<{ readonly entities: readonly string[]; readonly digest: string }> {
  const [primary] = groups;
  const content = await contentFor(source, null, [primary], owner);
  const entities = namedGroups([primary], content, policy)[0]?.entities ?? [];
  return { entities, digest: content.catalogs.get(primary.entryId)?.digest ?? "" };
}
