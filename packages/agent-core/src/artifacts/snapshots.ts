import { hash } from "node:crypto";
import { fail, type Failure } from "../errors/failure.ts";
import { named } from "../errors/named.ts";
import type { Store } from "../ports.ts";
import type { SessionKey } from "../records/execute-session.ts";
import { whyDropped } from "./dropped.ts";
import type { SnapshotRecord } from "../records/snapshot-record.ts";
import {
  snapshotDocument,
  type SnapshotDocument,
  type SnapshotFacts,
} from "./snapshot-document.ts";

/** Where a snapshot belongs: its counters' owner, its session and its principal. */
export interface SnapshotPlace {
  readonly scope: string;
  readonly owner: string;
  readonly principal: string;
  readonly session: SessionKey;
}

/** The run whose result a snapshot keeps: its id and its ref. */
export interface SnapshotRun {
  readonly id: string;
  readonly ref: string;
}

const idOf = (owner: string, n: number): string => `${owner}/${n}`;

/**
 * Writes number, blob and index entry in one transaction (SESS-30): there is the whole snapshot or nothing
 * of it. Numbers are taken with what they name, so `r/n` rises strictly. Resolves when others see it: nothing is told
 * of it before {@link Store.durable} (SESS-33).
 */
export const writeSnapshot = (
  store: Store,
  place: SnapshotPlace,
  facts: Omit<SnapshotFacts, "n" | "session">,
  by: SnapshotRun | null = null,
  uses: readonly string[] = [],
): Promise<SnapshotDocument> =>
  store.transaction(async (tx) => {
    const n = await tx.nextNumber(place.owner, "r");
    const document = snapshotDocument({ ...facts, n, session: place.session.sessionId });
    const bytes = Buffer.from(JSON.stringify(document), "utf8");
    const contentSha256 = hash("sha256", bytes);
    await tx.putBlob(contentSha256, bytes);
    const record: SnapshotRecord = {
      n,
      runId: document.run_id,
      label: document.label,
      session: place.session,
      owner: place.owner,
      principal: place.principal,
      contentSha256,
      bytes: bytes.length,
      run: by?.id ?? null,
      ref: by?.ref ?? null,
      source: document.source,
      rows: document.rows.length,
      ...(document.partial === null ? {} : { partial: document.partial }),
      entryIds: document.entry_ids,
      uses,
      createdAt: tx.now(),
    };
    await tx.insert("snapshot", place.scope, idOf(place.owner, n), record);
    return document;
  }, "visible");

/** That there is no such snapshot, or why there is none any more. */
async function unknownSnapshot(
  store: Store,
  scope: string,
  owner: string,
  name: ArtifactName,
): Promise<Failure> {
  const shown = "n" in name ? `r/${name.n}` : name.runId;
  const why = await whyDropped(store, scope, owner, "snapshot", "n" in name ? name.n : 0);
  if (why === null || !("n" in name)) {
    const more =
      why === null ? "A run's answer names its snapshots." : `It may have been dropped. ${why}`;
    return fail("plasm-unknown-snapshot", `No snapshot ${named(shown)}. ${more}`);
  }
  return fail("plasm-unknown-snapshot", `${shown} is no longer kept. ${why}`, {
    meta: { error: { code: "plasm-unknown-snapshot", reason: "dropped" } },
  });
}

/** The document that an index entry is of; damage is an error, never served (SESS-29). */
export async function documentOf(store: Store, record: SnapshotRecord): Promise<SnapshotDocument> {
  const bytes = await store.getBlob(record.contentSha256);
  if (bytes === null || bytes.length !== record.bytes) {
    throw fail("plasm-internal", `Snapshot r/${record.n} is damaged: its content is missing.`);
  }
  return JSON.parse(Buffer.from(bytes).toString("utf8")) as SnapshotDocument;
}

/** What index entries of an earlier program may leave to their document. */
type InDocument = "run" | "ref" | "source" | "rows" | "entryIds";
type StoredEntry = Omit<SnapshotRecord, InDocument> & Partial<Pick<SnapshotRecord, InDocument>>;

/** An index entry with all that this program says in one. */
async function wholeEntry(store: Store, entry: SnapshotRecord): Promise<SnapshotRecord> {
  const { entryIds, ...stored }: StoredEntry = entry;
  if (entryIds !== undefined) return entry;
  const document = await documentOf(store, entry);
  const { source, partial, rows, entry_ids: ids } = document;
  const known = { run: null, ref: null, source, partial, rows: rows.length };
  return { ...known, ...stored, entryIds: ids };
}

/** The index entries of an owner's snapshots, in the order of their numbers. */
export async function listSnapshots(
  store: Store,
  scope: string,
  owner: string,
): Promise<readonly SnapshotRecord[]> {
  const found = await store.list("snapshot", scope, `${owner}/`);
  return Promise.all(found.map(({ value }) => wholeEntry(store, value)));
}

/** How a snapshot is named within its session: `r/n`, or its run id. */
export type ArtifactName = { readonly n: number } | { readonly runId: string };

/** The index entry of a snapshot of an owner; unknown and foreign are the same (SESS-38). */
export async function findSnapshot(
  store: Store,
  scope: string,
  owner: string,
  name: ArtifactName,
): Promise<SnapshotRecord> {
  if ("n" in name) {
    const record = await store.get("snapshot", scope, idOf(owner, name.n));
    if (record === null) throw await unknownSnapshot(store, scope, owner, name);
    return wholeEntry(store, record.value);
  }
  const records = await store.list("snapshot", scope, `${owner}/`);
  const record = records.find((one) => one.value.runId === name.runId);
  if (record === undefined) throw await unknownSnapshot(store, scope, owner, name);
  return wholeEntry(store, record.value);
}

/** Reads `r/n` of an owner; unknown and foreign are the same (SESS-38). */
export const readSnapshot = async (
  store: Store,
  scope: string,
  owner: string,
  n: number,
): Promise<SnapshotDocument> => documentOf(store, await findSnapshot(store, scope, owner, { n }));
