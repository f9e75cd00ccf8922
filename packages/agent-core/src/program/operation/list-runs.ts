import type { EffectMeta } from "../../answer/meta.ts";
import type { OperationState } from "../../records/operations.ts";
import { formatResourceUri } from "../../artifacts/uris.ts";
import { type HandleRef, operationHandle } from "../../artifacts/handles.ts";
import { isForbidden } from "../../artifacts/still-allowed.ts";
import { documentOf, listSnapshots } from "../../artifacts/snapshots.ts";
import type { Caller } from "../../identity/caller.ts";
import { readEffects } from "../effects/effect-log.ts";
import type { ListedTypes, Stored } from "../../store-port.ts";
import type { SnapshotRecord } from "../../records/artifacts.ts";
import { effectsMeta } from "../../answer/effects.ts";
import type { SessionAddress } from "../../session/handles.ts";
import { metaOf, readEnd } from "./operation-end.ts";
import { handlePlace } from "./find-operation.ts";
import type { OperationDeps } from "../deps.ts";
import { fail } from "../../errors/problem.ts";
import { refuseNoText } from "../../errors/arguments.ts";
import { isoTime, isoTimeOrNull } from "../../answer/times.ts";

/** Which runs are asked for, before any check. */
export interface RunsPage {
  /** `next` of the page before; the newest without it */
  readonly before?: unknown;
}

/** A snapshot of a run. */
type SnapshotMeta = {
  readonly n: number;
  readonly run_id: string;
  readonly label: string;
  readonly source: SnapshotRecord["source"];
  readonly row_count: number;
  readonly partial: string | null;
  readonly bytes: number;
  readonly artifact_uri: string;
  readonly created_at: string | null;
};

/** A run that is kept, with its effects and snapshots (SURF-16). */
type RunRow = {
  readonly plan_commit_ref: string | null;
  readonly commit: string | null;
  readonly state: OperationState;
  readonly handle: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly effects: readonly EffectMeta[];
  readonly snapshots: readonly SnapshotMeta[];
};

/** A page of runs, in the order in which they began. */
export type RunList = {
  readonly runs: readonly RunRow[];
  /** how many are on the pages after */
  readonly omitted: number;
  /** `before` of the page before it in time; null where there is none */
  readonly next: string | null;
};

/** Runs of a page; older ones are counted, and are on the pages after. */
const MOST_RUNS = 100;

/** A run with what is kept of it: its operation, if it was one, and its snapshots. */
interface Run extends RunPosition {
  readonly operation: Stored<ListedTypes["operation"]> | null;
  readonly snapshots: readonly SnapshotRecord[];
}

const STATES = {
  live: "succeeded",
  page: "succeeded",
  explain: "succeeded",
  cancel: "cancelled",
  failure: "failed",
} as const;

/** All runs of a session that this caller may see, in the order in which they began. */
async function runsOf(deps: OperationDeps, place: HandleRef): Promise<readonly Run[]> {
  const { scope, owner, principal } = place;
  const policy = await deps.policies.policyOf(scope);
  const [kept, begun] = await Promise.all([
    listSnapshots(deps.store, scope, owner),
    deps.store.list("operation", scope, `${owner}/`),
  ]);
  const operations = begun.filter(
    ({ value }) =>
      value.principal === principal && !isForbidden(policy, Object.keys(value.digests), value.uses),
  );
  const known = new Set(operations.map(({ value }) => value.run.id));
  const groups = new Map<string, SnapshotRecord[]>();
  for (const value of kept) {
    if (value.principal !== principal || isForbidden(policy, value.entryIds, value.uses)) continue;
    const name = value.run ?? value.runId;
    groups.set(name, [...(groups.get(name) ?? []), value]);
  }
  const alone = [...groups].filter(([id]) => !known.has(id));
  return [
    ...operations.map((operation) => ({
      operation,
      snapshots: groups.get(operation.value.run.id) ?? [],
      at: operation.value.startedAt,
      name: operation.value.run.id,
    })),
    ...alone.map(([name, snapshots]) => ({
      operation: null,
      snapshots,
      at: snapshots[0]?.createdAt ?? 0,
      name,
    })),
  ].toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
}

const uriOf = ({ ref }: HandleRef, { session, n, runId }: SnapshotRecord): string =>
  formatResourceUri(
    ref === null ? { kind: "run", key: session, runId } : { kind: "snapshot", ref, n },
  );

const snapshotMeta = (place: HandleRef, record: SnapshotRecord): SnapshotMeta => ({
  n: record.n,
  run_id: record.runId,
  label: record.label,
  source: record.source,
  row_count: record.rows,
  partial: record.partial ?? null,
  bytes: record.bytes,
  artifact_uri: uriOf(place, record),
  created_at: isoTime(record.createdAt),
});

/** The effects of an operation as its answer told them, else as they are written down. */
async function effectsOf(
  deps: OperationDeps,
  { scope }: HandleRef,
  { id, value }: Stored<ListedTypes["operation"]>,
): Promise<readonly EffectMeta[]> {
  const end = await readEnd(deps, value.answer);
  const { effects } = end === null ? {} : metaOf(end);
  return effects ?? effectsMeta(await readEffects(deps.store, { scope, id }));
}

async function runMeta(deps: OperationDeps, place: HandleRef, run: Run): Promise<RunRow> {
  const { operation, snapshots } = run;
  const shown = snapshots.map((one) => snapshotMeta(place, one));
  if (operation !== null) {
    const { n, ref, commit, state, startedAt, endedAt } = operation.value;
    return {
      plan_commit_ref: ref,
      commit,
      state,
      handle: n === null ? null : operationHandle(place.ref, n),
      started_at: isoTime(startedAt),
      ended_at: isoTimeOrNull(endedAt),
      effects: await effectsOf(deps, place, operation),
      snapshots: shown,
    };
  }
  const [first] = snapshots;
  return {
    plan_commit_ref: first?.ref ?? null,
    commit: first === undefined ? null : (await documentOf(deps.store, first)).commit,
    state: STATES[first?.source ?? "live"],
    handle: null,
    started_at: null,
    ended_at: isoTime(run.at),
    effects: [],
    snapshots: shown,
  };
}

/**
 * `GET …/runs`: the runs of a session that are kept, with their effects and snapshots, also those that
 * a caller cancelled and saw no answer of (SURF-16, OPS-11). The session is not renewed. Runs on catalogs
 * that policy forbids now are left out. The newest 100, or the newest of those before a cursor, each page in the
 * order in which they began; `next` is the cursor of the page before it in time. Throws plasm-unknown-session.
 */
export async function listRuns(
  deps: OperationDeps,
  caller: Caller,
  address: SessionAddress,
  { before }: RunsPage = {},
): Promise<RunList> {
  const from = readRunsCursor(before);
  const place = await handlePlace(deps, caller, address);
  const all = (await runsOf(deps, place)).filter((run) => from === null || isBefore(run, from));
  const newest = all.slice(-MOST_RUNS);
  const omitted = all.length - newest.length;
  const [oldest] = newest;
  const next = omitted === 0 || oldest === undefined ? null : runsCursor(oldest);
  const runs = await Promise.all(newest.map((run) => runMeta(deps, place, run)));
  return { runs, omitted, next };
}

/** Where a run stands among those of its session: by when it began, then by name. */
interface RunPosition {
  readonly at: number;
  readonly name: string;
}

/** Whether a run stands before another. */
export const isBefore = (a: RunPosition, b: RunPosition): boolean =>
  a.at === b.at ? a.name < b.name : a.at < b.at;

const CURSOR = /^(\d{1,16})\.([\w-]{1,100})$/;

/** A position as callers hand it back; it stands when the run itself is gone. */
export const runsCursor = ({ at, name }: RunPosition): string => `${at}.${name}`;

/** The position of a cursor; null without one. Throws plasm-bad-request for anything that is none. */
export function readRunsCursor(before: unknown): RunPosition | null {
  if (before === undefined) return null;
  const meaning = "the member next of the page before";
  if (typeof before !== "string") throw refuseNoText("before", before, meaning);
  const [, at, name] = CURSOR.exec(before) ?? [];
  if (at !== undefined && name !== undefined) return { at: Number(at), name };
  throw fail("plasm-bad-request", `before is ${meaning}, unchanged.`);
}
