import type { Catalog } from "@plasm/core";
import { fail } from "../errors/failure.ts";
import { named } from "../errors/named.ts";
import type { Caller } from "../identity/caller.ts";
import type { PinnedCatalog } from "../records/pinned-catalog.ts";
import { effectiveCatalog, type SessionCatalog } from "./catalog-content.ts";
import type { SessionDeps } from "./session-deps.ts";
import type { SessionView } from "./session-view.ts";
import type { SeedGroup } from "./seeds.ts";

/** A catalog as a new wave takes it, with what the wave says of it. */
export interface OpenedCatalog extends SessionCatalog {
  readonly notes: readonly string[];
}

/** The catalogs of one context call, each opened once: overlays are read here (SESS-16 step 4). */
export type CatalogSource = (entryId: string, owner: string | null) => Promise<OpenedCatalog>;

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
export function catalogSource(deps: SessionDeps, caller: Caller): CatalogSource {
  const opened = new Map<string, Promise<OpenedCatalog>>();
  const openOne = async (entryId: string, owner: string | null): Promise<OpenedCatalog> => {
    const registered = deps.registry.get(entryId);
    if (registered === undefined)
      throw fail("plasm-unknown-catalog", `No catalog ${named(entryId)}.`);
    const { overlay, notes } = await deps.overlays.read(caller, owner, registered.catalog);
    const content = effectiveCatalog(registered, deps.backends.get(entryId), overlay);
    deps.pinned.keep(content.catalog);
    const isNew = registered.catalog.cgs.overlay?.mode === "per_scope_entity";
    return { ...content, notes: [...(isNew ? noteOn(content.catalog) : []), ...notes] };
  };
  return (entryId, owner) => {
    const known = opened.get(entryId) ?? openOne(entryId, owner);
    opened.set(entryId, known);
    return known;
  };
}

/** The catalogs that waves are made from. */
export interface Content {
  readonly catalogs: ReadonlyMap<string, Catalog>;
  readonly pins: readonly PinnedCatalog[];
  readonly notes: ReadonlyMap<string, readonly string[]>;
}

/**
 * A live session keeps the catalogs it opened with; others are taken as registered (RUN-173). `owner` is whose
 * credentials read their overlays.
 */
export async function contentFor(
  source: CatalogSource,
  live: SessionView | null,
  groups: readonly SeedGroup[],
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
