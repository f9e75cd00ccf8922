import { visible } from "@plasm/core/internal";
import { operationHandle } from "../../artifacts/handles.ts";
import { isForbidden } from "../../artifacts/still-allowed.ts";
import { noteAudit } from "../../audit/audit-log.ts";
import { named } from "../../errors/arguments.ts";
import { fail } from "../../errors/problem.ts";
import { type Caller, mayActFor, principalOf } from "../../identity/caller.ts";
import { insufficientScope } from "../../identity/token-claims.ts";
import { tenantOfScope } from "../../identity/tenant-scope.ts";
import type { OperationKey } from "../../ports.ts";
import type { OperationEnding, OperationRecord, OperationState } from "../../records/operations.ts";
import { slotRef } from "../../session/handles.ts";
import type { ListedTypes, Stored, StoreOps } from "../../store-port.ts";
import type { OperationDeps } from "../deps.ts";
import {
  ENDINGS,
  endedBefore,
  endedByUuid,
  type EndState,
  type OperationPosition,
} from "./ended-operations.ts";
import { changeOperation, hasEnded } from "./find-operation.ts";
import { isBefore, readRunsCursor, runsCursor } from "./list-runs.ts";
import { stepOf } from "./report-status.ts";
import { lineOf, statusOf } from "./status.ts";
import { holdUntil } from "./wait-operation.ts";
import { isoTime, isoTimeOrNull } from "../../answer/times.ts";

/** What operations are asked for by: a state of OPS-12, or all that have not ended. */
export const OPERATION_STATES = Object.freeze([
  "unfinished",
  "accepted",
  "running",
  "succeeded",
  "failed",
  "cancelled",
] as const);

/** Which operations are asked for, of those that the caller may see. */
export interface OperationsQuery {
  readonly state: (typeof OPERATION_STATES)[number] | null;
  /** `next` of the page before; the newest without it */
  readonly before: string | null;
}

/** An operation as a list of many sessions shows it: never a row or an answer of it (OPS-61). */
export type OperationRow = {
  readonly operation_uuid: string;
  /** as its own caller knows it; null if nobody was told one */
  readonly handle: string | null;
  readonly session: { readonly prompt_hash: string; readonly session: string };
  /** under which its session stands in `/v1/traces` */
  readonly trace_id: string;
  /** the run's, as nodes and requests of that trace name it */
  readonly run: string;
  /** who called; null where that is not known */
  readonly subject: string | null;
  readonly plan_commit_ref: string;
  readonly commit: string;
  readonly catalogs: readonly string[];
  /** the first line of its program that says something */
  readonly program: string;
  readonly state: OperationState;
  readonly cancel_requested: boolean;
  readonly set_aside: boolean;
  /** how it stands, in one line (OPS-18) */
  readonly line: string;
  readonly step: { readonly k: number; readonly of: number; readonly rows: number };
  /** sent so far; null in records of an earlier program */
  readonly requests: number | null;
  /** how many effects its plan has */
  readonly effects: number;
  readonly outcome: {
    readonly rows: number;
    readonly code: string | null;
    readonly effects_done: number;
    readonly in_doubt: number;
  } | null;
  readonly started_at: string;
  readonly ended_at: string | null;
};

/** A page of operations, the newest first. */
export type OperationList = {
  readonly operations: readonly OperationRow[];
  /** `before` of the page after; null where nothing is left to be looked at */
  readonly next: string | null;
};

/** What became of a cancel: it takes effect, an earlier one does, or there was nothing left to cancel. */
export type CancelledOperation = OperationRow & {
  readonly cancel: "requested" | "requested_before" | "ended_before";
};

type Listed = Stored<ListedTypes["operation"]>;

/** How many operations a page has. */
const MOST = 50;

/** Ended operations that are looked at for a page: of many that are others', few are found, and the page after goes on. */
const MOST_LOOKED = 2_000;

/** How long a cancel holds for the end, in ms (OPS-16). */
const HOLD_MS = 2_000;

/** Characters of a program's line. */
const LONGEST = 160;

/**
 * Whose an operation is (OPS-62): its caller's, as long as that may act for the user of its session where calls are
 * delegated; those of all callers are for operators. What a caller may not see is to it as what does not exist.
 */
function ownedBy(
  deps: OperationDeps,
  caller: Caller,
): (record: ListedTypes["operation"]) => Promise<boolean> {
  if (caller.oversees === true) return async () => true;
  if (caller.anonymous === true) return async () => false;
  const principal = principalOf(caller);
  const { delegated } = deps.delegation(caller);
  const users = new Map<string, Promise<string | null>>();
  const userOf = ({ session }: ListedTypes["operation"]): Promise<string | null> => {
    const name = `${session.promptHash}/${session.sessionId}`;
    const user =
      users.get(name) ??
      deps.store.session(caller.scope, session).then((found) => found?.subject ?? null);
    users.set(name, user);
    return user;
  };
  return async (record) => {
    if (record.principal !== principal) return false;
    if (!delegated) return true;
    const user = await userOf(record);
    return user === null || mayActFor(caller, user);
  };
}

/** Operations of a scope that have not ended: few, whoever has however many behind them. */
async function unfinishedIn(store: StoreOps, scope: string): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  for (const { value } of await store.list("unfinished", "", "")) {
    if (value.scope !== scope) continue;
    const operation = await store.peek("operation", scope, value.id);
    if (operation !== null && !hasEnded(operation.value.state)) found.push(operation);
  }
  return found;
}

const positionOf = ({ value }: Listed) => ({ at: value.startedAt, name: value.uuid });

/** The first line that says something: no blank one, and no comment. */
function firstLine(program: string): string {
  const lines = program.split("\n").map((line) => line.trim());
  const line = lines.find((one) => one !== "" && !one.startsWith(";;")) ?? "";
  const shown = visible(line);
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
}

const outcomeOf = ({ rows, code, effectsDone, inDoubt }: OperationEnding) => ({
  rows,
  code,
  effects_done: effectsDone,
  in_doubt: inDoubt,
});

async function rowOf(
  deps: OperationDeps,
  place: OperationKey,
  record: OperationRecord,
): Promise<OperationRow> {
  const { n, session, setAside = null, state } = record;
  const slot = n === null ? null : await deps.store.heldSlot(record.principal, record.holder);
  const handle = n === null ? null : operationHandle(slot === null ? null : slotRef(slot), n);
  const step = stepOf(deps, place, record);
  return {
    operation_uuid: record.uuid,
    handle,
    session: { prompt_hash: session.promptHash, session: session.sessionId },
    trace_id: record.holder,
    run: record.run.id,
    subject: record.subject,
    plan_commit_ref: record.ref,
    commit: record.commit,
    catalogs: Object.keys(record.digests),
    program: firstLine(record.program),
    state,
    cancel_requested: record.cancelRequested,
    set_aside: setAside !== null,
    line: lineOf(handle ?? record.ref, statusOf(record, step, null)),
    step: { k: step.k, of: step.of, rows: step.rows },
    requests: step.requests ?? null,
    effects: record.effects.length,
    outcome: record.outcome === null ? null : outcomeOf(record.outcome),
    started_at: isoTime(record.startedAt),
    ended_at: isoTimeOrNull(record.endedAt),
  };
}

/** The ways to end that are asked for. */
function endingsOf(state: OperationsQuery["state"]): readonly EndState[] {
  if (state === null) return ENDINGS;
  return ENDINGS.filter((one) => one === state);
}

/** What is looked at for a page, in the order of the list: what has not ended, which are few, among what has. */
async function* candidates(
  { store }: OperationDeps,
  { scope }: Caller,
  state: OperationsQuery["state"],
  from: OperationPosition | null,
): AsyncGenerator<Candidate> {
  const wantsOpen = state === null || !ENDINGS.some((one) => one === state);
  const all = wantsOpen ? await unfinishedIn(store, scope) : [];
  const open = all
    .filter(({ value }) => state === null || state === "unfinished" || value.state === state)
    .filter((one) => from === null || isBefore(positionOf(one), from))
    .toSorted((a, b) => (isBefore(positionOf(a), positionOf(b)) ? 1 : -1));
  const seen = new Set(open.map(({ id }) => id));
  let next = 0;
  for await (const one of endedBefore(store, scope, endingsOf(state), from)) {
    const at = { at: one.startedAt, name: one.uuid };
    for (let left = open[next]; left !== undefined; left = open[next]) {
      if (isBefore(positionOf(left), at)) break;
      yield { id: left.id, principal: left.value.principal, at: positionOf(left) };
      next += 1;
    }
    // One that has ended between the two looks is told once.
    if (!seen.has(one.operation)) yield { id: one.operation, principal: one.principal, at };
  }
  for (const left of open.slice(next)) {
    yield { id: left.id, principal: left.value.principal, at: positionOf(left) };
  }
}

interface Candidate {
  readonly id: string;
  readonly principal: string;
  readonly at: OperationPosition;
}

/**
 * `GET /v1/operations`: operations of all sessions, the newest first (OPS-61): a caller's own, without those on catalogs
 * that policy forbids now; an operator's of the whole tenant. Throws plasm-bad-request for a cursor that is none.
 */
export async function listOperations(
  deps: OperationDeps,
  caller: Caller,
  { state, before }: OperationsQuery,
): Promise<OperationList> {
  const from = before === null ? null : readRunsCursor(before);
  const { scope } = caller;
  const policy = await deps.policies.policyOf(scope);
  const isOwn = ownedBy(deps, caller);
  const isHidden = ({ digests, uses }: OperationRecord): boolean =>
    caller.oversees !== true && isForbidden(policy, Object.keys(digests), uses);
  const principal = caller.oversees === true ? null : principalOf(caller);
  const rows: OperationRow[] = [];
  let looked = 0;
  let last: OperationPosition | null = null;
  for await (const one of candidates(deps, caller, state, from)) {
    if (rows.length === MOST || looked === MOST_LOOKED) {
      return { operations: rows, next: last === null ? null : runsCursor(last) };
    }
    looked += 1;
    last = one.at;
    if (principal !== null && one.principal !== principal) continue;
    const found = await deps.store.get("operation", scope, one.id);
    if (found === null || isHidden(found.value) || !(await isOwn(found.value))) continue;
    rows.push(await rowOf(deps, { scope, id: one.id }, found.value));
  }
  return { operations: rows, next: null };
}

/** Looks where few are first. Foreign and unknown alike: throws plasm-unknown-handle. */
async function findByUuid(
  deps: OperationDeps,
  caller: Caller,
  uuid: string,
): Promise<OperationKey> {
  const { store } = deps;
  const { scope } = caller;
  const open = (await unfinishedIn(store, scope)).find(({ value }) => value.uuid === uuid);
  const id = open?.id ?? (await endedByUuid(store, scope, uuid));
  const found = id === null ? null : await store.peek("operation", scope, id);
  if (found !== null && (await ownedBy(deps, caller)(found.value))) return { scope, id: found.id };
  throw fail("plasm-unknown-handle", `No operation ${named(uuid)}. GET /v1/operations lists them.`);
}

/** A credential that only reads stops nothing that others wait for (OPS-62). */
function refuseReader({ readsOnly }: Caller): void {
  if (readsOnly === undefined) return;
  const { lacks, stepUp } = readsOnly;
  throw insufficientScope(
    `To cancel an operation changes something, and the credential of this call lacks the scope ${lacks}. Nothing was cancelled.`,
    stepUp,
  );
}

const gone = (uuid: string) =>
  fail("plasm-unknown-handle", `The operation ${named(uuid)} is kept no longer.`);

/** `GET /v1/operations/{uuid}`. Throws plasm-unknown-handle. */
export async function readOperation(
  deps: OperationDeps,
  caller: Caller,
  uuid: string,
): Promise<OperationRow> {
  const place = await findByUuid(deps, caller, uuid);
  const found = await deps.store.get("operation", place.scope, place.id);
  if (found === null) throw gone(uuid);
  return rowOf(deps, place, found.value);
}

function lookAt({ state, cancelRequested }: OperationRecord): CancelledOperation["cancel"] {
  if (hasEnded(state)) return "ended_before";
  return cancelRequested ? "requested_before" : "requested";
}

/**
 * `POST /v1/operations/{uuid}/cancel`: as `cancel(h)` (OPS-16), by whoever may: its caller, or an operator of the tenant
 * (OPS-62). The flag and its line of the audit log are one transaction; whichever process runs it hears of it. Answers
 * the state reached after at most 2 s. Throws plasm-unknown-handle, and plasm-insufficient-scope for who only reads.
 */
export async function cancelByUuid(
  deps: OperationDeps,
  caller: Caller,
  uuid: string,
): Promise<CancelledOperation> {
  refuseReader(caller);
  const place = await findByUuid(deps, caller, uuid);
  const cancel = await deps.store.transaction(async (tx): Promise<CancelledOperation["cancel"]> => {
    const looks: CancelledOperation["cancel"][] = [];
    const changed = await changeOperation(tx, place, (record) => {
      const look = lookAt(record);
      looks.push(look);
      return look === "requested" ? { ...record, cancelRequested: true } : null;
    });
    if (changed === null) throw gone(uuid);
    const reached = looks.at(-1) ?? "ended_before";
    if (reached !== "requested") return reached;
    const { ref, commit, subject } = changed.value;
    await noteAudit(tx, tenantOfScope(place.scope), {
      kind: "operation_cancelled",
      subject: caller.subject,
      acting_for: caller.actingFor ?? null,
      target: uuid,
      plan_commit_ref: ref,
      commit,
      operation_uuid: uuid,
      request_id: caller.requestId ?? null,
      detail: `operation of ${subject ?? "nobody in particular"}`,
    });
    return reached;
  });
  deps.queue.announce(place);
  const found = await holdUntil(deps, place, () => false, cancel === "ended_before" ? 0 : HOLD_MS);
  if (found === null) throw gone(uuid);
  return { ...(await rowOf(deps, place, found.value)), cancel };
}
