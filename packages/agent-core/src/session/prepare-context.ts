import {
  compareCodePoints,
  CURRENT_FEATURES,
  exposeSeeds,
  type Catalog,
  type Notation,
  type Policy,
  type WaveText,
} from "@plasm/core";
import { fail } from "../errors/failure.ts";
import type { PinnedCatalog } from "../records/pinned-catalog.ts";
import type { WaveRecord } from "../records/wave-record.ts";
import { tokenCounter } from "../render-text/tokens.ts";
import { effectiveCatalog } from "./catalog-content.ts";
import type { SeedGroup } from "./seeds.ts";
import type { SessionDeps } from "./session-deps.ts";
import type { SessionView } from "./session-view.ts";

/** The waves a call would add to a session, computed before anything is written (SESS-16). */
export interface PreparedWaves {
  readonly waves: readonly WaveRecord[];
  readonly pins: readonly PinnedCatalog[];
  readonly primaryDigest: string;
}

interface Content {
  readonly catalogs: ReadonlyMap<string, Catalog>;
  readonly pins: readonly PinnedCatalog[];
}

/** A live session keeps the catalogs it opened with; others are taken as registered (RUN-173). */
function contentFor(
  deps: SessionDeps,
  live: SessionView | null,
  groups: readonly SeedGroup[],
): Content {
  const catalogs = new Map(live?.exposure.catalogs ?? []);
  const pins: PinnedCatalog[] = [];
  for (const { entryId } of groups) {
    if (catalogs.has(entryId)) continue;
    const registered = deps.registry.get(entryId);
    if (registered === undefined) throw fail("plasm-unknown-catalog", `No catalog ${entryId}.`);
    const { catalog, pinned } = effectiveCatalog(registered, deps.backends.get(entryId));
    catalogs.set(entryId, deps.pinned.keep(catalog));
    pins.push(pinned);
  }
  return { catalogs, pins };
}

function entityName(catalog: Catalog, wanted: string): string {
  const { entities } = catalog.cgs;
  const exact = entities.get(wanted);
  const found = exact ?? [...entities.values()].find((entity) => entity.aliases.includes(wanted));
  if (found !== undefined && !found.abstract) return found.name;
  const names = [...entities.values()].filter((e) => !e.abstract).map((e) => e.name);
  const shown = names.toSorted(compareCodePoints).slice(0, 20).join(", ");
  const more = names.length > 20 ? ` +${names.length - 20}` : "";
  throw fail(
    "plasm-unknown-entity",
    `${catalog.entryId} has no entity ${wanted}. Entities: ${shown}${more}`,
  );
}

function namedGroups(
  groups: readonly SeedGroup[],
  catalogs: ReadonlyMap<string, Catalog>,
): readonly SeedGroup[] {
  return groups.map(({ entryId, entities }) => {
    const catalog = catalogs.get(entryId);
    if (catalog === undefined) throw fail("plasm-unknown-catalog", `No catalog ${entryId}.`);
    const names = new Set(entities.map((entity) => entityName(catalog, entity)));
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
});

/**
 * Checks every entity and computes the waves and their texts (SESS-16, steps 4 and 5). Throws
 * before anything is written if one seed is unknown (SESS-17).
 */
export async function prepareWaves(
  deps: SessionDeps,
  live: SessionView | null,
  groups: readonly [SeedGroup, ...SeedGroup[]],
  notation: Notation,
  policy: Policy,
): Promise<PreparedWaves> {
  const { catalogs, pins } = contentFor(deps, live, groups);
  const seeds = namedGroups(groups, catalogs);
  const exposure = live === null ? null : { log: live.exposure.log, sent: live.waves };
  const features = CURRENT_FEATURES;
  const exposed = exposeSeeds({ exposure, catalogs, seeds, notation, policy, features });
  const count = await tokenCounter();
  const primary = catalogs.get(groups[0].entryId);
  return {
    waves: exposed.waves.map((wave) => record(wave, count(wave.text))),
    pins,
    primaryDigest: primary?.digest ?? "",
  };
}

/** The canonical names of the primary's seeds, for the reuse key (SESS-13). */
export function primarySeeds(
  deps: SessionDeps,
  groups: readonly [SeedGroup, ...SeedGroup[]],
): { readonly entities: readonly string[]; readonly digest: string } {
  const [primary] = groups;
  const { catalogs } = contentFor(deps, null, [primary]);
  const entities = namedGroups([primary], catalogs)[0]?.entities ?? [];
  return { entities, digest: catalogs.get(primary.entryId)?.digest ?? "" };
}
