import { createHash } from "node:crypto";
import { abstractOf, derivedGraftId } from "@plasm/core/internal";
import { fail } from "../errors/problem.ts";
import type { Caller } from "../identity/caller.ts";
import { locate } from "../session/locate.ts";
import type { SessionAddress } from "../session/handles.ts";
import {
  type GraftDeps,
  graftKey,
  graftPlace,
  type GraftRef,
  refuseForbiddenGrafts,
  requireGraftUser,
} from "./graft-key.ts";
import { type GraftIndex, type HeldGrafts, heldGrafts, indexAt } from "./read.ts";
import { type GivenGraft, type GivenGraftSet, readGraftSet, refuseTwice } from "./graft-set.ts";
import type { Store, Stored, StoreOps } from "../store-port.ts";
import type { GraftRecord, GraftSetRecord } from "../records/artifacts.ts";

/** How often a conflicting write is tried again before `plasm-busy` (SESS-34). */
const RETRIES = 5;

/** Another call changed the set in between. */
class Conflict extends Error {}

/**
 * Attaches a set to a live session for the caller (GRAFT-2), and answers the index as it is then. Throws Failure.
 */
export async function attachGrafts(
  deps: GraftDeps,
  caller: Caller,
  address: SessionAddress,
  set: unknown,
): Promise<GraftIndex> {
  await refuseForbiddenGrafts(deps, caller);
  const userId = await requireGraftUser(deps, caller);
  const given = readGraftSet(set);
  const { owner } = await locate(deps, caller, address);
  const place = graftPlace(caller.scope, owner, userId);
  const kept = await keepContents(deps.store, given);
  for (let n = 0; n <= RETRIES; n += 1) {
    try {
      await deps.store.transaction(async (tx) => {
        if (!(await attach(tx, place, kept, "caller"))) throw new Conflict();
      });
      return await indexAt(deps.store, place);
    } catch (thrown) {
      if (!(thrown instanceof Conflict)) throw thrown;
    }
  }
  throw fail("plasm-busy", "Other calls keep changing these grafts. Send the call again.");
}

type Kept = Omit<GivenGraft, "content"> & Pick<GraftRecord, "abstract" | "sha256" | "bytes">;

/** A set whose contents are in the store, and which nothing names yet. */
interface KeptGraftSet extends Omit<GivenGraftSet, "items"> {
  readonly items: readonly Kept[];
}

/** Writes the contents of a set: blobs first, then what names them (SESS-30). */
export async function keepContents(store: Store, given: GivenGraftSet): Promise<KeptGraftSet> {
  const items: Kept[] = [];
  for (const { content, ...rest } of given.items) {
    const bytes = Buffer.from(content, "utf8");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await store.putBlob(sha256, bytes);
    items.push({ ...rest, abstract: abstractOf(content), sha256, bytes: bytes.length });
  }
  return { ...given, items };
}

export const NO_SET: GraftSetRecord = Object.freeze({
  header: null,
  revision: 0,
  shown: 0,
  asked: false,
  askingUntil: 0,
});

/** Writes the record of a set over the one that was read; false if another call came in between. */
export const writeSet = (
  tx: StoreOps,
  { scope, id }: GraftRef,
  found: Stored<GraftSetRecord> | null,
  next: GraftSetRecord,
): Promise<boolean> =>
  found === null
    ? tx.insert("graftSet", scope, id, next)
    : tx.cas("graftSet", scope, id, found.version, next);

/** Items with their ids: those that came with one keep it, whatever the order (GRAFT-3). */
function withIds(
  items: readonly Kept[],
  held: HeldGrafts,
): readonly (Kept & { graftId: string })[] {
  const taken = new Map<string, { readonly source: string; readonly path: string }>();
  for (const [id, { value }] of held) taken.set(id, value);
  for (const { graftId, source, path } of items) {
    if (graftId !== null) taken.set(graftId, { source, path });
  }
  const all = items.map((item) => {
    const graftId = item.graftId ?? derivedGraftId(item, (id) => taken.get(id));
    taken.set(graftId, item);
    return { ...item, graftId };
  });
  refuseTwice(all.map(({ graftId }) => graftId));
  return all;
}

/** Writes one graft: a new one, or the next revision of one whose content is another (GRAFT-3). */
async function writeGraft(
  tx: StoreOps,
  place: GraftRef,
  item: Kept & { readonly graftId: string },
  before: Stored<GraftRecord> | undefined,
  setRevision: number,
): Promise<boolean> {
  if (before?.value.sha256 === item.sha256) return false;
  const { graftId, source, path, abstract, mime, sha256, bytes } = item;
  const revision = (before?.value.revision ?? 0) + 1;
  const graft = { graftId, source, path, abstract, revision, mime, sha256, bytes, setRevision };
  const { scope } = place;
  if (before === undefined) await tx.insert("graft", scope, graftKey(place, graftId), graft);
  else await tx.cas("graft", scope, before.id, before.version, graft);
  return true;
}

/** What stands above the lines: the caller's last word, else the provider's (GRAFT-2). */
function headerOf(
  { header }: GraftSetRecord,
  { name, createdTs, manifestPath, guardrails }: KeptGraftSet,
  { userId }: GraftRef,
  by: AttachedBy,
): GraftSetRecord["header"] {
  if (by === "provider" && header !== null) return header;
  const kept = guardrails ?? header?.guardrails ?? null;
  return { name, userId, createdTs, manifestPath, guardrails: kept };
}

/** What the caller attaches replaces what is there by the same id; the provider's does not (GRAFT-2). */
type AttachedBy = "caller" | "provider";

/**
 * Attaches a set in a transaction: same id and content is no change, other content the next revision (GRAFT-3).
 * False if another call has changed the set in between. Throws plasm-bad-request.
 */
export async function attach(
  tx: StoreOps,
  place: GraftRef,
  given: KeptGraftSet,
  by: AttachedBy,
): Promise<boolean> {
  const found = await tx.get("graftSet", place.scope, place.id);
  const before = found?.value ?? NO_SET;
  const held = await heldGrafts(tx, place);
  const revision = before.revision + 1;
  let changed = 0;
  for (const item of withIds(given.items, held)) {
    const own = held.get(item.graftId);
    if (by === "provider" && own !== undefined) continue;
    if (await writeGraft(tx, place, item, own, revision)) changed += 1;
  }
  const header =
    given.items.length === 0 && by === "provider"
      ? before.header
      : headerOf(before, given, place, by);
  const same = changed === 0 && JSON.stringify(header) === JSON.stringify(before.header);
  const asked = before.asked || by === "provider";
  if (same && asked === before.asked) return true;
  const next = { ...before, header, asked, revision: same ? before.revision : revision };
  return writeSet(tx, place, found, next);
}
