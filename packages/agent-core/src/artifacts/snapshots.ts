import { hash } from "node:crypto";
import { canonicalJson, type Json, type JsonObject } from "@plasm/core";
import { parseJsonText } from "@plasm/core/internal";
import type { RunResult } from "@plasm/runtime";
import { fail, type Failure } from "../errors/problem.ts";
import { named } from "../errors/arguments.ts";
import type { Store } from "../store-port.ts";
import type { SessionKey } from "../records/sessions.ts";
import { whyDropped } from "./dropped.ts";
import type { SnapshotRecord } from "../records/artifacts.ts";

/** Where a snapshot belongs: its counters' owner, its session and its principal. */
export interface SnapshotKey {
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
 * of it beside effects before {@link Store.durable} (SESS-33).
 */
export const writeSnapshot = (
  store: Store,
  place: SnapshotKey,
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
  return parseJsonText(Buffer.from(bytes).toString("utf8")) as SnapshotDocument;
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

export type SnapshotSource = SnapshotRecord["source"];

/** What a snapshot keeps of one result (SESS-28). */
export interface SnapshotDocument {
  readonly run_id: string;
  readonly n: number;
  readonly label: string;
  readonly entry_ids: readonly string[];
  readonly program: string;
  readonly commit: string;
  readonly source: SnapshotSource;
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** columns that a text answer does not show as they are (RUN-038); the rows have all of them */
  readonly presented?: RunResult["presented"];
  readonly rows: readonly JsonObject[];
  readonly relations: JsonObject;
  readonly partial: RunResult["partial"];
  readonly stats: JsonObject;
  /** every effect of the run, where its answer had no room for a line of each (SURF-15) */
  readonly effects?: readonly Json[];
  readonly content_sha256: string;
}

interface SnapshotFacts {
  readonly session: string;
  readonly n: number;
  readonly entryIds: readonly string[];
  readonly program: string;
  readonly commit: string;
  readonly source: SnapshotSource;
  readonly result: RunResult;
  readonly stats: JsonObject;
  readonly effects?: readonly Json[];
}

/** Identities of the rows by index, where they have one: what `relations` of a later read start from. */
const refsOf = (result: RunResult): JsonObject => ({
  refs: result.rows.map((row): Json => row.ref),
});

/** Makes the document; run_id covers session, number and content, so no two runs share it (SESS-29). */
function snapshotDocument(facts: SnapshotFacts): SnapshotDocument {
  const { result, n } = facts;
  const columns = result.columns.map(([name, type]) => [name, type] as const);
  const rows = result.rows.map((row) => row.values);
  const content = { label: result.label, columns: columns.map((c) => [...c]), rows };
  const content_sha256 = hash("sha256", canonicalJson(content));
  const run_id = `pr${hash("sha256", canonicalJson({ session: facts.session, n, content_sha256 }))}`;
  return {
    run_id,
    n,
    label: result.label,
    entry_ids: facts.entryIds,
    program: facts.program,
    commit: facts.commit,
    source: facts.source,
    columns,
    ...(result.presented.length === 0 ? {} : { presented: result.presented }),
    rows,
    relations: refsOf(result),
    partial: result.partial,
    stats: facts.stats,
    ...(facts.effects === undefined ? {} : { effects: facts.effects }),
    content_sha256,
  };
}
