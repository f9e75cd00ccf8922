import type { GraftsMeta } from "../answer/meta.ts";
import {
  compareGrafts,
  graftSection,
  type GraftSection,
  wholeGraftSection,
} from "@plasm/core/internal";
import type { Caller } from "../identity/caller.ts";
import type { Stored, StoreOps } from "../store-port.ts";
import type { GraftRecord, GraftSetRecord } from "../records/artifacts.ts";
import { locateOwner } from "../session/locate.ts";
import type { SessionAddress } from "../session/handles.ts";
import {
  type GraftDeps,
  graftKey,
  graftPlace,
  type GraftRef,
  graftUser,
  refuseForbiddenGrafts,
} from "./graft-key.ts";
import { fail, Failure } from "../errors/problem.ts";
import { named } from "../errors/arguments.ts";

/** `_meta.plasm.grafts` of a set (GRAFT-15): how many there are, how many the section lists, its code points. */
export const graftsMeta = ({ set, grafts }: LoadedGrafts, section: GraftSection): GraftsMeta => ({
  count: grafts.length,
  indexed: section.indexed,
  hidden: section.hidden,
  chars: section.chars,
  revision: set.value.revision,
});

export const sectionOf = ({ header, grafts }: LoadedGrafts): GraftSection =>
  graftSection(header, grafts);

/** The same where nothing is attached (SURF-7). */
export const NO_GRAFTS: GraftsMeta = Object.freeze({ count: 0 });

/** The complete index of a caller's grafts in a session: as text, as data, and as meta (GRAFT-9). */
export interface GraftIndex {
  /** the section with every line; empty where nothing is attached */
  readonly text: string;
  readonly grafts: readonly GraftEntry[];
  /** GRAFT-15's, of the whole */
  readonly meta: GraftsMeta;
}

/** A graft as the index has it. */
export type GraftEntry = {
  readonly graft_id: string;
  readonly source: string;
  readonly path: string;
  readonly mime: string;
  readonly abstract: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly revision: number;
};

const NO_INDEX: GraftIndex = Object.freeze({ text: "", grafts: [], meta: NO_GRAFTS });

const entryOf = (graft: GraftRecord): GraftEntry => ({
  graft_id: graft.graftId,
  source: graft.source,
  path: graft.path,
  mime: graft.mime,
  abstract: graft.abstract,
  sha256: graft.sha256,
  bytes: graft.bytes,
  revision: graft.revision,
});

export async function indexAt(store: StoreOps, place: GraftRef): Promise<GraftIndex> {
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

/** A set that holds something, as it stands. */
export interface LoadedGrafts {
  readonly set: Stored<GraftSetRecord>;
  readonly header: NonNullable<GraftSetRecord["header"]>;
  readonly grafts: readonly GraftRecord[];
}

/** The grafts of a place; null if there are none. */
export async function loadGrafts(store: StoreOps, place: GraftRef): Promise<LoadedGrafts | null> {
  const set = await store.get("graftSet", place.scope, place.id);
  const header = set?.value.header ?? null;
  if (set === null || header === null) return null;
  const held = await heldGrafts(store, place);
  if (held.size === 0) return null;
  return { set, header, grafts: [...held.values()].map(({ value }) => value) };
}

/** A graft with its content, byte for byte. */
export interface ReadGraft {
  readonly graft: GraftRecord;
  readonly bytes: Uint8Array;
}

const unknownGraft = (graftId: string) =>
  fail(
    "plasm-unknown-graft",
    `No graft ${named(graftId)}. The answer of plasm_context lists those there are.`,
  );

/** Whose the grafts are; null for a session that is not there, or is another's. */
async function ownerOf(
  deps: GraftDeps,
  caller: Caller,
  address: SessionAddress,
): Promise<string | null> {
  try {
    return await locateOwner(deps, caller, address);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.problem.code === "plasm-unknown-session") return null;
    throw thrown;
  }
}

/**
 * Reads one of the caller's grafts in a session, live or not (GRAFT-11). Unknown, foreign and swept ones answer
 * alike: throws plasm-unknown-graft, or plasm-policy-denied (GRAFT-13).
 */
export async function readGraft(
  deps: GraftDeps,
  caller: Caller,
  address: SessionAddress,
  graftId: string,
): Promise<ReadGraft> {
  await refuseForbiddenGrafts(deps, caller);
  const owner = await ownerOf(deps, caller, address);
  const userId = await graftUser(deps, caller);
  if (owner === null || userId === null) throw unknownGraft(graftId);
  const place = graftPlace(caller.scope, owner, userId);
  const found = await deps.store.get("graft", caller.scope, graftKey(place, graftId));
  if (found === null) throw unknownGraft(graftId);
  const { value: graft } = found;
  const bytes = await deps.store.getBlob(graft.sha256);
  if (bytes === null || bytes.length !== graft.bytes) {
    throw fail("plasm-internal", `Graft ${graftId} is damaged: its content is missing.`);
  }
  return { graft, bytes };
}

export type HeldGrafts = ReadonlyMap<string, Stored<GraftRecord>>;

export async function heldGrafts(tx: StoreOps, { scope, id }: GraftRef): Promise<HeldGrafts> {
  const all = await tx.list("graft", scope, `${id}/`);
  return new Map(all.map((one) => [one.value.graftId, one]));
}
