import { fail } from "../errors/failure.ts";
import { named } from "../errors/named.ts";
import type { Store, StoreOps } from "../ports.ts";
import type { ImportedCatalog } from "../records/catalog-record.ts";
import { NO_SCOPE, type LiveRegistry } from "./live-registry.ts";

/** What becomes of the sessions that have a catalog when it is withdrawn (SESS-12). */
export const SESSIONS_THEN = ["lose", "keep"] as const;
/** What becomes of sessions that pin a catalog which is withdrawn. */
export type SessionsThen = (typeof SESSIONS_THEN)[number];

/** A catalog that is on offer no more. */
export interface Withdrawn {
  /** the import that was on offer */
  readonly record: ImportedCatalog;
  readonly sessions: SessionsThen;
  /** what this process has on offer of the entry id now: that of a directory, if one has it */
  readonly remains: { readonly version: number; readonly digest: string } | null;
  readonly at: number;
}

export interface WithdrawDeps {
  readonly store: Store;
  readonly registry: LiveRegistry;
}

interface Imports {
  readonly offered: ImportedCatalog;
  /** every import of the entry id that is kept, the one on offer among them */
  readonly all: readonly ImportedCatalog[];
}

/** Takes the offer and every import of an entry id away; null where none of them is on offer. */
async function takeAway(tx: StoreOps, entryId: string): Promise<Imports | null> {
  const offer = await tx.get("offer", NO_SCOPE, entryId);
  if (offer === null) return null;
  const all = (await tx.list("importedCatalog", NO_SCOPE, ""))
    .map(({ value }) => value)
    .filter((one) => one.entryId === entryId);
  const offered = all.find(({ digest }) => digest === offer.value.digest);
  if (offered === undefined) throw new Error(`The content of an offer of ${entryId} is missing`);
  if (!(await tx.remove("offer", NO_SCOPE, entryId, offer.version))) {
    throw fail("plasm-busy", "An import came first. Send the same call again.");
  }
  for (const { digest } of all) await tx.delete("importedCatalog", NO_SCOPE, digest);
  return { offered, all };
}

/** Sessions pin content by the digest of what they call, backend and overlay included: it is told by its text. */
async function loseSessions(store: StoreOps, entryId: string, all: Imports["all"]): Promise<void> {
  const textOf = ({ domain, mappings }: Pick<ImportedCatalog, "domain" | "mappings">): string =>
    JSON.stringify([domain, mappings]);
  const gone = new Set(all.map(textOf));
  for (const pinned of await store.pinnedCatalogs(entryId)) {
    if (gone.has(textOf(pinned))) await store.withdrawCatalog(pinned.digest);
  }
}

/**
 * Withdraws what was imported of an entry id, every version of it: new sessions of every process on the store
 * have it no more, and those that have it are lost with the reason `catalog_gone`, or keep it (SESS-12). Throws
 * plasm-unknown-catalog where no import is on offer, and plasm-busy.
 */
export async function withdrawCatalog(
  { store, registry }: WithdrawDeps,
  entryId: string,
  sessions: SessionsThen,
): Promise<Withdrawn> {
  const imports = await store.transaction(async (tx) => {
    const taken = await takeAway(tx, entryId);
    if (taken !== null && sessions === "lose") await loseSessions(tx, entryId, taken.all);
    return taken;
  });
  if (imports === null) {
    throw fail(
      "plasm-unknown-catalog",
      `No import of ${named(entryId)} is on offer. A catalog of a directory is withdrawn by starting the server without it.`,
    );
  }
  await registry.refresh();
  const catalog = registry.get(entryId)?.catalog;
  const remains =
    catalog === undefined ? null : { version: catalog.cgs.version, digest: catalog.digest };
  return { record: imports.offered, sessions, remains, at: store.now() };
}
