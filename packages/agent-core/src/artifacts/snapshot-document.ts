import { hash } from "node:crypto";
import { canonicalJson, type Json, type JsonObject } from "@plasm/core";
import type { RunResult } from "@plasm/runtime";
import type { SnapshotRecord } from "../records/snapshot-record.ts";

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

export interface SnapshotFacts {
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
export function snapshotDocument(facts: SnapshotFacts): SnapshotDocument {
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
