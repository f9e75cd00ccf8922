import { randomUUID } from "node:crypto";
import type { Json } from "@plasm/core";
import { noteAudit } from "../../audit/audit-log.ts";
import { named } from "../../errors/arguments.ts";
import { fail, Failure } from "../../errors/problem.ts";
import { holderOfKey } from "../../identity/authenticator.ts";
import { type Caller, principalOf } from "../../identity/caller.ts";
import { tenantOfScope } from "../../identity/tenant-scope.ts";
import type { ScheduleCredential, ScheduleRecord, WatchState } from "../../records/schedules.ts";
import type { Store, Stored, StoreOps } from "../../store-port.ts";
import type { OperationDeps } from "../deps.ts";
import { catalogsGone, type OpenContext, openSaved } from "../saved/open-saved.ts";
import { SAVE_AGAIN } from "../saved/called-programs.ts";
import { findSaved, refuseKeeping } from "../saved/shelf.ts";
import { dryRun } from "../plan/plan-program.ts";
import type { SessionAddress } from "../../session/handles.ts";
import { locate } from "../../session/locate.ts";
import { nextLook, paused, rebased, timetables } from "./schedule-record.ts";
import { scheduleView, type ScheduleView, type WatchEvents } from "./schedule-views.ts";
import { eventsOf, readWatchKey } from "./watch.ts";
import type { WebhookRequest } from "@plasm/runtime/internal";
import { readWebhook, takeWebhook, type ToldWebhook, type WebhookPlace } from "./webhooks.ts";
import { followEvents, eventsSince, newestEvents, type SentWatchEvent } from "./watch-events.ts";

/** A schedule as it is asked for (SAV-17). */
export interface ScheduleRequest {
  readonly program?: unknown;
  readonly cron?: unknown;
  /** UTC without it */
  readonly zone?: unknown;
  readonly arguments?: unknown;
  /** whether its rows are compared with those of the time before (WATCH-01) */
  readonly watch?: unknown;
  /** the columns by which a watch knows rows again; the key of their entity without it */
  readonly key?: unknown;
  /** the webhook at which a watch reads, too (WATCH-07) */
  readonly webhook?: unknown;
}

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
  /** what a watch has found, after the event of that id */
  events(caller: Caller, id: string, after: string | null): Promise<WatchEvents>;
  /** the same, and what it finds from then on, until `signal` aborts */
  follow(
    caller: Caller,
    id: string,
    reader: { readonly after: string | null; readonly signal: AbortSignal },
  ): Promise<AsyncIterable<SentWatchEvent>>;
  /** takes a request by which an API says that something has changed; nobody's call, and proved by itself (WATCH-07) */
  told(place: WebhookPlace, request: WebhookRequest): Promise<ToldWebhook>;
}

/** How many a tenant may have. */
const MOST = 200;
/** Characters of its arguments as JSON. */
const MOST_ARGUMENTS = 8_192;
const DAY_MS = 86_400_000;
/** How long a schedule of somebody runs whom an issuer's token told us of: whether they still are somebody, nobody can ask. */
const TOKEN_DAYS = 90;

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

const viewOf = async (
  deps: OperationDeps,
  caller: Caller,
  one: ScheduleRecord,
): Promise<ScheduleView> =>
  scheduleView(
    one,
    caller.scope,
    one.owner === principalOf(caller),
    await problemNow(deps, caller.scope, one),
  );

async function watchFound(store: StoreOps, caller: Caller, id: string): Promise<ScheduleRecord> {
  const { value } = await found(store, caller, id);
  if (value.watch !== undefined) return value;
  throw fail("plasm-bad-request", `The schedule ${id} is no watch: nothing of it is compared.`);
}

/** What is known of a schedule without planning it. */
async function problemNow(
  deps: OperationDeps,
  scope: string,
  one: ScheduleRecord,
): Promise<string | null> {
  try {
    const owner = await ownerNow(deps.store, scope, one);
    await requireVersion(deps, owner, one);
    return null;
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.problem.text;
    throw thrown;
  }
}

/** Whether a caller sees a schedule: its owner does, and operators of its tenant do. */
const isSeenBy = (caller: Caller, { owner }: ScheduleRecord): boolean =>
  caller.anonymous !== true && (caller.oversees === true || owner === principalOf(caller));

async function visible(
  store: StoreOps,
  caller: Caller,
): Promise<readonly Stored<ScheduleRecord>[]> {
  const all = await store.list("schedule", caller.scope, "");
  return all.filter(({ value }) => isSeenBy(caller, value));
}

async function found(store: StoreOps, caller: Caller, id: string): Promise<Stored<ScheduleRecord>> {
  const one = await store.get("schedule", caller.scope, id);
  if (one === null || !isSeenBy(caller, one.value)) throw unknown(id);
  return one;
}

/** Changes one of the caller's, whatever a look of some process makes of it meanwhile. */
async function change(
  store: Store,
  caller: Caller,
  id: string,
  to: (record: ScheduleRecord, now: number) => ScheduleRecord,
): Promise<ScheduleRecord> {
  await found(store, caller, id);
  return store.transaction(async (tx) => {
    const stored = await tx.get("schedule", caller.scope, id);
    if (stored === null) throw unknown(id);
    const next = to(stored.value, tx.now());
    if (!(await tx.cas("schedule", caller.scope, id, stored.version, next))) {
      throw fail("plasm-busy", "The schedule changed meanwhile. Send the same call again.");
    }
    await tx.ageFrom("schedule", caller.scope, id, nextLook(next));
    await audit(tx, caller, "schedule_set", next);
    return next;
  });
}

async function watchOf(
  deps: OperationDeps,
  caller: Caller,
  address: SessionAddress,
  program: string,
  { watch, key, webhook }: ScheduleRequest,
): Promise<WatchState | null> {
  if (watch !== true) {
    const alone = key === undefined ? (webhook === undefined ? null : "webhook") : "key";
    if (alone === null && (watch === undefined || watch === false)) return null;
    throw fail(
      "plasm-bad-request",
      alone === null
        ? "watch is true or false."
        : `${alone} is of a watch: send it with watch true.`,
    );
  }
  const { view } = await locate(deps, caller, address);
  return {
    ...readWatchKey(program, view, key),
    reading: 0,
    rows: 0,
    last: null,
    ...(webhook === undefined ? {} : { webhook: readWebhook(view, webhook) }),
  };
}

async function create(
  deps: OperationDeps,
  openContext: OpenContext,
  caller: Caller,
  request: ScheduleRequest,
): Promise<ScheduleView> {
  const { store } = deps;
  refuseKeeping(caller, "schedule a saved program");
  const name = readName(request.program);
  const values = readArguments(request.arguments);
  const { scope } = caller;
  const { nextDue, readTimetable } = await timetables();
  const table = readTimetable(request.cron, request.zone, store.now());
  const { value: saved } = await findSaved(deps, caller, name);
  // It plans now, with these arguments, or it is refused now.
  const { session, program } = await openSaved(deps, openContext, caller, name, values);
  const address = { kind: "pair", ...session } as const;
  await dryRun(deps, caller, address, program);
  const watch = await watchOf(deps, caller, address, program, request);
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
    ...(watch === null ? {} : { watch }),
  };
  await store.transaction(async (tx) => {
    if ((await tx.list("schedule", scope, "")).length >= MOST) {
      throw fail(
        "plasm-quota-exceeded",
        `This tenant has ${MOST} schedules, as many as it may. Remove one first.`,
      );
    }
    await tx.insert("schedule", scope, record.id, record);
    await tx.ageFrom("schedule", scope, record.id, nextLook(record));
    await audit(tx, caller, "schedule_set", record);
  });
  return viewOf(deps, caller, record);
}

/** Goes on with one, with the program as it is saved now. */
async function resume(deps: OperationDeps, caller: Caller, id: string): Promise<ScheduleView> {
  const { store } = deps;
  refuseKeeping(caller, "resume a schedule");
  const { value } = await found(store, caller, id);
  if (value.owner !== principalOf(caller)) {
    throw fail(
      "plasm-policy-denied",
      `${id} is ${value.subject ?? "another caller"}'s, and runs with their rights: they resume it.`,
    );
  }
  const { version } = (await findSaved(deps, caller, value.name)).value;
  const { nextDue } = await timetables();
  const next = await change(store, caller, id, (record, now) => ({
    ...record,
    version,
    paused: false,
    ...rebased(record, version),
    credential: credentialOf(caller, now),
    next: record.paused ? nextDue(record, now) : record.next,
  }));
  return viewOf(deps, caller, next);
}

/** Removes one, with what it found. */
async function remove(deps: OperationDeps, caller: Caller, id: string): Promise<ScheduleView> {
  const { store } = deps;
  refuseKeeping(caller, "remove a schedule");
  const { value } = await found(store, caller, id);
  const view = await viewOf(deps, caller, value);
  await store.transaction(async (tx) => {
    await tx.delete("schedule", caller.scope, id);
    await tx.delete("watched", caller.scope, id);
    await tx.delete("wake", caller.scope, id);
    await tx.removeAll("watchEvent", caller.scope, eventsOf(id));
    await audit(tx, caller, "schedule_removed", value);
  });
  return view;
}

/** Schedules on a store. */
export function schedulesIn(deps: OperationDeps, openContext: OpenContext): Schedules {
  const { store } = deps;
  return {
    create: (caller, request) => create(deps, openContext, caller, request),
    list: async (caller, program) => {
      const views: ScheduleView[] = [];
      for (const { value } of await visible(store, caller)) {
        if (program === undefined || value.name === program)
          views.push(await viewOf(deps, caller, value));
      }
      return views;
    },
    find: async (caller, id) => viewOf(deps, caller, (await found(store, caller, id)).value),
    pause: async (caller, id) => {
      refuseKeeping(caller, "pause a schedule");
      const next = await change(store, caller, id, paused);
      return viewOf(deps, caller, next);
    },
    resume: (caller, id) => resume(deps, caller, id),
    remove: (caller, id) => remove(deps, caller, id),
    events: async (caller, id, after) =>
      eventsSince(deps, caller.scope, (await watchFound(store, caller, id)).id, after),
    follow: async (caller, id, reader) =>
      followEvents(deps, caller.scope, (await watchFound(store, caller, id)).id, reader),
    told: (place, request) => takeWebhook(deps, place, request),
  };
}

/**
 * A watch as its resource has it: what it compares, and what it has found after an event, or the newest (WATCH-06). Throws
 * plasm-unknown-handle, plasm-bad-request.
 */
export async function readWatch(
  deps: OperationDeps,
  caller: Caller,
  id: string,
  after: string | null,
) {
  const one = await watchFound(deps.store, caller, id);
  const { schedule_uuid, program, watch, problem, next_at } = await viewOf(deps, caller, one);
  const { events, forgotten } =
    after === null
      ? { events: await newestEvents(deps, caller.scope, id), forgotten: 0 }
      : await eventsSince(deps, caller.scope, id, after);
  const next = events.at(-1)?.id ?? after;
  return { schedule_uuid, program, ...watch, next_at, problem, events, forgotten, next };
}

/** Throws plasm-unknown-program or plasm-program-changed where its program is not what was scheduled any more (SAV-23). */
export async function requireVersion(
  deps: OperationDeps,
  owner: Caller,
  { name, version }: ScheduleRecord,
): Promise<void> {
  const { value } = await findSaved(deps, owner, name);
  if (value.version !== version) {
    throw fail(
      "plasm-program-changed",
      `${name} was saved again since it was scheduled. Resume the schedule to run what it is now.`,
    );
  }
  const [gone] = catalogsGone(deps.registry, value);
  if (gone === undefined) return;
  throw fail(
    "plasm-program-changed",
    `${name} was saved with ${gone}, which is not on offer any more. ${SAVE_AGAIN}`,
  );
}
