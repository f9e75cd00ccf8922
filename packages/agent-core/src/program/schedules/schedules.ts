import { randomUUID } from "node:crypto";
import type { Json } from "@plasm/core";
import { noteAudit } from "../../audit/audit-log.ts";
import { named } from "../../errors/arguments.ts";
import { fail, Failure } from "../../errors/problem.ts";
import { holderOfKey } from "../../identity/authenticator.ts";
import { type Caller, principalOf } from "../../identity/caller.ts";
import { tenantOfScope } from "../../identity/tenant-scope.ts";
import type {
  MissedRuns,
  ScheduleCredential,
  ScheduledRun,
  ScheduleRecord,
} from "../../records/schedules.ts";
import type { Stored, StoreOps } from "../../store-port.ts";
import type { OperationDeps } from "../deps.ts";
import { type OpenContext, openSaved } from "../saved/open-saved.ts";
import { findSaved, refuseKeeping } from "../saved/shelf.ts";
import { dryRun } from "../plan/plan-program.ts";
import { nextDue, readTimetable } from "./cron.ts";

/** A schedule as it is asked for (SAV-17). */
export interface ScheduleRequest {
  readonly program?: unknown;
  readonly cron?: unknown;
  /** UTC without it */
  readonly zone?: unknown;
  readonly arguments?: unknown;
}

/** One due time as a schedule shows what became of it. */
export type ScheduledRunView = {
  readonly due_at: string;
  readonly late: boolean;
  readonly state: ScheduledRun["state"];
  readonly ended_at: string | null;
  readonly plan_commit_ref: string | null;
  /** who decides on it does so by this uuid (OPS-36) */
  readonly commit_uuid: string | null;
  readonly waits_until: string | null;
  readonly operation_uuid: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly rows: number | null;
  readonly effects_done: number | null;
  readonly in_doubt: number | null;
};

/** Due times at which nothing was run. */
export type MissedView = {
  readonly count: number;
  /** there were more than are counted */
  readonly more: boolean;
  readonly from: string;
  readonly to: string;
  readonly why: MissedRuns["why"];
  /** the same in words */
  readonly text: string;
};

/** A schedule as it is shown (SAV-17). */
export type ScheduleView = {
  readonly schedule_uuid: string;
  readonly program: string;
  readonly version: string;
  readonly arguments: Readonly<Record<string, Json>>;
  readonly cron: string;
  readonly zone: string;
  readonly paused: boolean;
  readonly owner: string | null;
  readonly own: boolean;
  readonly created_at: string;
  readonly next_at: string | null;
  /** why the next run would be refused, as far as that is known now; null where nothing is */
  readonly problem: string | null;
  readonly current: ScheduledRunView | null;
  readonly runs: readonly ScheduledRunView[];
  readonly missed: readonly MissedView[];
};

/** Saved programs that are run at times (SAV-17 to SAV-23). Each call throws Failure. */
export interface Schedules {
  create(caller: Caller, request: ScheduleRequest): Promise<ScheduleView>;
  /** the caller's own, or for an operator all of the tenant; of one program alone where it is named */
  list(caller: Caller, program?: string): Promise<readonly ScheduleView[]>;
  find(caller: Caller, id: string): Promise<ScheduleView>;
  /** stops it; a run that waits for a person is given up */
  pause(caller: Caller, id: string): Promise<ScheduleView>;
  /** goes on with it, with the program as it is saved now */
  resume(caller: Caller, id: string): Promise<ScheduleView>;
  remove(caller: Caller, id: string): Promise<ScheduleView>;
}

/** How many a tenant may have. */
const MOST = 200;
/** Characters of its arguments as JSON. */
const MOST_ARGUMENTS = 8_192;
const DAY_MS = 86_400_000;
/** How long a schedule of somebody runs whom an issuer's token told us of: whether they still are somebody, nobody can ask. */
const TOKEN_DAYS = 90;
/** Later than any look: what is not due. */
const NEVER = 8_640_000_000_000_000;

/** Ended runs that are kept. */
const MOST_RUNS = 20;

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

const WHY: Readonly<Record<MissedRuns["why"], string>> = {
  nothing_ran: "no server ran",
  run_before: "the run before was not over",
};

function missedView({ count, more, from, to, why }: MissedRuns): MissedView {
  const text = `missed ${more ? "more than " : ""}${count} from ${iso(from)} to ${iso(to)}: ${WHY[why]}`;
  return { count, more, from: iso(from), to: iso(to), why, text };
}

function runView(run: ScheduledRun): ScheduledRunView {
  const { due, late, state, endedAt, ref, approval, operation } = run;
  const { code, message, rows, effectsDone, inDoubt } = run;
  return {
    due_at: iso(due),
    late,
    state,
    ended_at: isoOrNull(endedAt),
    plan_commit_ref: ref,
    commit_uuid: approval?.uuid ?? null,
    waits_until: isoOrNull(approval?.until ?? null),
    operation_uuid: operation?.uuid ?? null,
    code,
    message,
    rows,
    effects_done: effectsDone,
    in_doubt: inDoubt,
  };
}

/** The caller that a schedule's runs are of: its owner, with what its credential lets it do now. Throws Failure (SAV-18). */
export async function ownerNow(
  store: StoreOps,
  scope: string,
  { id, subject, service, credential }: ScheduleRecord,
): Promise<Caller> {
  const caller: Caller = {
    scope,
    subject,
    connection: null,
    requestId: `schedule ${id}`,
    ...(service ? { service } : {}),
  };
  switch (credential.kind) {
    case "none":
      return caller;
    case "token":
      if (store.now() < credential.until) return caller;
      throw fail(
        "plasm-unauthenticated",
        `Whether ${subject ?? "its owner"} may still call is not known after ${TOKEN_DAYS} days. Resume the schedule with a credential of its owner.`,
      );
    case "key": {
      const now = await holderOfKey(store, credential.id);
      if (now !== null && now.scope === scope && now.subject === subject)
        return { ...now, requestId: `schedule ${id}` };
      throw fail(
        "plasm-unauthenticated",
        `The key ${credential.id} with which this was scheduled is not valid any more. Resume the schedule with another key of ${subject ?? "its owner"}, or remove it.`,
      );
    }
  }
}

function credentialOf({ credential }: Caller, now: number): ScheduleCredential {
  if (credential === undefined) return { kind: "none" };
  return credential.kind === "key"
    ? credential
    : { kind: "token", until: now + TOKEN_DAYS * DAY_MS };
}

function readName(program: unknown): string {
  if (typeof program === "string" && program !== "") return program;
  throw fail("plasm-bad-request", "program is missing: the name of a saved program.");
}

function readArguments(given: unknown): Readonly<Record<string, Json>> {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw fail("plasm-bad-request", "arguments must be an object: for each parameter its value.");
  }
  const text = JSON.stringify(given);
  if (text.length > MOST_ARGUMENTS) {
    throw fail(
      "plasm-too-large",
      `arguments take ${text.length} characters; ${MOST_ARGUMENTS} may.`,
    );
  }
  return JSON.parse(text) as Readonly<Record<string, Json>>;
}

const audit = (
  tx: StoreOps,
  { scope, subject, actingFor, requestId }: Caller,
  kind: "schedule_set" | "schedule_removed",
  { id, name, cron, zone, paused, version, subject: owner }: ScheduleRecord,
): Promise<void> =>
  noteAudit(tx, tenantOfScope(scope), {
    kind,
    subject,
    acting_for: actingFor ?? null,
    target: id,
    request_id: requestId ?? null,
    detail: `${name}, version ${version.slice(0, 12)}, ${paused ? "paused" : `at ${cron} ${zone}`}, of ${owner ?? "nobody in particular"}`,
  });

const unknown = (id: string): Failure =>
  fail("plasm-unknown-handle", `No schedule ${named(id)}. GET /v1/schedules lists them.`);

/** Schedules on a store. */
export function schedulesIn(deps: OperationDeps, openContext: OpenContext): Schedules {
  const { store } = deps;

  const viewOf = async (caller: Caller, scope: string, one: ScheduleRecord) => {
    const { id, name, version, cron, zone, paused, subject, next, current, runs, missed } = one;
    return {
      schedule_uuid: id,
      program: name,
      version,
      arguments: one.arguments,
      cron,
      zone,
      paused,
      owner: subject,
      own: one.owner === principalOf(caller),
      created_at: iso(one.createdAt),
      next_at: isoOrNull(next),
      problem: await problemNow(scope, one),
      current: current === null ? null : runView(current),
      runs: runs.map(runView),
      missed: missed.map(missedView),
    };
  };

  /** What is known of a schedule without planning it. */
  async function problemNow(scope: string, one: ScheduleRecord): Promise<string | null> {
    try {
      const owner = await ownerNow(store, scope, one);
      await requireVersion(deps, owner, one);
      return null;
    } catch (thrown) {
      if (thrown instanceof Failure) return thrown.problem.text;
      throw thrown;
    }
  }

  async function visible(caller: Caller): Promise<readonly Stored<ScheduleRecord>[]> {
    if (caller.anonymous === true) return [];
    const principal = principalOf(caller);
    const all = await store.list("schedule", caller.scope, "");
    return all.filter(({ value }) => caller.oversees === true || value.owner === principal);
  }

  async function found(caller: Caller, id: string): Promise<Stored<ScheduleRecord>> {
    const one = (await visible(caller)).find((each) => each.id === id);
    if (one === undefined) throw unknown(id);
    return one;
  }

  /** Changes one of the caller's, whatever a look of some process makes of it meanwhile. */
  async function change(
    caller: Caller,
    id: string,
    to: (record: ScheduleRecord, now: number) => ScheduleRecord,
  ): Promise<ScheduleRecord> {
    await found(caller, id);
    return store.transaction(async (tx) => {
      const stored = await tx.get("schedule", caller.scope, id);
      if (stored === null) throw unknown(id);
      const next = to(stored.value, tx.now());
      if (!(await tx.cas("schedule", caller.scope, id, stored.version, next))) {
        throw fail("plasm-busy", "The schedule changed meanwhile. Send the same call again.");
      }
      await tx.ageFrom("schedule", caller.scope, id, lookAt(next));
      await audit(tx, caller, "schedule_set", next);
      return next;
    });
  }

  async function create(caller: Caller, request: ScheduleRequest): Promise<ScheduleView> {
    refuseKeeping(caller, "schedule a saved program");
    const name = readName(request.program);
    const values = readArguments(request.arguments);
    const { scope } = caller;
    const table = readTimetable(request.cron, request.zone, store.now());
    const { value: saved } = await findSaved(deps, caller, name);
    // It plans now, with these arguments, or it is refused now.
    const { session, program } = await openSaved(deps, openContext, caller, name, values);
    await dryRun(deps, caller, { kind: "pair", ...session }, program);
    const now = store.now();
    const record: ScheduleRecord = {
      id: randomUUID(),
      name,
      version: saved.version,
      arguments: values,
      ...table,
      paused: false,
      owner: principalOf(caller),
      subject: caller.subject,
      service: caller.service === true,
      credential: credentialOf(caller, now),
      createdAt: now,
      next: nextDue(table, now),
      current: null,
      runs: [],
      missed: [],
    };
    await store.transaction(async (tx) => {
      if ((await tx.list("schedule", scope, "")).length >= MOST) {
        throw fail(
          "plasm-quota-exceeded",
          `This tenant has ${MOST} schedules, as many as it may. Remove one first.`,
        );
      }
      await tx.insert("schedule", scope, record.id, record);
      await tx.ageFrom("schedule", scope, record.id, lookAt(record));
      await audit(tx, caller, "schedule_set", record);
    });
    return viewOf(caller, scope, record);
  }

  return {
    create,
    list: async (caller, program) => {
      const views: ScheduleView[] = [];
      for (const { value } of await visible(caller)) {
        if (program === undefined || value.name === program)
          views.push(await viewOf(caller, caller.scope, value));
      }
      return views;
    },
    find: async (caller, id) => viewOf(caller, caller.scope, (await found(caller, id)).value),
    pause: async (caller, id) => {
      refuseKeeping(caller, "pause a schedule");
      const next = await change(caller, id, paused);
      return viewOf(caller, caller.scope, next);
    },
    resume: async (caller, id) => {
      refuseKeeping(caller, "resume a schedule");
      const { value } = await found(caller, id);
      if (value.owner !== principalOf(caller)) {
        throw fail(
          "plasm-policy-denied",
          `${id} is ${value.subject ?? "another caller"}'s, and runs with their rights: they resume it.`,
        );
      }
      const { version } = (await findSaved(deps, caller, value.name)).value;
      const next = await change(caller, id, (record, now) => ({
        ...record,
        version,
        paused: false,
        credential: credentialOf(caller, now),
        next: record.paused ? nextDue(record, now) : record.next,
      }));
      return viewOf(caller, caller.scope, next);
    },
    remove: async (caller, id) => {
      refuseKeeping(caller, "remove a schedule");
      const { value } = await found(caller, id);
      const view = await viewOf(caller, caller.scope, value);
      await store.transaction(async (tx) => {
        await tx.delete("schedule", caller.scope, id);
        await audit(tx, caller, "schedule_removed", value);
      });
      return view;
    },
  };
}

/** A schedule that does nothing from now on. What has begun goes on; what waits for a person is given up. */
function paused(record: ScheduleRecord, now: number): ScheduleRecord {
  const { current } = record;
  const goesOn = current === null || current.state === "started";
  const next = { ...record, paused: true, next: null };
  if (goesOn) return next;
  const message = "It was paused before it began.";
  return over(next, { ...current, state: "refused", message, endedAt: now });
}

/** A schedule whose run is over. */
export const over = (record: ScheduleRecord, run: ScheduledRun): ScheduleRecord => ({
  ...record,
  current: null,
  runs: [run, ...record.runs].slice(0, MOST_RUNS),
});

/** How often a run that waits, or has begun, is looked at, in ms. */
const FOLLOW_MS = 5_000;

/** When a schedule is to be looked at next, by what it is. */
export function lookAt({ next, current }: ScheduleRecord, now = 0): number {
  const due = next ?? NEVER;
  return current === null ? due : Math.min(due, now + FOLLOW_MS);
}

/** Throws plasm-unknown-program or plasm-program-changed where its program is not what was scheduled any more (SAV-23). */
export async function requireVersion(
  deps: OperationDeps,
  owner: Caller,
  { name, version }: ScheduleRecord,
): Promise<void> {
  const { value } = await findSaved(deps, owner, name);
  if (value.version === version) return;
  throw fail(
    "plasm-program-changed",
    `${name} was saved again since it was scheduled. Resume the schedule to run what it is now.`,
  );
}
