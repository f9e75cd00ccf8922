import type { JsonObject } from "@plasm/core";
import type { EffectEntry, EffectLog, ExpectedEffect } from "@plasm/runtime";
import { type EffectMarks, raiseMark } from "../artifacts/effect-marks.ts";
import type { OperationPlace, Store, StoreOps } from "../ports.ts";
import { keepOutputs } from "./stored-outputs.ts";

/** An operation in the hands of one attempt to run it. */
export interface OwnedRun extends OperationPlace {
  readonly owner: string;
}

const entryId = (place: OperationPlace, seq: number): string =>
  `${place.id}/${String(seq).padStart(6, "0")}`;

/** Whether a run is this attempt's to go on with: a lapsed lease is lost, claimed or not (OPS-31). */
export async function isHeld(store: StoreOps, run: OwnedRun): Promise<boolean> {
  const found = await store.get("operation", run.scope, run.id);
  if (found === null) return false;
  const { state, owner, leaseUntil } = found.value;
  return state === "running" && owner === run.owner && leaseUntil > store.now();
}

/** A run's effects in the store. */
interface StoredEffectLog extends EffectLog {
  /** the marks of the catalogs that this run's effects were on, as the last of each left it */
  marks(): EffectMarks;
}

/**
 * Writes a run's effects to the store: each write is durable when its promise resolves (OPS-28). An
 * attempt that lost its run starts none: the entry is written first and the lease looked at after
 * it, so that whoever claims the run either sees the entry or keeps it from being sent (OPS-31).
 */
export function storedEffectLog(store: Store, run: OwnedRun, holder: string): StoredEffectLog {
  const marks = new Map<string, number>();
  const place = { scope: run.scope, owner: holder };
  /** Both ends of an effect are marked: what is read between them may be older or newer (PLAN-083). */
  const raise = async (tx: StoreOps, entry: EffectEntry): Promise<void> => {
    marks.set(entry.entryId, await raiseMark(tx, place, entry.entryId));
  };
  const started = async (entry: EffectEntry): Promise<void> => {
    const id = entryId(run, entry.seq);
    await store.transaction(async (tx) => {
      if (!(await tx.insert("effect", run.scope, id, entry))) {
        throw new Error(`Effect ${entry.seq} of this run has been started before`);
      }
      await raise(tx, entry);
    });
    if (await isHeld(store, run)) return;
    await store.delete("effect", run.scope, id);
    throw new Error(`The lease of this run was lost before its effect ${entry.seq}`);
  };
  const ended = async (entry: EffectEntry, rows: JsonObject | null): Promise<void> => {
    const id = entryId(run, entry.seq);
    await store.transaction(async (tx) => {
      const found = await tx.get("effect", run.scope, id);
      if (found === null) throw new Error(`Effect ${entry.seq} of this run was never started`);
      await tx.cas("effect", run.scope, id, found.version, { ...entry, rows });
      await raise(tx, entry);
    });
  };
  const expected = async (effects: readonly ExpectedEffect[]): Promise<void> => {
    const id = `${run.id}/${effects[0]?.node ?? ""}`;
    await store.insert("expected", run.scope, id, { effects });
  };
  const outputs = (rows: ReadonlyMap<string, JsonObject>): Promise<void> =>
    keepOutputs(store, run, rows);
  return { started, ended, expected, outputs, marks: () => Object.fromEntries(marks) };
}

/** The entries of a run in order; one without outcome is in doubt (PLAN-073). */
export async function readEffects(
  store: StoreOps,
  place: OperationPlace,
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
  place: OperationPlace,
): Promise<readonly ExpectedEffect[]> {
  const records = await store.list("expected", place.scope, `${place.id}/`);
  return records.flatMap(({ value }) => value.effects);
}
