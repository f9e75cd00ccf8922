import { setImmediate as otherWork } from "node:timers/promises";
import { trimAudit } from "../audit/audit-log.ts";
import { hasEnded } from "../program/operation/find-operation.ts";
import type { Aged, ListedTypes, Store, StoreOps } from "../store-port.ts";
import { portionsOf } from "../trace/append-batch.ts";
import { noteDropped, type NumberedKind } from "../artifacts/dropped.ts";
import { ownerIn } from "./rules.ts";

/**
 * What may be dropped where a store is over its limit, in this order, the oldest of each first: what can be read
 * again, what was observed, then what operations that have ended did, with the log of their effects, and at the very end the audit log. Sessions,
 * plans that wait, decisions on them, keys, policies, imported catalogs and what is under way are never dropped.
 */
const ORDER = ["snapshot", "cursor", "file", "trace", "operation", "auditLine"] as const;

type Droppable = (typeof ORDER)[number];

/** What is looked at in one transaction, at most. */
const PORTION = 100;

/** Content that was written so shortly ago may be about to be named (SESS-30). */
const FRESH_MS = 60_000;

/** How far a store is brought down, so that it is not over its limit again at once. */
const AIM = 0.9;

/** What a record takes besides its text: its row, and its places in indexes. */
const BESIDES = 400;

/** How many records of each kind were dropped. */
export type DroppedCounts = Readonly<Partial<Record<Droppable, number>>>;

/** Drops all records of a kind below a prefix, and gives what they took. */
async function dropAll(
  tx: StoreOps,
  kind: "traceEvents" | "effect" | "output" | "expected",
  scope: string,
  prefix: string,
): Promise<number> {
  const all = await tx.list(kind, scope, prefix);
  if (all.length > 0) await tx.removeAll(kind, scope, prefix);
  return all.reduce((sum, { value }) => sum + bytesOf(value), 0);
}

/** What is dropped along with a record: how many bytes of it. */
const ALONG: {
  readonly [K in Droppable]?: (tx: StoreOps, record: Aged<ListedTypes[K]>) => Promise<number>;
} = {
  trace: (tx, { scope, value }) => dropAll(tx, "traceEvents", scope, portionsOf(value.owner)),
  operation: async (tx, { scope, id }) => {
    let bytes = 0;
    for (const kind of ["effect", "output", "expected"] as const) {
      bytes += await dropAll(tx, kind, scope, `${id}/`);
    }
    return bytes;
  },
};

/** Kinds whose numbers tell a reader that they were there. */
const NUMBERED: ReadonlySet<Droppable> = new Set<NumberedKind>(["snapshot", "cursor", "operation"]);

async function noteNumber<K extends Droppable>(
  tx: StoreOps,
  kind: K,
  { scope, id, value }: Aged<ListedTypes[K]>,
): Promise<void> {
  const { n } = value as { readonly n?: number | null };
  if (!NUMBERED.has(kind) || typeof n !== "number") return;
  await noteDropped(tx, scope, ownerIn(id), kind as NumberedKind, n);
}

const isUnderWay = <K extends Droppable>(kind: K, value: ListedTypes[K]): boolean =>
  kind === "operation" && !hasEnded((value as ListedTypes["operation"]).state);

/** Bytes that a record and the content that it names take, or about so many. */
function bytesOf(value: object): number {
  const { bytes } = value as { readonly bytes?: unknown };
  return JSON.stringify(value).length + BESIDES + (typeof bytes === "number" ? bytes : 0);
}

/** Drops the oldest records of a kind until so many bytes are free; how many there were, and of what size. */
async function dropOldest<K extends Droppable>(
  tx: StoreOps,
  kind: K,
  wanted: number,
): Promise<{ readonly count: number; readonly bytes: number }> {
  let count = 0;
  let bytes = 0;
  for (const record of await tx.aged(kind, Number.MAX_SAFE_INTEGER, PORTION)) {
    if (bytes >= wanted) break;
    const { scope, id, version, value, textBytes } = record;
    if (isUnderWay(kind, value)) {
      // Others are looked at before it.
      await tx.ageFrom(kind, scope, id, tx.now());
      continue;
    }
    if (!(await tx.remove(kind, scope, id, version))) continue;
    bytes += bytesOf(value) + textBytes + ((await ALONG[kind]?.(tx, record)) ?? 0);
    await noteNumber(tx, kind, record);
    count += 1;
  }
  return { count, bytes };
}

/** Tenants among which the longest log is looked for. */
const LOGS = 1_000;

/** The tenant with the longest audit log, so that nobody's goes for what another did. */
async function longestLog(tx: StoreOps): Promise<string | undefined> {
  const heads = await tx.aged("auditHead", Number.MAX_SAFE_INTEGER, LOGS);
  const length = ({ value: { n, first } }: (typeof heads)[number]): number => n - first.n;
  return heads.toSorted((a, b) => length(b) - length(a))[0]?.scope;
}

/** Drops the oldest lines of the longest log: a chain is only ever cut at its beginning (OPS-43). */
async function dropLines(
  tx: StoreOps,
  wanted: number,
): Promise<{ readonly count: number; readonly bytes: number }> {
  const tenant = await longestLog(tx);
  if (tenant === undefined) return { count: 0, bytes: 0 };
  const { count, bytes } = await trimAudit(tx, tenant, null, {
    most: PORTION,
    bytes: wanted,
  });
  return { count, bytes: bytes + count * BESIDES };
}

/** Removes content that no record names any more. */
async function removeLoose(store: Store): Promise<void> {
  for (;;) {
    const until = store.now() - FRESH_MS;
    const looked = await store.transaction((tx) => tx.removeBlobs(until, PORTION));
    if (looked < PORTION) return;
    await otherWork();
  }
}

/** Drops the oldest records of a kind, of so many bytes or about that, with their content; how many. */
async function dropSome(store: Store, kind: Droppable, wanted: number): Promise<number> {
  let all = 0;
  for (let left = wanted; left > 0;) {
    const { count, bytes } = await store.transaction((tx) =>
      kind === "auditLine" ? dropLines(tx, left) : dropOldest(tx, kind, left),
    );
    if (count === 0) break;
    all += count;
    left -= bytes;
    await otherWork();
  }
  if (all > 0) await removeLoose(store);
  return all;
}

/** What became of a store that was over its limit. */
export interface KeptWithin {
  readonly dropped: DroppedCounts;
  readonly used: number;
  readonly isWithin: boolean;
}

/**
 * Brings a store that holds more than `limit` bytes below it; null where it does not, or cannot tell. Any number of
 * processes may do so at once.
 */
export async function keepWithin(
  store: Store,
  limit: number,
  signal?: AbortSignal,
): Promise<KeptWithin | null> {
  const size = store.size?.bind(store);
  if (size === undefined || (await size()).used <= limit) return null;
  const dropped: Partial<Record<Droppable, number>> = {};
  await removeLoose(store);
  let { used } = await size();
  for (const kind of ORDER) {
    while (used > limit * AIM && signal?.aborted !== true) {
      const count = await dropSome(store, kind, used - limit * AIM);
      if (count === 0) break;
      dropped[kind] = (dropped[kind] ?? 0) + count;
      ({ used } = await size());
    }
  }
  return { dropped, used, isWithin: used <= limit };
}

const NAMES: Readonly<Record<Droppable, string>> = {
  snapshot: "snapshots",
  cursor: "page handles",
  file: "files of sessions",
  trace: "traces",
  operation: "operations that have ended, with the log of their effects",
  auditLine: "lines of audit logs",
};

/** What an operator is told of it. */
export function keptWithinText({ dropped, isWithin }: KeptWithin, limit: number): string {
  const counts = ORDER.flatMap((kind) =>
    dropped[kind] === undefined ? [] : [`${dropped[kind]} ${NAMES[kind]}`],
  );
  const what = counts.length === 0 ? "nothing may be dropped" : `dropped ${counts.join(", ")}`;
  const more = isWithin
    ? ""
    : "; it still is: raise PLASM_DATA_LIMIT, or lower the times of PLASM_RETENTION_…";
  return `The store was over its limit of ${limit} bytes: ${what}${more}`;
}
