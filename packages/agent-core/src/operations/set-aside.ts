import type { JsonObject } from "@plasm/core";
import { fail } from "../errors/failure.ts";
import { named } from "../errors/named.ts";
import type { Operator } from "../identity/operator.ts";
import { leftOpen, readEarlier } from "../live-run/stored-outputs.ts";
import type { OperationPlace, Store, StoreOps, Stored } from "../ports.ts";
import type { OperationRecord } from "../records/operation-record.ts";
import { hasEnded } from "./change-operation.ts";
import { noteStarted } from "./unfinished.ts";

/** How many processes may end while they run an operation before no other takes it up. */
export const MOST_DEATHS = 2;

/** Why an operation is set aside, in the words that all are told. */
export const SET_ASIDE = "set aside: was under way when two processes ended";

/** Operations of all scopes that were set aside stand in a scope of their own, which no caller has. */
const EVERYWHERE = "";

const nameOf = ({ scope, id }: OperationPlace): string => JSON.stringify([scope, id]);

/** Lets operators find an operation that is set aside. */
export async function noteSetAside(
  store: StoreOps,
  { scope, id }: OperationPlace,
  at: number,
): Promise<void> {
  await store.insert("setAside", EVERYWHERE, nameOf({ scope, id }), { scope, id, at });
}

interface Found {
  readonly place: OperationPlace;
  readonly operation: Stored<OperationRecord>;
}

/** The operations that are set aside, of one scope or of all; notes of what is kept no more are left to a sweep. */
async function setAsideIn(store: StoreOps, scope: string | null): Promise<readonly Found[]> {
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

const isoTime = (ms: number): string => new Date(ms).toISOString();

function shown({ operation: { value } }: Found): JsonObject {
  const { outcome } = value;
  return {
    operation_uuid: value.uuid,
    state: hasEnded(value.state) ? "set_aside" : "running",
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
   * Lets one go on by its uuid, as if no process had ended: with a fresh wall time, and without the effects that are
   * done. Throws plasm-unknown-handle; plasm-policy-denied where effects are in doubt, since nothing may send
   * them again; plasm-busy.
   */
  retry(operator: Operator, uuid: string): Promise<JsonObject>;
}

async function retried(store: Store, operator: Operator, uuid: string): Promise<JsonObject> {
  const all = await setAsideIn(store, operator.scope);
  const found = all.find(({ operation }) => operation.value.uuid === uuid);
  if (found === undefined || !hasEnded(found.operation.value.state)) {
    throw fail("plasm-unknown-handle", `No operation ${named(uuid)} is set aside.`);
  }
  const { place, operation } = found;
  const earlier = await readEarlier(store, place);
  if (earlier !== null && leftOpen(earlier)) {
    const why = "Effects of it are in doubt: nothing may send them again. Plan what is missing.";
    throw fail("plasm-policy-denied", why);
  }
  const next: OperationRecord = {
    ...operation.value,
    // As one that a stopping process has left to others: what it has done is read before it goes on.
    state: "running",
    leaseUntil: 0,
    deaths: 0,
    setAside: null,
    event: operation.value.event + 1,
    outcome: null,
    answer: null,
    endedAt: null,
    startedAt: store.now(),
  };
  await store.transaction(async (tx) => {
    if (!(await tx.cas("operation", place.scope, place.id, operation.version, next))) {
      throw fail("plasm-busy", "It changed meanwhile. Send the same call again.");
    }
    await tx.delete("setAside", EVERYWHERE, nameOf(place));
    await noteStarted(tx, place);
  });
  return shown({ place, operation: { ...operation, value: next } });
}

/** What operators can do with operations that are set aside, on the store that engines share. */
export const setAsideOperationsIn = (store: Store): SetAsideOperations => ({
  list: async ({ scope }) => (await setAsideIn(store, scope)).map(shown),
  count: async () => (await setAsideIn(store, null)).length,
  retry: (operator, uuid) => retried(store, operator, uuid),
});
