import { createHash, randomUUID } from "node:crypto";
import type { EndedRun, LiveOutcome } from "../../outcome.ts";
import { findOperation, operationHandle } from "../../artifacts/handles.ts";
import { refuseContinuing } from "../../artifacts/still-allowed.ts";
import { classify } from "../../errors/classify.ts";
import { fail } from "../../errors/problem.ts";
import { named } from "../../errors/arguments.ts";
import { type Caller, principalOf } from "../../identity/caller.ts";
import type { RunArguments } from "../run/run-request.ts";
import type { OperationKey } from "../../ports.ts";
import type { Stored } from "../../store-port.ts";
import type { OperationRecord, OperationState, TaskRecord } from "../../records/operations.ts";
import type { SessionAddress } from "../../session/handles.ts";
import { cancelOperation, END_MS, holdUntil } from "./wait-operation.ts";
import { handlePlace, hasEnded, locateOperation, refOf } from "./find-operation.ts";
import { endWith, readEnd } from "./operation-end.ts";
import { lineOf, statusMeta, statusOf } from "./status.ts";
import { stepOf } from "./report-status.ts";
import type { OperationDeps } from "../deps.ts";
import { runProgram } from "../run/run-program.ts";

/** How long a finished operation is kept at least, in ms (SESS-37): no task is promised for longer. */
const LONGEST_TTL_MS = 3_600_000;
/** Tasks that are listed, the newest. */
const MOST_LISTED = 100;

/** How an MCP task stands (OPS-26). */
export type TaskStatus = "working" | "completed" | "failed" | "cancelled";

/** How a task stands (OPS-26); times in ms. */
export interface TaskView {
  readonly taskId: string;
  readonly status: TaskStatus;
  /** the line of its operation, or what its end is in words */
  readonly message: string;
  readonly ttl: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A task as it begins: the acceptance of its operation, or the end it had at once. */
export interface StartedTask {
  readonly view: TaskView;
  readonly begun: EndedRun<LiveOutcome>;
}

/** What a call as a task asks for. */
export type TaskArguments = Omit<RunArguments, "wait" | "onProgress"> & {
  /** in ms; as long as may be without it */
  readonly ttl?: number;
};

/** Runs of programs as MCP tasks (OPS-26). A principal's tasks are its own: others' are unknown (SESS-38). */
export interface Tasks {
  /** Runs a program with `wait:false` after the gate. Never throws: a block is a task that has failed. */
  start(caller: Caller, address: SessionAddress, request: TaskArguments): Promise<StartedTask>;
  /** The task of a run that was accepted, by its handle: one and the same however often it is asked for (OPS-63). */
  adopt(caller: Caller, address: SessionAddress, handle: string): Promise<TaskView>;
  get(caller: Caller, taskId: string): Promise<TaskView>;
  /** Waits for the end and gives it, as a synchronous call would have been answered. */
  result(caller: Caller, taskId: string, signal?: AbortSignal): Promise<EndedRun>;
  list(caller: Caller): Promise<readonly TaskView[]>;
  /** Cancels it and gives the state reached, as `cancel(h)` does. Throws plasm-bad-request after its end. */
  cancel(caller: Caller, taskId: string): Promise<TaskView>;
}

const unknownTask = (taskId: string) => fail("plasm-unknown-handle", `No task ${named(taskId)}.`);

const STATUS = {
  accepted: "working",
  running: "working",
  succeeded: "completed",
  cancelled: "cancelled",
  failed: "failed",
} as const satisfies Readonly<Record<OperationState, TaskStatus>>;

const taskIdIn = (principal: string, uuid: string): string => `${principal}/${uuid}`;

const ttlOf = (asked: number | undefined): number =>
  asked === undefined ? LONGEST_TTL_MS : Math.min(LONGEST_TTL_MS, Math.max(0, asked));

/** A task with its operation, if it is one of those. */
interface Found {
  readonly task: TaskRecord;
  readonly place: OperationKey;
  readonly record: OperationRecord | null;
}

async function withOperation(
  deps: OperationDeps,
  { scope }: Caller,
  { value: task }: Stored<TaskRecord>,
): Promise<Found | null> {
  const place = { scope, id: task.operation ?? "" };
  if (task.operation === null) return { task, place, record: null };
  const stored = await deps.store.get("operation", scope, task.operation);
  return stored === null ? null : { task, place, record: stored.value };
}

/** Whether a task may still be asked for: until its time is over, and while it goes on. */
function isKept(deps: OperationDeps, { task, record }: Found): boolean {
  const over = task.createdAt + task.ttl <= deps.store.now();
  return !over || (record !== null && !hasEnded(record.state));
}

async function find(deps: OperationDeps, caller: Caller, taskId: string): Promise<Found> {
  const id = taskIdIn(principalOf(caller), taskId);
  const stored = await deps.store.get("task", caller.scope, id);
  const found = stored === null ? null : await withOperation(deps, caller, stored);
  if (found === null || !isKept(deps, found)) throw unknownTask(taskId);
  return found;
}

async function viewOf(deps: OperationDeps, found: Found): Promise<TaskView> {
  const { task, place, record } = found;
  const { uuid: taskId, ttl, createdAt } = task;
  if (record === null) {
    const { state: status, message } = task.ended ?? { state: "failed", message: "" };
    return { taskId, status, message, ttl, createdAt, updatedAt: createdAt };
  }
  const { state, endedAt, leaseUntil, n } = record;
  const ref = await refOf(deps, record.principal, record);
  const told = statusOf(record, stepOf(deps, place, record), null);
  // What is kept of a running one is when its owner last said that it runs it.
  const updatedAt = endedAt ?? Math.max(createdAt, leaseUntil - deps.leaseMs);
  const message = lineOf(operationHandle(ref, n ?? 0), told);
  return { taskId, status: STATUS[state], message, ttl, createdAt, updatedAt };
}

/** Keeps the end that a call had at once, so that it can be asked for as a task's. */
async function keepEnded(
  deps: OperationDeps,
  caller: Caller,
  end: EndedRun<LiveOutcome>,
  ttl: number,
): Promise<Found> {
  const { store } = deps;
  const bytes = Buffer.from(JSON.stringify(end), "utf8");
  const answer = createHash("sha256").update(bytes).digest("hex");
  await store.putBlob(answer, bytes);
  const principal = principalOf(caller);
  const text = end.kind === "answer" ? end.answer.text : end.problem.text;
  const [message = ""] = text.split("\n", 1);
  const task: TaskRecord = {
    uuid: randomUUID(),
    principal,
    operation: null,
    answer,
    ended: { state: end.kind === "answer" ? "completed" : "failed", message },
    ttl,
    createdAt: store.now(),
  };
  await store.insert("task", caller.scope, taskIdIn(principal, task.uuid), task);
  return { task, place: { scope: caller.scope, id: "" }, record: null };
}

/** The task of an accepted run; a consumed ref that is sent again is the task it was. */
async function keepAccepted(
  deps: OperationDeps,
  caller: Caller,
  address: SessionAddress,
  handle: string,
  ttl: number,
): Promise<Found> {
  const { store } = deps;
  const at = await handlePlace(deps, caller, address);
  const { id, value: record } = await findOperation(store, at, handle);
  const { principal } = at;
  const { uuid, startedAt: createdAt } = record;
  const task: TaskRecord = {
    uuid,
    principal,
    operation: id,
    answer: null,
    ended: null,
    ttl,
    createdAt,
  };
  await store.insert("task", caller.scope, taskIdIn(principal, uuid), task);
  return { task, place: { scope: caller.scope, id }, record };
}

async function start(
  deps: OperationDeps,
  caller: Caller,
  address: SessionAddress,
  { ttl: asked, ...request }: TaskArguments,
): Promise<StartedTask> {
  const ttl = ttlOf(asked);
  let answer: LiveOutcome;
  try {
    answer = await runProgram(deps, caller, address, { ...request, wait: false });
  } catch (thrown) {
    const end = { kind: "problem", problem: classify(thrown, deps.defect) } as const;
    return { view: await viewOf(deps, await keepEnded(deps, caller, end, ttl)), begun: end };
  }
  const begun = { kind: "answer", answer } as const;
  const found =
    answer.kind === "accepted"
      ? await keepAccepted(deps, caller, address, answer.accepted, ttl)
      : await keepEnded(deps, caller, begun, ttl);
  return { view: await viewOf(deps, found), begun };
}

/** The policy of now judges the end of a run, as it does where `wait(h)` asks for it (SURF-25). */
async function refuseForbidden(
  deps: OperationDeps,
  place: OperationKey,
  record: OperationRecord,
): Promise<void> {
  const at = await locateOperation(deps, place, record);
  if (at === null) return;
  const { program, session, digests } = record;
  refuseContinuing(at, { program, session, entryIds: Object.keys(digests) });
}

async function result(
  deps: OperationDeps,
  caller: Caller,
  taskId: string,
  signal?: AbortSignal,
): Promise<EndedRun> {
  const { task, place, record } = await find(deps, caller, taskId);
  if (record === null) {
    const end = await readEnd(deps, task.answer);
    if (end === null) throw unknownTask(taskId);
    return end;
  }
  await refuseForbidden(deps, place, record);
  const gone = AbortSignal.any([deps.stopping, ...(signal === undefined ? [] : [signal])]);
  for (;;) {
    const found = await holdUntil(deps, place, () => false, END_MS, gone);
    if (found === null) throw unknownTask(taskId);
    const { value } = found;
    if (hasEnded(value.state)) {
      const end = await readEnd(deps, value.answer);
      if (end === null) throw unknownTask(taskId);
      return endWith(end, statusMeta(statusOf(value, value.step, null)));
    }
    if (gone.aborted) throw fail("plasm-busy", `Task ${named(taskId)} goes on. Ask again.`);
  }
}

async function list(deps: OperationDeps, caller: Caller): Promise<readonly TaskView[]> {
  // Who cannot be told from others has no list (SESS-8).
  if (caller.anonymous === true) return [];
  const stored = await deps.store.list("task", caller.scope, `${principalOf(caller)}/`);
  const newest = stored.toSorted((a, b) => b.value.createdAt - a.value.createdAt);
  const views: TaskView[] = [];
  for (const one of newest) {
    const found = await withOperation(deps, caller, one);
    if (found !== null && isKept(deps, found)) views.push(await viewOf(deps, found));
    if (views.length === MOST_LISTED) break;
  }
  return views;
}

async function cancel(deps: OperationDeps, caller: Caller, taskId: string): Promise<TaskView> {
  const found = await find(deps, caller, taskId);
  const { record, task, place } = found;
  if (record === null || hasEnded(record.state)) {
    const status = record === null ? (task.ended?.state ?? "failed") : STATUS[record.state];
    throw fail("plasm-bad-request", `Task ${named(taskId)} has ended: ${status}.`);
  }
  const { holder: owner, principal, n } = record;
  const ref = await refOf(deps, principal, record);
  const at = { scope: place.scope, owner, principal, ref };
  await cancelOperation(deps, at, operationHandle(ref, n ?? 0));
  return viewOf(deps, await find(deps, caller, taskId));
}

/** Tasks on the operations of an engine. */
export const tasksIn = (deps: OperationDeps): Tasks => ({
  start: (caller, address, request) => start(deps, caller, address, request),
  adopt: async (caller, address, handle) =>
    viewOf(deps, await keepAccepted(deps, caller, address, handle, LONGEST_TTL_MS)),
  get: async (caller, taskId) => viewOf(deps, await find(deps, caller, taskId)),
  result: (caller, taskId, signal) => result(deps, caller, taskId, signal),
  list: (caller) => list(deps, caller),
  cancel: (caller, taskId) => cancel(deps, caller, taskId),
});
