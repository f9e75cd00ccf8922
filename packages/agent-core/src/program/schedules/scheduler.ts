import { classify } from "../../errors/classify.ts";
import type { Problem } from "../../errors/problem.ts";
import { isStoreFault } from "../../errors/store-faults.ts";
import type { Caller } from "../../identity/caller.ts";
import type { LiveOutcome } from "../../outcome.ts";
import type { SessionAddress } from "../../session/handles.ts";
import type { MissedRuns, ScheduledRun, ScheduleRecord } from "../../records/schedules.ts";
import type { Aged, StoreOps } from "../../store-port.ts";
import type { OperationDeps } from "../deps.ts";
import type { RunArguments } from "../run/run-request.ts";
import type { SavedPrograms } from "../saved/saved-programs.ts";
import { askedPlan } from "../gate/ask-operator.ts";
import { hasEnded } from "../operation/find-operation.ts";
import { dueNow, nextDue } from "./cron.ts";
import { lookAt, over, ownerNow, requireVersion } from "./schedules.ts";

/** How often what is due is looked for, in ms. */
export const DUE_EVERY_MS = 5_000;
/** A due time that is seen to later than this was missed, and is made up for. */
const ON_TIME_MS = 120_000;
/** Until another process takes up what one that died was about to start, in ms: longer than planning takes. */
const CLAIM_MS = 60_000;
/** How long a run is tried that the server itself has no room for. */
const LONGEST_TRY_MS = 600_000;
const TRY_AGAIN_MS = 15_000;
/** Lists of due times that were missed. */
const MOST_MISSED = 10;
/** Characters of why a run was refused. */
const MOST_MESSAGE = 400;
const REFUSED = "plasm-approval-required";
const PORTION = 100;
/** Schedules of one look that are planned at a time. */
const AT_ONCE = 4;

type Waiting = Aged<ScheduleRecord>;

interface SchedulerOptions {
  readonly deps: OperationDeps;
  /** the calls of an engine, so that runs stand in traces and count as any */
  readonly engine: {
    run(caller: Caller, address: SessionAddress, request: RunArguments): Promise<LiveOutcome>;
    readonly programs: Pick<SavedPrograms, "open">;
  };
  readonly everyMs: number;
}

/**
 * Runs what is due of schedules as operations of their owners. Of any number of processes one begins a run: that the schedule has it is
 * written in the transaction in which its operation is stored. Where a process dies before, another takes the same due time up (SAV-19).
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  #isWarned = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => {
        if (!this.#stopped.signal.aborted) this.start();
      });
    }, this.#options.everyMs).unref();
  }

  /** Takes up nothing more; resolves when what was taken up has begun, or is left to others. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { store, warn } = this.#options.deps;
    try {
      const found = [...(await store.aged("schedule", store.now(), PORTION))];
      const takers = Array.from({ length: AT_ONCE }, async () => {
        for (let one = found.shift(); one !== undefined; one = found.shift()) {
          if (this.#stopped.signal.aborted) return;
          await this.#take(one);
        }
      });
      await Promise.all(takers);
      this.#isWarned = false;
    } catch (cause) {
      // Once an outage: what is due stays so.
      if (!this.#isWarned) warn("Schedules could not be looked at", cause);
      this.#isWarned = true;
    }
  }

  /** Brings a schedule up to now, and begins what is due of it. */
  async #take({ scope, id, version, value }: Waiting): Promise<void> {
    const { store } = this.#options.deps;
    const now = store.now();
    const next = withDue(await this.#settled(scope, value, now), now);
    const { current } = next;
    const begins = current?.state === "starting";
    const until = begins ? now + CLAIM_MS : lookAt(next, now);
    const claimed = await store.transaction(async (tx) => {
      if (!(await tx.cas("schedule", scope, id, version, next))) return false;
      await tx.ageFrom("schedule", scope, id, until);
      return true;
    });
    // Another process was quicker.
    if (claimed && begins) await this.#begin(scope, { ...next, current }, version + 1);
  }

  /** A schedule with what has become of the run that it has. */
  #settled(scope: string, record: ScheduleRecord, now: number): Promise<ScheduleRecord> {
    const { current } = record;
    if (current?.state === "started") return this.#ended(scope, record, current, now);
    if (current?.state === "waiting") return this.#decided(scope, record, current, now);
    return Promise.resolve(record);
  }

  /** The same of one that is an operation, as that ended. */
  async #ended(scope: string, record: ScheduleRecord, run: ScheduledRun, now: number) {
    const id = run.operation?.id ?? "";
    const found = await this.#options.deps.store.peek("operation", scope, id);
    if (found === null) {
      const message = "Its operation is kept no longer.";
      return over(record, { ...run, state: "failed", message, endedAt: now });
    }
    const { state, outcome, endedAt } = found.value;
    if (!hasEnded(state)) return record;
    return over(record, {
      ...run,
      state: state === "succeeded" || state === "cancelled" ? state : "failed",
      endedAt: endedAt ?? now,
      code: outcome?.code ?? null,
      rows: outcome?.rows ?? null,
      effectsDone: outcome?.effectsDone ?? null,
      inDoubt: outcome?.inDoubt ?? null,
    });
  }

  /** The same of one that waits for a person, as that has decided; its owner may have run the ref, too (SAV-20). */
  async #decided(
    scope: string,
    record: ScheduleRecord,
    run: ScheduledRun,
    now: number,
  ): Promise<ScheduleRecord> {
    const { store } = this.#options.deps;
    const asked = await askedPlan(store, scope, run.approval?.uuid ?? "");
    const refused = (message: string): ScheduleRecord =>
      over(record, { ...run, state: "refused", code: REFUSED, message, endedAt: now });
    if (asked === null) return refused("Its plan is kept no longer.");
    const { id, value } = asked.commit;
    if (value.state === "rejected") return refused("An operator has rejected its plan.");
    if (value.state === "consumed") {
      const found = await store.peek("operation", scope, id);
      const operation = { id, uuid: found?.value.uuid ?? "" };
      return { ...record, current: { ...run, state: "started", operation } };
    }
    if (value.expiresAt <= now) return refused("Nobody decided on its plan in time.");
    if (value.state === "waiting") return record;
    return { ...record, current: { ...run, state: "starting" } };
  }

  /** Plans and begins the run that a schedule has, as its owner may now. */
  async #begin(
    scope: string,
    record: ScheduleRecord & { readonly current: ScheduledRun },
    version: number,
  ): Promise<void> {
    const { deps, engine } = this.#options;
    const { id, name, current } = record;
    let begun = false;
    try {
      const owner = await ownerNow(deps.store, scope, record);
      await requireVersion(deps, owner, record);
      const { session, program } = await engine.programs.open(owner, name, record.arguments);
      await engine.run(
        owner,
        { kind: "pair", ...session },
        {
          program,
          wait: false,
          ...(current.ref === null ? {} : { planCommitRef: current.ref }),
          scheduled: {
            begins: async (tx, place, operation) => {
              const { uuid, ref } = operation;
              const started = {
                ...current,
                state: "started",
                operation: { id: place.id, uuid },
                ref,
              } as const;
              await replace(tx, scope, id, version, { ...record, current: started });
              begun = true;
            },
          },
        },
      );
      // Its owner has run the ref meanwhile, which the next look finds.
      if (!begun)
        await this.#keep(scope, version, { ...record, current: { ...current, state: "waiting" } });
    } catch (thrown) {
      await this.#refused(scope, record, version, thrown);
    }
  }

  /** Notes why a run has not begun: it waits, it is tried again, or that is its end. */
  async #refused(
    scope: string,
    record: ScheduleRecord & { readonly current: ScheduledRun },
    version: number,
    thrown: unknown,
  ): Promise<void> {
    // Taken up by another process, or the store is away: what is claimed is taken up again.
    if (thrown instanceof TakenError || isStoreFault(thrown)) return;
    const { deps } = this.#options;
    const now = deps.store.now();
    const problem = classify(thrown, deps.defect);
    const { current } = record;
    const waits = waitingAs(problem);
    if (waits !== null && (current.ref === null || current.ref === waits.ref)) {
      await this.#keep(scope, version, {
        ...record,
        current: { ...current, state: "waiting", ...waits },
      });
    } else if (problem.retryable && now - current.at < LONGEST_TRY_MS) {
      await deps.store.ageFrom("schedule", scope, record.id, now + TRY_AGAIN_MS);
    } else {
      const { code, text } = problem;
      const message = text.length > MOST_MESSAGE ? `${text.slice(0, MOST_MESSAGE)}…` : text;
      const run = { ...current, state: "refused", code, message, endedAt: now } as const;
      await this.#keep(scope, version, over(record, run));
    }
  }

  async #keep(scope: string, version: number, record: ScheduleRecord): Promise<void> {
    const { store, warn } = this.#options.deps;
    try {
      await store.transaction((tx) => replace(tx, scope, record.id, version, record));
    } catch (cause) {
      if (!(cause instanceof TakenError))
        warn("What became of a schedule's run could not be kept", cause);
    }
  }
}

/** Another process, or its owner, has changed the schedule meanwhile. */
class TakenError extends Error {
  override readonly name = "TakenError";
}

async function replace(
  tx: StoreOps,
  scope: string,
  id: string,
  version: number,
  record: ScheduleRecord,
): Promise<void> {
  if (!(await tx.cas("schedule", scope, id, version, record))) {
    throw new TakenError("The schedule was changed meanwhile");
  }
  await tx.ageFrom("schedule", scope, id, lookAt(record, tx.now()));
}

/** The ref under which a plan waits for a person, and how that decides; null for any other problem. */
function waitingAs({ code, meta }: Problem): Pick<ScheduledRun, "ref" | "approval"> | null {
  const { plan_commit_ref: ref, plan_commit_expires_at: until, approval } = meta;
  if (code !== REFUSED || ref === undefined || until === undefined || approval === undefined) {
    return null;
  }
  return { ref, approval: { uuid: approval.commit_uuid, until: Date.parse(until) } };
}

/** A schedule with what has become due of it (SAV-21): one run at most, and the rest told as missed. */
function withDue(record: ScheduleRecord, now: number): ScheduleRecord {
  const { next, current } = record;
  const due = next === null ? null : dueNow(record, next, now);
  if (due === null) return record;
  const after = { ...record, next: nextDue(record, now) };
  if (current !== null) {
    const { count, more, from } = due.missed ?? { count: 0, more: false, from: due.due };
    const skipped = { count: count + 1, more, from, to: due.due, why: "run_before" } as const;
    return { ...after, missed: withMissed(record.missed, skipped, current.due) };
  }
  const missed =
    due.missed === null
      ? record.missed
      : withMissed(record.missed, { ...due.missed, why: "nothing_ran" }, null);
  const late = now - due.due > ON_TIME_MS;
  return { ...after, missed, current: starting(due.due, late, now) };
}

const starting = (due: number, late: boolean, at: number): ScheduledRun => ({
  due,
  late,
  state: "starting",
  at,
  endedAt: null,
  ref: null,
  approval: null,
  operation: null,
  code: null,
  message: null,
  rows: null,
  effectsDone: null,
  inDoubt: null,
});

/** What was missed while one run was not over is one entry, however long that took. */
function withMissed(
  before: readonly MissedRuns[],
  missed: MissedRuns,
  during: number | null,
): readonly MissedRuns[] {
  const [last, ...others] = before;
  const goesOn = during !== null && last?.why === "run_before" && last.from > during;
  if (last === undefined || !goesOn) return [missed, ...before].slice(0, MOST_MISSED);
  const count = last.count + missed.count;
  return [{ ...last, count, more: last.more || missed.more, to: missed.to }, ...others];
}
