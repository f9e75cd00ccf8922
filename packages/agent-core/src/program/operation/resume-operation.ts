import type { Plan } from "@plasm/core";
import type { EarlierAttempt, Limits } from "@plasm/runtime";
import { withBoundFiles } from "../plan/bound-files.ts";
import { compile } from "../plan/compile.ts";
import { planUndo } from "../plan/undo-plan.ts";
import { Failure, problem, type Problem } from "../../errors/problem.ts";
import { isStoreFault } from "../../errors/store-faults.ts";
import { type Abandoned, abandonedRun } from "../effects/abandoned-run.ts";
import { SHUTDOWN } from "../run/failed-run.ts";
import {
  leftOpen,
  type OwnedRun,
  readEarlier,
  readEffects,
  readExpected,
  writeEnds,
} from "../effects/effect-log.ts";
import type { Caller } from "../../identity/caller.ts";
import type { OperationKey } from "../../ports.ts";
import type { OperationRecord } from "../../records/operations.ts";
import type { ResolvedSession } from "../../session/locate.ts";
import { executeOperation } from "./execute-operation.ts";
import { keepEnd } from "./operation-end.ts";
import { callerOf, locateOperation } from "./find-operation.ts";
import type { OperationDeps } from "../deps.ts";
import { MOST_DEATHS, noteSetAside, SET_ASIDE } from "./set-aside.ts";
import { isFree, isOrphan, newAttempt } from "./unfinished.ts";

const NO_LABEL = (): null => null;

async function endAs(deps: OperationDeps, run: OwnedRun, told: Problem): Promise<void> {
  await keepEnd(deps, run, { kind: "problem", problem: told }, { labelOf: NO_LABEL });
}

/** Ends an operation that cannot go on, telling every effect of it (OPS-32, PLAN-072). */
async function abandon(
  deps: OperationDeps,
  run: OwnedRun,
  record: OperationRecord,
  why: Abandoned,
): Promise<void> {
  const log = await readEffects(deps.store, run);
  await endAs(deps, run, abandonedRun(record, log, await readExpected(deps.store, run), why));
}

/** The stored program as a plan again; null if it is no longer the one that was accepted (OPS-32). */
async function replan(
  deps: OperationDeps,
  run: OwnedRun,
  at: ResolvedSession,
  record: OperationRecord,
): Promise<Plan | null> {
  const { program, commit, ref, accounts = {} } = record;
  const read = compile(program, at.view);
  const compiled =
    read.kind === "undo"
      ? await planUndo(deps.store, run.scope, { ...at, accounts }, read, ref)
      : read;
  if (compiled.kind !== "plan") return null;
  const plan = await boundAgain(deps, callerOf(run, record, at), at, compiled.plan);
  return plan?.commit === commit ? plan : null;
}

/** A plan with the files that it names as they are now; null where one of them is gone, or may be sent no more (VAL-08). */
async function boundAgain(
  deps: OperationDeps,
  caller: Caller,
  at: ResolvedSession,
  plan: Plan,
): Promise<Plan | null> {
  try {
    return await withBoundFiles(deps, caller, at, plan);
  } catch (thrown) {
    if (thrown instanceof Failure) return null;
    throw thrown;
  }
}

/** The budgets of an operation; its record may be older than one of them (PLAN-053). */
const budgetsOf = ({ limits }: OperationDeps, { budget }: OperationRecord): Limits => ({
  ...budget,
  work: budget.work ?? limits.work,
});

/** What is left of an operation's wall time: recovery does not move its deadline (OPS-33), nor does a clock that is set back. */
function budgetLeft(deps: OperationDeps, record: OperationRecord): Limits {
  const gone = Math.max(0, deps.store.now() - record.startedAt) / 1000;
  const budget = budgetsOf(deps, record);
  return { ...budget, wall: Math.max(0, budget.wall - gone) };
}

async function goOn(
  deps: OperationDeps,
  run: OwnedRun,
  record: OperationRecord,
  earlier: EarlierAttempt | null,
): Promise<void> {
  const at = await locateOperation(deps, run, record);
  const plan = at === null ? null : await replan(deps, run, at, record);
  if (at === null || plan === null) return abandon(deps, run, record, "changed");
  const { complete, ref, accounts } = record;
  const summary = { ...plan.summary, budgets: budgetsOf(deps, record) };
  await executeOperation(deps, {
    run,
    record,
    effectRun: {
      caller: callerOf(run, record, at),
      at,
      plan: { ...plan, summary },
      minted: { ref, ...(accounts === undefined ? {} : { accounts }) },
      request: { complete, signal: deps.stopping },
      setting: { limits: budgetLeft(deps, record), started: record.run },
      earlier,
      resumable: true,
      leaseMs: deps.leaseMs,
    },
  });
}

/** Stores what the store refused of this process's own attempt; whether that is the end of the run. */
async function keepUnkept(
  deps: OperationDeps,
  run: OwnedRun,
  { holder }: OperationRecord,
  lastOwner: string,
): Promise<boolean> {
  const unkept = deps.unkept.get(run.id);
  deps.unkept.delete(run.id);
  // Where somebody else has gone on since, it is no longer true.
  if (unkept?.owner !== lastOwner) return false;
  const { end, effects } = unkept;
  try {
    await writeEnds(deps.store, run, holder, effects);
  } catch (thrown) {
    deps.unkept.set(run.id, { ...unkept, owner: run.owner });
    throw thrown;
  }
  if (end === null) return false;
  await keepEnd(deps, run, end, { labelOf: NO_LABEL });
  return true;
}

async function attempt(
  deps: OperationDeps,
  run: OwnedRun,
  record: OperationRecord,
  { state, owner: lastOwner }: OperationRecord,
): Promise<void> {
  try {
    if (await keepUnkept(deps, run, record, lastOwner)) return;
    const earlier = state === "running" ? await readEarlier(deps.store, run) : null;
    if (earlier !== null && leftOpen(earlier)) return await abandon(deps, run, record, "died");
    await goOn(deps, run, record, earlier);
  } catch (thrown) {
    // A store that cannot be used ends nothing: the operation is taken up again when it can.
    if (isStoreFault(thrown)) throw thrown;
    if (thrown instanceof Failure) return endAs(deps, run, thrown.problem);
    const id = deps.defect(thrown);
    const text = `Internal error ${id}. Report this id to the operator.`;
    await endAs(deps, run, problem("plasm-internal", text));
  }
}

/** How many processes have ended while they ran it; what this one was kept from storing is not among them. */
function deathsOf(
  { unkept }: OperationDeps,
  { id }: OperationKey,
  record: OperationRecord,
): number {
  const isOwn = unkept.get(id)?.owner === record.owner;
  return (record.deaths ?? 0) + (isOrphan(record) && !isOwn ? 1 : 0);
}

/**
 * Runs an operation that was accepted, or one whose owner's lease has lapsed: claims it, so that an old
 * owner sends nothing more, replans its program and goes on (OPS-31, OPS-32). One that was under way when two
 * processes ended is set aside. Does nothing for one that somebody else holds.
 */
export async function resumeOperation(deps: OperationDeps, place: OperationKey): Promise<void> {
  const { store } = deps;
  if (deps.stopping.reason === SHUTDOWN || deps.running.has(place.id)) return;
  const found = await store.get("operation", place.scope, place.id);
  if (found === null || !isFree(found.value, store)) return;
  const run = { ...place, owner: newAttempt(store) };
  const leaseUntil = store.now() + deps.leaseMs;
  const deaths = deathsOf(deps, place, found.value);
  const setAside = deaths < MOST_DEATHS ? null : store.now();
  const taken = { state: "running", owner: run.owner, leaseUntil, deaths, setAside } as const;
  const claimed = { ...found.value, ...taken };
  if (!(await store.cas("operation", place.scope, place.id, found.version, claimed))) return;
  if (setAside !== null) {
    await noteSetAside(store, place, setAside);
    await abandon(deps, run, claimed, "set_aside");
    deps.warn(`The operation ${claimed.uuid} was set aside`, SET_ASIDE);
    return;
  }
  await attempt(deps, run, claimed, found.value);
}
