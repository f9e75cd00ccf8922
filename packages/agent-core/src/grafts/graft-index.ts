import { compareGrafts, type JsonObject, wholeGraftSection } from "@plasm/core";
import type { Caller } from "../identity/caller.ts";
import type { StoreOps } from "../ports.ts";
import type { GraftRecord } from "../records/graft-record.ts";
import type { SessionAddress } from "../session/locate.ts";
import { locateOwner } from "../session/locate-owner.ts";
import type { GraftDeps } from "./graft-deps.ts";
import { graftsMeta, NO_GRAFTS } from "./graft-meta.ts";
import { graftPlace, type GraftPlace, graftUser, refuseForbiddenGrafts } from "./graft-place.ts";
import { loadGrafts } from "./load-grafts.ts";

/** The complete index of a caller's grafts in a session: as text, as data, and as meta (GRAFT-9). */
export interface GraftIndex {
  /** the section with every line; empty where nothing is attached */
  readonly text: string;
  readonly grafts: readonly JsonObject[];
  /** GRAFT-15's, of the whole */
  readonly meta: JsonObject;
}

const NO_INDEX: GraftIndex = Object.freeze({ text: "", grafts: [], meta: NO_GRAFTS });

const entryOf = (graft: GraftRecord): JsonObject => ({
  graft_id: graft.graftId,
  source: graft.source,
  path: graft.path,
  mime: graft.mime,
  abstract: graft.abstract,
  sha256: graft.sha256,
  bytes: graft.bytes,
  revision: graft.revision,
});

export async function indexAt(store: StoreOps, place: GraftPlace): Promise<GraftIndex> {
  const loaded = await loadGrafts(store, place);
  if (loaded === null) return NO_INDEX;
  const section = wholeGraftSection(loaded.header, loaded.grafts);
  const grafts = loaded.grafts.toSorted(compareGrafts).map(entryOf);
  return { text: section.text, grafts, meta: graftsMeta(loaded, section) };
}

/**
 * The complete index of the caller's grafts in a session, live or not (SURF-10, SURF-16). Throws
 * plasm-unknown-session, plasm-policy-denied.
 */
export async function graftIndex(
  deps: GraftDeps,
  caller: Caller,
  address: SessionAddress,
): Promise<GraftIndex> {
  await refuseForbiddenGrafts(deps, caller);
  const owner = await locateOwner(deps, caller, address);
  const userId = await graftUser(deps, caller);
  return userId === null ? NO_INDEX : indexAt(deps.store, graftPlace(caller.scope, owner, userId));
}
