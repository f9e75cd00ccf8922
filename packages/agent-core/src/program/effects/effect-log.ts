import { createHash } from "node:crypto";
import type { JsonObject } from "@plasm/core";
import {
  type EarlierAttempt,
  type EffectEntry,
  type EffectLog,
  type ExpectedEffect,
  failure,
  type KeptForUndo,
  RunFailure,
  RunStop,
} from "@plasm/runtime";
import { type AuditNote, noteAudit } from "../../audit/audit-log.ts";
import { type EffectMarks, raiseMark } from "./effect-marks.ts";
import { isStoreFault } from "../../errors/store-faults.ts";
import type { OperationKey } from "../../ports.ts";
import type { Store, StoreOps } from "../../store-port.ts";
import { numberId } from "../../artifacts/handles.ts";
import { commitId } from "../plan/commits.ts";
import type { AuditKind } from "../../records/audit.ts";
import type { EffectRecord } from "../../records/operations.ts";
import { tenantOfScope } from "../../identity/tenant-scope.ts";

/** An operation in the hands of one attempt to run it. */
export interface OwnedRun extends OperationKey {
  readonly owner: string;
}

const entryId = (place: OperationKey, seq: number): string =>
  `${place.id}/${String(seq).padStart(6, "0")}`;

/**
 * Whether a run is this attempt's to go on with. A lease that has lapsed is taken anew where nobody has claimed
 * the run meanwhile: of a claim and this, one wins (OPS-31).
 */
async function holdOn(store: StoreOps, run: OwnedRun, leaseMs: number): Promise<boolean> {
  const found = await store.get("operation", run.scope, run.id);
  if (found === null) return false;
  const { value, version } = found;
  if (value.state !== "running" || value.owner !== run.owner) return false;
  if (value.leaseUntil > store.now()) return true;
  const next = { ...value, leaseUntil: store.now() + leaseMs };
  if (await store.cas("operation", run.scope, run.id, version, next)) return true;
  return holdOn(store, run, leaseMs);
}

/** Whether a run is this attempt's, and its lease has not lapsed (OPS-31). */
export async function isHeld(store: StoreOps, run: OwnedRun): Promise<boolean> {
  const found = await store.get("operation", run.scope, run.id);
  if (found === null) return false;
  const { state, owner, leaseUntil } = found.value;
  return state === "running" && owner === run.owner && leaseUntil > store.now();
}

/** How an effect ended that the store has not taken yet. */
export interface UnwrittenEnd {
  readonly entry: EffectEntry;
  readonly rows: JsonObject | null;
  readonly kept: KeptForUndo | null;
}

/** Whose a run is, as the audit log tells it; the rest stands in the operation's record. */
export type AuditedCaller = Pick<AuditNote, "acting_for" | "request_id">;

/** Notes in the audit log what becomes of an effect, in the transaction that writes it (OPS-40). */
async function noteEffect(
  tx: StoreOps,
  run: OperationKey,
  kind: AuditKind,
  entry: EffectEntry,
  caller: AuditedCaller = {},
): Promise<void> {
  const { entryId, capability, entity, target, status, httpStatus, error } = entry;
  const operation = (await tx.peek("operation", run.scope, run.id))?.value;
  const ended = kind === "effect_ended";
  const told = [httpStatus ?? [], error?.code ?? []].flat().join(" ");
  await noteAudit(tx, tenantOfScope(run.scope), {
    ...caller,
    kind,
    subject: operation?.subject ?? null,
    entry_id: entryId,
    capability,
    target: target ?? entity,
    plan_commit_ref: operation?.ref ?? null,
    commit: operation?.commit ?? null,
    operation_uuid: operation?.uuid ?? null,
    outcome: ended ? status : null,
    detail: ended && told !== "" ? told : null,
  });
}

/** A run's effects in the store. */
interface StoredEffectLog extends EffectLog {
  /** ends that the store refused: nobody but this process knows of them */
  unwritten(): readonly UnwrittenEnd[];
  /** the marks of the catalogs that this run's effects were on, as the last of each left it */
  marks(): EffectMarks;
}

/**
 * Writes a run's effects to the store: each write is durable when its promise resolves (OPS-28). An
 * attempt that lost its run starts none: the entry is written first and the lease looked at after
 * it, so that whoever claims the run either sees the entry or keeps it from being sent (OPS-31).
 */
export function storedEffectLog(
  store: Store,
  run: OwnedRun,
  {
    holder,
    leaseMs,
    caller = {},
    onStarted = () => undefined,
  }: {
    readonly holder: string;
    readonly leaseMs: number;
    readonly caller?: AuditedCaller;
    /** an effect on this catalog is about to be sent */
    readonly onStarted?: (entryId: string) => void;
  },
): StoredEffectLog {
  const unwritten = new Map<number, UnwrittenEnd>();
  const marks = new Map<string, number>();
  const place = { scope: run.scope, owner: holder };
  /** Both ends of an effect are marked: what is read between them may be older or newer (PLAN-083). */
  const raise = async (tx: StoreOps, entry: EffectEntry): Promise<void> => {
    marks.set(entry.entryId, await raiseMark(tx, place, entry.entryId));
  };
  const begun = new Set<number>();
  const started = async (entry: EffectEntry, kept: KeptForUndo | null = null): Promise<void> => {
    if (begun.has(entry.seq)) {
      throw new Error(`Effect ${entry.seq} of this run has been started before`);
    }
    const version = await onceMore(() =>
      store.transaction(async (tx) => {
        const written = await noteStart(tx, run, { ...entry, kept });
        await claimUndo(tx, run, holder, entry);
        await raise(tx, entry);
        if (written === 1) await noteEffect(tx, run, "effect_started", entry, caller);
        return written;
      }),
    );
    begun.add(entry.seq);
    onStarted(entry.entryId);
    if (await onceMore(() => holdOn(store, run, leaseMs))) return;
    await takeBack(store, run, holder, entry, version);
    // Whoever claimed the run goes on with it, and tells how it ends.
    throw new RunStop("cancelled");
  };
  const ended = async (
    entry: EffectEntry,
    rows: JsonObject | null,
    kept: KeptForUndo | null = null,
  ): Promise<void> => {
    unwritten.set(entry.seq, { entry, rows, kept });
    await onceMore(() => writeEnd(store, run, holder, { entry, rows, kept }, raise, caller));
    unwritten.delete(entry.seq);
  };
  const expected = async (effects: readonly ExpectedEffect[]): Promise<void> => {
    const id = `${run.id}/${effects[0]?.node ?? ""}`;
    await store.insert("expected", run.scope, id, { effects });
  };
  const outputs = (rows: ReadonlyMap<string, JsonObject>): Promise<void> =>
    keepOutputs(store, run, rows);
  return {
    started,
    ended,
    expected,
    outputs,
    marks: () => Object.fromEntries(marks),
    unwritten: () => [...unwritten.values()],
  };
}

/**
 * Does work again that the store refused: a connection that breaks while it commits leaves open whether it has.
 * The work must come to the same where it was done already.
 */
async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!isStoreFault(thrown)) throw thrown;
    return work();
  }
}

/**
 * Writes an effect's entry before it is sent, and gives its version. One that is there and was never sent is this
 * attempt's: its own, of which only the word was lost, or that of an attempt which lost the run and is about to find
 * that out. An entry that was sent is seen by whoever claims the run before anything else (OPS-31, OPS-32).
 */
async function noteStart(tx: StoreOps, run: OwnedRun, entry: EffectRecord): Promise<number> {
  const id = entryId(run, entry.seq);
  if (await tx.insert("effect", run.scope, id, entry)) return 1;
  const operation = await tx.get("operation", run.scope, run.id);
  // Whoever claimed the run has come as far, and goes on with it.
  if (operation?.value.owner !== run.owner) throw new RunStop("cancelled");
  const found = await tx.get("effect", run.scope, id);
  if (found?.value.status !== "started") {
    throw new Error(`Effect ${entry.seq} of this run has been started before`);
  }
  await tx.cas("effect", run.scope, id, found.version, entry);
  return found.version + 1;
}

/** Removes an entry of which nothing was sent, unless whoever has the run now has made it its own. */
const takeBack = (
  store: Store,
  run: OwnedRun,
  holder: string,
  entry: EffectEntry,
  version: number,
): Promise<void> =>
  store.transaction(async (tx) => {
    const id = entryId(run, entry.seq);
    const found = await tx.get("effect", run.scope, id);
    if (found?.version !== version) return;
    await tx.delete("effect", run.scope, id);
    await markUndone(tx, run, holder, entry, null);
    await noteEffect(tx, run, "effect_withdrawn", entry);
  });

/** Writes how an effect ended; `raise` notes it on its catalog's mark. */
async function writeEnd(
  store: Store,
  run: OwnedRun,
  holder: string,
  { entry, rows, kept }: UnwrittenEnd,
  raise: (tx: StoreOps, entry: EffectEntry) => Promise<void>,
  caller: AuditedCaller = {},
): Promise<void> {
  const id = entryId(run, entry.seq);
  await store.transaction(async (tx) => {
    const found = await tx.get("effect", run.scope, id);
    if (found === null) throw new Error(`Effect ${entry.seq} of this run was never started`);
    await tx.cas("effect", run.scope, id, found.version, { ...entry, rows, kept });
    await markUndone(tx, run, holder, entry, entry.status);
    await raise(tx, entry);
    if (found.value.status === "started") {
      await noteEffect(tx, run, "effect_ended", entry, caller);
    }
  });
}

/** Writes the ends of effects that the store refused when they came. */
export async function writeEnds(
  store: Store,
  run: OwnedRun,
  holder: string,
  ends: readonly UnwrittenEnd[],
): Promise<void> {
  const place = { scope: run.scope, owner: holder };
  for (const end of ends) {
    await writeEnd(store, run, holder, end, async (tx, { entryId: of }) => {
      await raiseMark(tx, place, of);
    });
  }
}

/** The operation whose record has a run's effects: the one that goes on in its place, where an operator let it. */
export async function effectsOf(
  store: StoreOps,
  scope: string,
  holder: string,
  ref: string,
): Promise<OperationKey> {
  const first = { scope, id: commitId(holder, ref) };
  const operation = (await store.peek("operation", scope, first.id))?.value;
  const n = operation?.retriedAs?.n;
  if (n === undefined) return first;
  const name = (await store.peek("number", scope, numberId(holder, n)))?.value;
  return name === undefined ? first : { scope, id: name.operation };
}

/** The record of the effect that one takes back; null where it is not kept any more. */
async function undoneBy(tx: StoreOps, scope: string, holder: string, { undoes }: EffectEntry) {
  if (undoes === undefined) return null;
  const id = entryId(await effectsOf(tx, scope, holder, undoes.ref), undoes.seq);
  const found = await tx.get("effect", scope, id);
  return found === null ? null : { id, value: found.value, version: found.version };
}

/**
 * Notes that an effect is about to be taken back, in the transaction that starts what takes it back: of two that would,
 * one does (UNDO-07). Throws RunFailure.
 */
async function claimUndo(
  tx: StoreOps,
  run: OwnedRun,
  holder: string,
  entry: EffectEntry,
): Promise<void> {
  const found = await undoneBy(tx, run.scope, holder, entry);
  if (found === null) return;
  const ref = (await tx.peek("operation", run.scope, run.id))?.value.ref ?? "";
  const { undone } = found.value;
  if (undone !== undefined && undone.ref !== ref) throw takenBack(entry, undone.ref);
  const next = { ...found.value, undone: { ref, status: "started" as const } };
  if (!(await tx.cas("effect", run.scope, found.id, found.version, next))) {
    throw takenBack(entry, "another run");
  }
}

const takenBack = ({ undoes }: EffectEntry, by: string): RunFailure =>
  new RunFailure(
    failure(
      "precondition_failed",
      `Effect ${undoes?.seq} of ${undoes?.ref} is taken back by ${by}: it is not taken back twice.`,
      "nothing is left to do for it",
    ),
  );

/** Notes what became of taking an effect back: what certainly did not happen is as if it had never been tried. */
async function markUndone(
  tx: StoreOps,
  run: OperationKey,
  holder: string,
  entry: EffectEntry,
  status: EffectEntry["status"] | null,
): Promise<void> {
  const found = await undoneBy(tx, run.scope, holder, entry);
  if (found?.value.undone === undefined) return;
  const { undone, ...rest } = found.value;
  const ref = (await tx.peek("operation", run.scope, run.id))?.value.ref;
  if (undone.ref !== ref) return;
  const next =
    status === "done" || status === "in_doubt" ? { ...rest, undone: { ref, status } } : rest;
  await tx.cas("effect", run.scope, found.id, found.version, next);
}

/** The entries of a run in order; one without outcome is in doubt (PLAN-073). */
export async function readEffects(
  store: StoreOps,
  place: OperationKey,
): Promise<readonly EffectEntry[]> {
  const records = await store.list("effect", place.scope, `${place.id}/`);
  return records
    .map(({ value }): EffectEntry =>
      value.status === "started" ? { ...value, status: "in_doubt" } : value,
    )
    .toSorted((a, b) => a.seq - b.seq);
}

/** The items of every for_each that had begun. */
export async function readExpected(
  store: StoreOps,
  place: OperationKey,
): Promise<readonly ExpectedEffect[]> {
  const records = await store.list("expected", place.scope, `${place.id}/`);
  return records.flatMap(({ value }) => value.effects);
}

/** Keeps rows of nodes that have finished, ahead of an effect (OPS-28). The first ones kept stand. */
async function keepOutputs(
  store: Store,
  { scope, id }: OperationKey,
  outputs: ReadonlyMap<string, JsonObject>,
): Promise<void> {
  for (const [node, value] of outputs) {
    const bytes = Buffer.from(JSON.stringify(value), "utf8");
    const rows = createHash("sha256").update(bytes).digest("hex");
    await store.putBlob(rows, bytes);
    await store.insert("output", scope, `${id}/${node}`, { node, rows });
  }
}

/** What an operation's earlier attempts came to; null if no effect of them was started (OPS-32). */
export async function readEarlier(
  store: Store,
  { scope, id }: OperationKey,
): Promise<EarlierAttempt | null> {
  const records = await store.list("effect", scope, `${id}/`);
  if (records.length === 0) return null;
  const effects = records.map(({ value }): EffectRecord => value);
  const outputs = new Map<string, JsonObject>();
  for (const { value } of await store.list("output", scope, `${id}/`)) {
    const bytes = await store.getBlob(value.rows);
    if (bytes === null) throw new Error(`The rows of ${value.node} of an operation are missing`);
    outputs.set(value.node, JSON.parse(Buffer.from(bytes).toString("utf8")) as JsonObject);
  }
  return { effects: effects.toSorted((a, b) => a.seq - b.seq), outputs };
}

/** Whether nobody knows how an effect ended: it is never sent again (OPS-32). */
export const leftOpen = ({ effects }: EarlierAttempt): boolean =>
  effects.some(({ status }) => status === "started");
