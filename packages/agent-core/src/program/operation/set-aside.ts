import { randomUUID } from "node:crypto";
import type { JsonObject } from "@plasm/core";
import { operationHandle } from "../../artifacts/handles.ts";
import { fail } from "../../errors/problem.ts";
import { named } from "../../errors/arguments.ts";
import { noteAudit } from "../../audit/audit-log.ts";
import { tenantOfScope } from "../../identity/tenant-scope.ts";
import type { Operator } from "../../identity/keys.ts";
import { leftOpen, readEarlier } from "../effects/effect-log.ts";
import type { OperationKey } from "../../ports.ts";
import type { Store, Stored, StoreOps } from "../../store-port.ts";
import type { OperationRecord } from "../../records/operations.ts";
import { slotRef } from "../../session/handles.ts";
import { takeNumber } from "./begin-operation.ts";
import { hasEnded } from "./find-operation.ts";
import { newAttempt, noteStarted } from "./unfinished.ts";
import { isoTime } from "../../answer/times.ts";

/** How many processes may end while they run an operation before no other takes it up. */
export const MOST_DEATHS = 2;

/** Why an operation is set aside, in the words that all are told. */
export const SET_ASIDE = "set aside: was under way when two processes ended";

/** Operations of all scopes that were set aside stand in a scope of their own, which no caller has. */
const EVERYWHERE = "";

const nameOf = ({ scope, id }: OperationKey): string => JSON.stringify([scope, id]);

/**
 * What is told beside the answer of an operation in whose place another one goes on, by an operator's word; null for
 * any other. `ref` is the slot of whoever is told.
 */
export function replacementNote(ref: string | null, { retriedAs }: OperationRecord): string | null {
  if (retriedAs === undefined) return null;
  const handle = operationHandle(ref, retriedAs.n);
  return `an operator let it go on as ${handle}: wait(${handle}), and do not plan it again`;
}

/** Lets operators find an operation that is set aside. */
export async function noteSetAside(
  store: StoreOps,
  { scope, id }: OperationKey,
  at: number,
): Promise<void> {
  await store.insert("setAside", EVERYWHERE, nameOf({ scope, id }), { scope, id, at });
}

interface Found {
  readonly place: OperationKey;
  readonly operation: Stored<OperationRecord>;
}

/** The operations that are set aside, of one scope or of all; notes of what is kept no more are left to a sweep. */
async function setAsideIn(
  store: Pick<StoreOps, "get" | "list">,
  scope: string | null,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const { value } of await store.list("setAside", EVERYWHERE, "")) {
    if (scope !== null && value.scope !== scope) continue;
    const place = { scope: value.scope, id: value.id };
    const operation = await store.get("operation", place.scope, place.id);
    const is = operation?.value.setAside ?? null;
    if (operation !== null && is !== null) found.push({ place, operation });
  }
  return found;
}

/** The handle of an operation as its own caller knows it; null if nobody was told one. */
async function handleIn(store: StoreOps, record: OperationRecord): Promise<string | null> {
  if (record.n === null) return null;
  const slot = await store.heldSlot(record.principal, record.holder);
  return operationHandle(slot === null ? null : slotRef(slot), record.n);
}

async function shown(store: StoreOps, value: OperationRecord): Promise<JsonObject> {
  const { outcome, retryOf = null } = value;
  const handle = await handleIn(store, value);
  return {
    operation_uuid: value.uuid,
    ...(handle === null ? {} : { handle }),
    state: hasEnded(value.state) ? "set_aside" : "running",
    ...(retryOf === null ? {} : { retry_of: retryOf }),
    reason: SET_ASIDE,
    plan_commit_ref: value.ref,
    commit: value.commit,
    subject: value.subject,
    started_at: isoTime(value.startedAt),
    set_aside_at: isoTime(value.setAside ?? value.startedAt),
    deaths: value.deaths ?? 0,
    effects_done: outcome?.effectsDone ?? 0,
    effects_in_doubt: outcome?.inDoubt ?? 0,
    program: value.program,
  };
}

/** What operators do with operations that were set aside. No engine that serves agents has these. */
export interface SetAsideOperations {
  /** those of the operator's tenant, oldest first */
  list(operator: Operator): Promise<readonly JsonObject[]>;
  /** how many are set aside, of all tenants */
  count(): Promise<number>;
  /**
   * Lets one go on by its uuid, as a new operation with a handle of its own: with a fresh wall time, and without the effects
   * that are done. The one that was set aside keeps its answer, and says what goes on in its place (OPS-12). Gives the
   * new one. Throws plasm-unknown-handle; plasm-policy-denied where effects are in doubt, since nothing may send
   * them again, or where its caller has run the same plan again since; plasm-busy.
   */
  retry(operator: Operator, uuid: string): Promise<JsonObject>;
}

/** Refuses to let effects happen a second time. */
async function refuseTwice(store: Store, { place, operation }: Found): Promise<void> {
  const earlier = await readEarlier(store, place);
  if (earlier !== null && leftOpen(earlier)) {
    const why = "Effects of it are in doubt: nothing may send them again. Plan what is missing.";
    throw fail("plasm-policy-denied", why);
  }
  const { commit, effects, holder, startedAt } = operation.value;
  if (effects.length === 0) return;
  for (const { id, value } of await store.list("operation", place.scope, `${holder}/`)) {
    if (id === place.id || value.commit !== commit || value.startedAt < startedAt) continue;
    const why = `Its caller has run the same plan again since, under ${value.ref}: its effects would happen twice.`;
    throw fail("plasm-policy-denied", why);
  }
}

/** What an operation has done is that of the one which goes on in its place, too. */
async function copyEffects(tx: StoreOps, from: OperationKey, to: OperationKey): Promise<void> {
  const idOf = (id: string): string => to.id + id.slice(from.id.length);
  const within = `${from.id}/`;
  for (const { id, value } of await tx.list("effect", from.scope, within)) {
    await tx.insert("effect", to.scope, idOf(id), value);
  }
  for (const { id, value } of await tx.list("output", from.scope, within)) {
    await tx.insert("output", to.scope, idOf(id), value);
  }
  for (const { id, value } of await tx.list("expected", from.scope, within)) {
    await tx.insert("expected", to.scope, idOf(id), value);
  }
}

async function retried(store: Store, operator: Operator, uuid: string): Promise<JsonObject> {
  const all = await setAsideIn(store, operator.scope);
  const found = all.find(({ operation }) => operation.value.uuid === uuid);
  if (found === undefined) {
    throw fail("plasm-unknown-handle", `No operation ${named(uuid)} is set aside.`);
  }
  await refuseTwice(store, found);
  const { place, operation } = found;
  const before = operation.value;
  const next = { scope: place.scope, id: `${before.holder}/${randomUUID()}` };
  const again = await store.transaction(async (tx): Promise<OperationRecord> => {
    const n = await takeNumber(tx, next, before.holder);
    const retriedAs = { uuid: randomUUID(), n };
    if (
      !(await tx.cas("operation", place.scope, place.id, operation.version, {
        ...before,
        retriedAs,
      }))
    ) {
      throw fail("plasm-busy", "It changed meanwhile. Send the same call again.");
    }
    const record: OperationRecord = {
      ...before,
      ...retriedAs,
      retryOf: before.uuid,
      // As one that a stopping process has left to others: what it has done is read before it goes on.
      state: "running",
      owner: newAttempt(store),
      leaseUntil: 0,
      deaths: 0,
      setAside: null,
      cancelRequested: false,
      event: 1,
      step: { ...before.step, k: 0, label: null, rows: 0 },
      outcome: null,
      answer: null,
      endedAt: null,
      startedAt: tx.now(),
    };
    await tx.insert("operation", next.scope, next.id, record);
    await copyEffects(tx, place, next);
    await tx.delete("setAside", EVERYWHERE, nameOf(place));
    await noteAudit(tx, tenantOfScope(place.scope), {
      kind: "operation_retried",
      subject: operator.subject,
      target: before.uuid,
      plan_commit_ref: before.ref,
      commit: before.commit,
      operation_uuid: record.uuid,
      request_id: operator.requestId ?? null,
    });
    await noteStarted(tx, next);
    return record;
  });
  return shown(store, again);
}

/** What operators can do with operations that are set aside, on the store that engines share. */
export const setAsideOperationsIn = (store: Store): SetAsideOperations => ({
  list: async ({ scope }) => {
    const found = await setAsideIn(store, scope);
    return Promise.all(found.map(({ operation }) => shown(store, operation.value)));
  },
  count: async () => (await setAsideIn(store.urgent ?? store, null)).length,
  retry: (operator, uuid) => retried(store, operator, uuid),
});
