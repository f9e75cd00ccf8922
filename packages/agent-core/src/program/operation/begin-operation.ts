import { randomUUID } from "node:crypto";
import type { Plan } from "@plasm/core";
import type { Limits } from "@plasm/runtime";
import { signInOf } from "@plasm/runtime/internal";
import { secretsIn } from "../../session/accounts.ts";
import { numberId } from "../../artifacts/handles.ts";
import { commitId, type CommitKey, mayStart, placeOf } from "../plan/commits.ts";
import { isStoreFault } from "../../errors/store-faults.ts";
import type { Caller } from "../../identity/caller.ts";
import { digestsOf, effectsOfPlan, entryIdsOf, usedCapabilities } from "../plan/plan-facts.ts";
import { startRun } from "../run/run-context.ts";
import type { ScheduledBegin } from "../run/run-request.ts";
import type { OwnedRun } from "../effects/effect-log.ts";
import type { OperationKey } from "../../ports.ts";
import type { Stored, StoreOps } from "../../store-port.ts";
import type { CommitRecord } from "../../records/commits.ts";
import type { OperationRecord } from "../../records/operations.ts";
import type { ResolvedSession } from "../../session/locate.ts";
import { changeOperation } from "./find-operation.ts";
import type { OperationDeps } from "../deps.ts";
import { takeSeats } from "./seats.ts";
import { newAttempt, noteStarted } from "./unfinished.ts";

/** The operation that a ref with effects starts is named by it: there is no second one. */
export const operationOfRef = (place: CommitKey, ref: string): OperationKey => ({
  scope: place.scope,
  id: commitId(place.owner, ref),
});

/** A checked plan that passed the gate. */
export interface Beginning {
  readonly caller: Caller;
  readonly at: ResolvedSession;
  readonly plan: Plan;
  readonly minted: CommitRecord;
  readonly limits: Limits;
  readonly complete: boolean;
  /** it gets a handle, and runs whether or not anybody waits */
  readonly detached: boolean;
  /** what else is written as it begins; where it throws, nothing begins (SAV-19) */
  readonly begins?: ScheduledBegin["begins"];
}

const hasEffects = ({ summary }: Plan): boolean => summary.effects.length > 0;

/** The record as it stands before anything runs: accepted, or already in the hands of its caller. */
function recordOf(
  begun: Beginning,
  now: number,
  { store, leaseMs }: Pick<OperationDeps, "store" | "leaseMs">,
  { run, signIns }: Pick<OperationRecord, "run" | "signIns">,
): OperationRecord {
  const { caller, at, plan, minted, limits, complete, detached } = begun;
  const { owner: holder, principal } = at;
  const { session } = placeOf(caller, at);
  return {
    uuid: randomUUID(),
    n: null,
    ref: minted.ref,
    ...(minted.accounts === undefined ? {} : { accounts: minted.accounts }),
    ...(signIns === undefined ? {} : { signIns }),
    session,
    holder,
    principal,
    subject: caller.subject,
    ...(caller.requestId === undefined ? {} : { requestId: caller.requestId }),
    program: plan.source,
    commit: plan.commit,
    verdict: plan.summary.verdict,
    digests: digestsOf(plan),
    uses: usedCapabilities(plan, at.view.exposure.catalogs),
    budget: limits,
    effects: effectsOfPlan(plan, at.view.exposure.catalogs),
    detached,
    complete,
    seats: [],
    state: detached ? "accepted" : "running",
    cancelRequested: false,
    event: 1,
    step: { k: 0, of: plan.nodes.length, label: null, rows: 0, requests: 0 },
    outcome: null,
    owner: newAttempt(store),
    leaseUntil: detached ? now : now + leaseMs,
    run,
    startedAt: now,
    endedAt: null,
    answer: null,
  };
}

/** Its program is the operation's from now on, and kept once. */
async function consume(tx: StoreOps, { scope, id }: OperationKey): Promise<boolean> {
  const found = await tx.get("commit", scope, id);
  if (found === null || !mayStart(found.value)) return false;
  const { program: _program, ...rest } = found.value;
  return tx.cas("commit", scope, id, found.version, { ...rest, state: "consumed" });
}

/** Gives an operation its number in its session. */
export async function takeNumber(
  tx: StoreOps,
  { scope, id }: OperationKey,
  holder: string,
): Promise<number> {
  const n = await tx.nextNumber(holder, "o");
  await tx.insert("number", scope, numberId(holder, n), { operation: id });
  return n;
}

/** Which sign-ins the calls of a plan use as it begins: they are those of whoever goes on with it, too (RUN-129). */
async function signInsNow(
  deps: OperationDeps,
  { caller, at, plan, minted }: Beginning,
): Promise<Readonly<Record<string, string | null>>> {
  const own = { ...at, accounts: minted.accounts ?? {} };
  const { credentials } = secretsIn(deps, caller, own);
  const found = entryIdsOf(plan).map(async (entryId) => {
    const catalog = at.view.exposure.catalogs.get(entryId);
    if (catalog === undefined || catalog.cgs.auth.scheme === "none") return [];
    return [[entryId, await signInOf(catalog, deps.ports.secrets, credentials)] as const];
  });
  return Object.fromEntries((await Promise.all(found)).flat());
}

/** An operation as it begins. */
export interface Begun {
  readonly place: OwnedRun;
  readonly record: OperationRecord;
}

/** What a transaction that may have been committed began. */
interface BegunAs {
  as: Begun | null;
}

/**
 * Stores an operation before its first request, and consumes its ref if it has effects, in one
 * transaction: of two racing ones one starts (OPS-3, OPS-13, OPS-39). Null if the ref was taken
 * meanwhile. Throws plasm-too-many-operations.
 */
export async function beginOperation(
  deps: OperationDeps,
  beginning: Beginning,
): Promise<Begun | null> {
  const { caller, at, plan, minted, detached } = beginning;
  const { scope } = caller;
  const named = operationOfRef(placeOf(caller, at), minted.ref);
  const run = startRun(deps);
  const signIns = await signInsNow(deps, beginning);
  const begin = async (tx: StoreOps, begun: BegunAs): Promise<Begun | null> => {
    const first = recordOf(beginning, tx.now(), deps, { run, signIns });
    const id = hasEffects(plan) ? named.id : `${at.owner}/${first.uuid}`;
    if (hasEffects(plan) && !(await consume(tx, named))) return null;
    const place = { scope, id };
    const seats = detached ? await takeSeats(tx, { ...at, scope }, id, deps.unfinished) : [];
    const n = detached ? await takeNumber(tx, place, at.owner) : null;
    const record = { ...first, seats, n };
    if (!(await tx.insert("operation", scope, id, record))) {
      throw new Error("A ref started two operations");
    }
    await noteStarted(tx, place);
    await beginning.begins?.(tx, place, record);
    begun.as = { place: { ...place, owner: record.owner }, record };
    return begun.as;
  };
  const begun: BegunAs = { as: null };
  try {
    return await deps.store.transaction((tx) => begin(tx, begun));
  } catch (thrown) {
    // A connection that breaks while it commits leaves open whether it has.
    const known = isStoreFault(thrown) ? begun.as : null;
    if (known === null) throw thrown;
    const found = await deps.store.get("operation", scope, known.place.id);
    if (found?.value.owner !== known.place.owner) throw thrown;
    return known;
  }
}

/** The number of an operation, taken now if nobody was told one yet (OPS-39). */
export function numbered(
  deps: OperationDeps,
  place: OperationKey,
): Promise<Stored<OperationRecord> | null> {
  return deps.store.transaction(async (tx) => {
    const found = await tx.get("operation", place.scope, place.id);
    if (found === null || found.value.n !== null) return found;
    const n = await takeNumber(tx, place, found.value.holder);
    return changeOperation(tx, place, (record) => ({ ...record, n }));
  });
}
