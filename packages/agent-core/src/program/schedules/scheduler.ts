import { classify } from "../../errors/classify.ts";
import { fail, type Problem } from "../../errors/problem.ts";
import { isStoreFault } from "../../errors/store-faults.ts";
import type { Caller } from "../../identity/caller.ts";
import type { LiveOutcome } from "../../outcome.ts";
import type { SessionAddress } from "../../session/handles.ts";
import { tenantOfScope } from "../../identity/tenant-scope.ts";
import { noteNotice } from "../../notices/outbox.ts";
import type {
  ScheduledRun,
  ScheduleRecord,
  WatchedRows,
  WatchState,
} from "../../records/schedules.ts";
import type { Aged, Stored, StoreOps } from "../../store-port.ts";
import type { OperationDeps } from "../deps.ts";
import type { RunArguments } from "../run/run-request.ts";
import type { SavedPrograms } from "../saved/saved-programs.ts";
import { askedPlan } from "../gate/ask-operator.ts";
import { hasEnded } from "../operation/find-operation.ts";
import { type RowComparison, compareRows, comparedText, eventKey, watchPlace } from "./watch.ts";
import { noteRead, wokenSince, wokenWatches } from "./webhooks.ts";
import {
  nextLook,
  over,
  replaceSchedule,
  TakenError,
  withDue,
  withWoken,
} from "./schedule-record.ts";
import { ownerNow, requireVersion } from "./schedules.ts";

/** How often what is due is looked for, in ms. */
export const DUE_EVERY_MS = 5_000;
/** Until another process takes up what one that died was about to start, in ms: longer than planning takes. */
const CLAIM_MS = 60_000;
/** How long a run is tried that the server itself has no room for. */
const LONGEST_TRY_MS = 600_000;
const TRY_AGAIN_MS = 15_000;
/** How often a process says that it still reads, in ms. */
const RENEW_MS = 20_000;
/** Events of a watch that are kept. */
const MOST_KEPT = 10_000;
/** Characters of why a run was refused. */
const MOST_MESSAGE = 400;
const REFUSED = "plasm-approval-required";
const PORTION = 100;
/** Schedules of one look that are planned at a time. */
const AT_ONCE = 4;

/** A schedule that is to be looked at. */
type Waiting = Pick<Aged<ScheduleRecord>, "scope" | "id" | "version" | "value">;

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
      const woken = await wokenWatches(store, PORTION);
      const found: Waiting[] = [
        ...(await store.aged("schedule", store.now(), PORTION)),
        ...woken.map(({ scope, stored }) => ({ ...stored, scope })),
      ];
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
    const due = await withDue(await this.#settled(scope, value, now), now);
    const next = withWoken(due, await wokenSince(store, scope, due, now), now);
    const { current } = next;
    const begins = current?.state === "starting";
    const claimed = await store.transaction(async (tx) => {
      if (!(await tx.cas("schedule", scope, id, version, next))) return false;
      if (begins) await noteRead(tx, scope, next);
      await tx.ageFrom("schedule", scope, id, begins ? now + CLAIM_MS : nextLook(next, now));
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
    if (record.watch !== undefined)
      return this.#read(scope, { ...record, watch: record.watch }, version);
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
              await replaceSchedule(tx, scope, id, version, { ...record, current: started });
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

  /** Reads the rows of a watch, and keeps what has become of them (WATCH-02). */
  async #read(scope: string, record: ReadableWatch, version: number): Promise<void> {
    const { deps, engine } = this.#options;
    const { store } = deps;
    const { id, name, current, watch } = record;
    const { signal } = this.#stopped;
    // As long as it reads, no other process takes it for dead.
    const renewing = setInterval(() => {
      store.ageFrom("schedule", scope, id, store.now() + CLAIM_MS).catch(() => undefined);
    }, RENEW_MS);
    renewing.unref();
    try {
      const owner = await ownerNow(store, scope, record);
      await requireVersion(deps, owner, record);
      const { session, program } = await engine.programs.open(owner, name, record.arguments);
      const answer = await engine.run(
        owner,
        { kind: "pair", ...session },
        { program, wait: true, complete: true, signal, scheduled: NOTHING_BEGINS },
      );
      const [result, ...others] = answer.results;
      // A version that was saved since may give others (WATCH-09).
      if (result === undefined || others.length > 0) throw notOneResult(answer.results.length);
      const stored = await store.get("watched", scope, id);
      const before = watch.reading === 0 ? null : (stored?.value ?? null);
      const found = compareRows(
        id,
        { before, seq: stored?.value.seq ?? 0 },
        result,
        watch,
        store.now(),
      );
      await store.transaction((tx) => this.#found(tx, scope, record, version, stored, found));
      if (found.events.length > 0) deps.queue.announce(watchPlace(scope, id));
    } catch (thrown) {
      // What this process cannot end is another one's, at once.
      if (signal.aborted) await store.ageFrom("schedule", scope, id, store.now());
      else await this.#refused(scope, { ...record, current }, version, thrown);
    } finally {
      clearInterval(renewing);
    }
  }

  /** Keeps a reading, its events and what is told of them, all at once. */
  async #found(
    tx: StoreOps,
    scope: string,
    record: ReadableWatch,
    version: number,
    stored: Stored<WatchedRows> | null,
    found: RowComparison,
  ): Promise<void> {
    const { id, name, current, subject } = record;
    const { kept, events, counts } = found;
    const { reading, rows } = kept;
    const last = events.at(-1);
    const watch = {
      ...record.watch,
      reading,
      rows: Object.keys(rows).length,
      last: last?.id ?? record.watch.last,
    };
    const run = {
      ...current,
      state: "succeeded",
      endedAt: tx.now(),
      rows: watch.rows,
      message: comparedText(found),
    } as const;
    await replaceSchedule(tx, scope, id, version, over({ ...record, watch }, run));
    if (stored === null) await tx.insert("watched", scope, id, kept);
    else if (!(await tx.cas("watched", scope, id, stored.version, kept)))
      throw new TakenError("The rows were compared meanwhile");
    for (const event of events) {
      await tx.insert("watchEvent", scope, eventKey(id, event.seq), event);
      await tx.delete("watchEvent", scope, eventKey(id, event.seq - MOST_KEPT));
    }
    const [first] = events;
    if (first === undefined || last === undefined) return;
    // Mails are for those who decide.
    const targets = this.#options.deps.noticeTargets.filter((target) => target !== "email");
    await noteNotice(tx, targets, {
      type: "watch.changed",
      tenant: tenantOfScope(scope),
      subject,
      watch: {
        schedule_uuid: id,
        program: name,
        reading,
        ...counts,
        first_event_id: first.id,
        last_event_id: last.id,
      },
    });
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
      await store.transaction((tx) => replaceSchedule(tx, scope, record.id, version, record));
    } catch (cause) {
      if (!(cause instanceof TakenError))
        warn("What became of a schedule's run could not be kept", cause);
    }
  }
}

/** A watch that is about to be read. */
type ReadableWatch = ScheduleRecord & {
  readonly current: ScheduledRun;
  readonly watch: WatchState;
};

const notOneResult = (found: number) =>
  fail("plasm-run-failed", `A watch compares one result, and the program gave ${found}.`);

/** A reading is no operation: it is made again where it was not kept. */
const NOTHING_BEGINS = { begins: () => Promise.reject(new Error("A watch only reads")) };

/** The ref under which a plan waits for a person, and how that decides; null for any other problem. */
function waitingAs({ code, meta }: Problem): Pick<ScheduledRun, "ref" | "approval"> | null {
  const { plan_commit_ref: ref, plan_commit_expires_at: until, approval } = meta;
  if (code !== REFUSED || ref === undefined || until === undefined || approval === undefined) {
    return null;
  }
  return { ref, approval: { uuid: approval.commit_uuid, until: Date.parse(until) } };
}
