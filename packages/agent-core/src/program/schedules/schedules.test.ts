import type { Policy } from "@plasm/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type BoatsApi, boatsApi } from "../../../test/boats-api.ts";
import { changedQuay } from "../../../test/changed-entry.ts";
import { diesOnceClaimed } from "../../../test/dies-once-claimed.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { fixtureEntry } from "../../../test/fixture-entry.ts";
import { testStore } from "../../../test/test-store.ts";
import type { Engine } from "../../engine.ts";
import type { Caller } from "../../identity/caller.ts";
import { keysIn } from "../../identity/keys.ts";
import type { MemoryStore } from "../../memory-store/memory-store.ts";
import type { RegisteredCatalog } from "../../ports.ts";
import type { Notice } from "../../records/notices.ts";
import { approvalsIn } from "../gate/approvals.ts";
import type { ScheduleView } from "./schedule-views.ts";
import type { ScheduleRequest } from "./schedules.ts";

const ANN: Caller = { scope: "acme", subject: "ann", connection: null };
const BOB: Caller = { ...ANN, subject: "bob" };
const OLGA: Caller = { ...ANN, subject: "olga", oversees: true };
const OPERATOR = { scope: "acme", subject: "olga" };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const READS = 'state = "moored"\nboats = Boat{state=state}[id, name]\nboats';
const SENDS = 'b = Boat{state=moored}\nb => Boat(_.id).send(to="dock")';

let store: MemoryStore;
let api: BoatsApi;
let policy: Policy;
let offered: RegisteredCatalog;
let withdrawn: boolean;
const engines: Engine[] = [];
const told: Notice[] = [];

beforeEach(() => {
  store = testStore();
  api = boatsApi(3);
  policy = {};
  offered = fixtureEntry("quay");
  withdrawn = false;
  told.length = 0;
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
});

/** An engine on the store that looks all the time for what is due. */
function opened(): Engine {
  const engine = engineOn({
    store,
    api,
    policies: { policyOf: () => policy },
    lookEveryMs: 5,
    registry: {
      list: () => (withdrawn ? [] : [offered]),
      get: (id) => (id === "quay" && !withdrawn ? offered : undefined),
    },
    notices: [{ name: "hook", send: async (notice) => void told.push(notice) }],
  });
  engines.push(engine);
  return engine;
}

async function saves(engine: Engine, program: string, name = "moored", caller = ANN) {
  const agent = await agentOn(engine, "boats", caller);
  const planned = await agent.plan(program);
  const { meta } = await engine.context(caller, { intent: "boats" });
  const address = { kind: "ref", ref: meta.logical_session_ref ?? "" } as const;
  const parameters = program === READS ? ["state"] : [];
  return engine.programs.save(caller, address, {
    planCommitRef: planned.meta["plan_commit_ref"],
    name,
    parameters,
  });
}

const NEVER_MADE = "7e57ab1e-0000-4000-8000-000000000000";
/** Ends what hangs, however busy the machine is. */
const PATIENCE = { timeout: 20_000 };
const HOURLY: ScheduleRequest = { program: "moored", cron: "0 * * * *" };

const problem = async (engine: Engine, call: Promise<unknown>) =>
  call.then(
    () => null,
    (thrown: unknown) => engine.problemOf(thrown),
  );

/** The schedule once it is as it should be. */
async function until(
  engine: Engine,
  id: string,
  is: (view: ScheduleView) => boolean,
): Promise<ScheduleView> {
  return vi.waitFor(async () => {
    const view = await engine.schedules.find(ANN, id);
    if (is(view)) return view;
    // What has begun is looked at again a little later.
    if (view.current?.state === "started") store.advance(5_000);
    throw new Error(JSON.stringify(view));
  }, PATIENCE);
}

const ran =
  (count: number) =>
  ({ runs, current }: ScheduleView): boolean =>
    runs.length === count && current === null;

const operations = async () =>
  (await store.list("operation", "acme", "")).map(({ value }) => value.state);

/** Lets looks pass in which nothing may happen. */
const severalLooks = () => new Promise((resolve) => setTimeout(resolve, 40));

describe("SAV-17 a saved program is run at times", () => {
  it("with its arguments, by its owner, once each time", async () => {
    const engine = opened();
    await saves(engine, READS);
    const made = await engine.schedules.create(ANN, {
      ...HOURLY,
      zone: "Europe/Berlin",
      arguments: { state: "lost" },
    });
    expect(made).toMatchObject({
      program: "moored",
      cron: "0 * * * *",
      zone: "Europe/Berlin",
      arguments: { state: "lost" },
      owner: "ann",
      own: true,
      paused: false,
      next_at: "2026-01-05T11:00:00.000Z",
      problem: null,
      runs: [],
      missed: [],
    });
    await severalLooks();
    expect(await operations()).toEqual([]);
    store.advance(HOUR);
    await until(engine, made.schedule_uuid, ran(1));
    store.advance(HOUR);
    const { runs, next_at, missed } = await until(engine, made.schedule_uuid, ran(2));
    expect(runs).toMatchObject([
      { due_at: "2026-01-05T12:00:00.000Z", late: false, state: "succeeded" },
      { due_at: "2026-01-05T11:00:00.000Z", late: false, state: "succeeded" },
    ]);
    expect([next_at, missed]).toEqual(["2026-01-05T13:00:00.000Z", []]);
    const found = await engine.operations(ANN, { state: null, before: null });
    expect(found.operations.map((one) => one.operation_uuid)).toEqual(
      runs.map((one) => one.operation_uuid),
    );
    expect(found.operations[0]).toMatchObject({ subject: "ann", program: 'state = "lost"' });
  });

  it("is refused at once where it could not run", async () => {
    const engine = opened();
    await saves(engine, READS);
    const asked = (request: ScheduleRequest, caller = ANN) =>
      problem(engine, engine.schedules.create(caller, request)).then((one) => one?.code);
    expect(await asked({ ...HOURLY, program: "boats" })).toBe("plasm-unknown-program");
    expect(await asked({ ...HOURLY, arguments: { place: "x" } })).toBe("plasm-bad-request");
    expect(await asked({ ...HOURLY, arguments: { state: 5 } })).toBe("plasm-bad-request");
    expect(await asked({ ...HOURLY, cron: "hourly" })).toBe("plasm-bad-request");
    expect(await asked(HOURLY, BOB)).toBe("plasm-unknown-program");
    expect(await asked(HOURLY, { ...ANN, anonymous: true })).toBe("plasm-unauthenticated");
    const reader = { ...ANN, readsOnly: { lacks: "effects", stepUp: null } };
    expect(await asked(HOURLY, reader)).toBe("plasm-insufficient-scope");
    expect(await engine.schedules.list(ANN)).toEqual([]);
  });

  it("is its owner's: others find none, an operator sees and removes it", async () => {
    const engine = opened();
    await saves(engine, READS);
    const { schedule_uuid: id } = await engine.schedules.create(ANN, HOURLY);
    expect(await engine.schedules.list(BOB)).toEqual([]);
    const missing = await problem(engine, engine.schedules.find(BOB, id));
    const never = await problem(engine, engine.schedules.find(BOB, NEVER_MADE));
    expect(missing?.code).toBe("plasm-unknown-handle");
    expect(missing?.text.replace(id, NEVER_MADE)).toBe(never?.text);
    expect(await engine.schedules.list({ ...ANN, scope: "other" })).toEqual([]);
    expect(await engine.schedules.list(OLGA)).toMatchObject([
      { schedule_uuid: id, own: false, owner: "ann" },
    ]);
    const resumed = await problem(engine, engine.schedules.resume(OLGA, id));
    expect(resumed?.code).toBe("plasm-policy-denied");
    expect(await engine.schedules.pause(OLGA, id)).toMatchObject({ paused: true, next_at: null });
    await engine.schedules.remove(OLGA, id);
    expect(await engine.schedules.list(ANN)).toEqual([]);
    const kinds = (await store.list("auditEvent", "acme", "")).map(({ value }) => value.kind);
    const lines = (await store.list("auditLine", "acme", "")).map(({ value }) => value.kind);
    expect([...lines, ...kinds].filter((kind) => kind.startsWith("schedule"))).toEqual([
      "schedule_set",
      "schedule_set",
      "schedule_removed",
    ]);
  });

  it("does nothing while it is paused, and nothing of that time was missed", async () => {
    const engine = opened();
    await saves(engine, READS);
    const { schedule_uuid: id } = await engine.schedules.create(ANN, HOURLY);
    await engine.schedules.pause(ANN, id);
    store.advance(3 * HOUR + MINUTE);
    await severalLooks();
    const resumed = await engine.schedules.resume(ANN, id);
    expect(resumed).toMatchObject({ paused: false, next_at: "2026-01-05T14:00:00.000Z" });
    store.advance(HOUR);
    const { runs, missed } = await until(engine, id, ran(1));
    expect([runs[0]?.due_at, missed]).toEqual(["2026-01-05T14:00:00.000Z", []]);
  });
});

describe("SAV-19 each due time is one operation at most", () => {
  it("of two processes on one store, one begins it", async () => {
    const [engine] = [opened(), opened(), opened()];
    await saves(engine, READS);
    const { schedule_uuid: id } = await engine.schedules.create(ANN, {
      ...HOURLY,
      cron: "* * * * *",
    });
    for (let n = 1; n <= 5; n += 1) {
      store.advance(MINUTE);
      await until(engine, id, ran(n));
    }
    expect(await operations()).toEqual(Array.from({ length: 5 }, () => "succeeded"));
  });

  it("what a process left that died while it planned is begun by another", async () => {
    const engine = opened();
    await saves(engine, READS);
    const { schedule_uuid: id } = await engine.schedules.create(ANN, HOURLY);
    const death = diesOnceClaimed(store, "acme", id);
    store.advance(HOUR);
    await vi.waitFor(() => expect(death.isDead()).toBe(true), PATIENCE);
    await severalLooks();
    void engine.close();
    death.revive();
    const other = opened();
    await severalLooks();
    expect(await operations()).toEqual([]);
    store.advance(MINUTE + 1);
    const { runs } = await until(other, id, ran(1));
    expect(runs).toMatchObject([{ due_at: "2026-01-05T11:00:00.000Z", state: "succeeded" }]);
    expect(await operations()).toEqual(["succeeded"]);
  });
});

describe("SAV-21 nothing is lost in silence", () => {
  it("what was due while no process ran is told, and made up for once", async () => {
    const engine = opened();
    await saves(engine, READS);
    const { schedule_uuid: id } = await engine.schedules.create(ANN, HOURLY);
    await engine.close();
    engines.pop();
    store.advance(5 * HOUR + 10 * MINUTE);
    const later = opened();
    const { runs, missed, next_at } = await until(later, id, ran(1));
    expect(runs).toMatchObject([
      { due_at: "2026-01-05T15:00:00.000Z", late: true, state: "succeeded" },
    ]);
    expect(missed).toEqual([
      {
        count: 4,
        more: false,
        from: "2026-01-05T11:00:00.000Z",
        to: "2026-01-05T14:00:00.000Z",
        why: "nothing_ran",
        text: "missed 4 from 2026-01-05T11:00:00.000Z to 2026-01-05T14:00:00.000Z: no server ran",
      },
    ]);
    expect(next_at).toBe("2026-01-05T16:00:00.000Z");
    expect(await operations()).toEqual(["succeeded"]);
  });

  it("what comes due before the run before is over is told, and not run beside it", async () => {
    const engine = opened();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await saves(engine, READS);
    const { schedule_uuid: id } = await engine.schedules.create(ANN, HOURLY);
    api.before = async () => {
      await held;
      return null;
    };
    store.advance(HOUR);
    await until(engine, id, ({ current }) => current?.state === "started");
    for (let n = 1; n <= 3; n += 1) {
      store.advance(HOUR);
      await until(engine, id, ({ missed }) => missed[0]?.count === n);
    }
    release();
    store.advance(MINUTE);
    const { runs, missed } = await until(engine, id, ran(1));
    expect(runs[0]).toMatchObject({ due_at: "2026-01-05T11:00:00.000Z", state: "succeeded" });
    expect(missed).toMatchObject([
      {
        count: 3,
        from: "2026-01-05T12:00:00.000Z",
        to: "2026-01-05T14:00:00.000Z",
        why: "run_before",
      },
    ]);
  });
});

describe("SAV-20 nobody is there to review effects", () => {
  it("each run waits as a plan for a person, who is told, and runs when it is approved", async () => {
    const engine = opened();
    await saves(engine, SENDS);
    const { schedule_uuid: id } = await engine.schedules.create(ANN, HOURLY);
    store.advance(HOUR);
    const { current } = await until(engine, id, (view) => view.current?.state === "waiting");
    expect(current).toMatchObject({ plan_commit_ref: expect.stringMatching(/^pc\d+$/) });
    expect(await operations()).toEqual([]);
    const approvals = approvalsIn(store, ["hook"]);
    const [plan] = await approvals.list(OPERATOR);
    expect(plan).toMatchObject({ commit_uuid: current?.commit_uuid });
    await vi.waitFor(
      () => expect(told.map(({ type }) => type)).toEqual(["approval.requested"]),
      PATIENCE,
    );
    store.advance(MINUTE);
    await severalLooks();
    expect(api.performed).toEqual([]);
    await approvals.decide(OPERATOR, current?.commit_uuid ?? "", "approved", {});
    store.advance(MINUTE);
    const { runs } = await until(engine, id, ran(1));
    expect(runs[0]).toMatchObject({ state: "succeeded", effects_done: 3, in_doubt: 0 });
    expect(await operations()).toEqual(["succeeded"]);
  });

  it("a plan that is rejected, or that nobody decides on, is told as refused", async () => {
    const engine = opened();
    await saves(engine, SENDS);
    const { schedule_uuid: id } = await engine.schedules.create(ANN, {
      ...HOURLY,
      cron: "0 */6 * * *",
    });
    store.advance(2 * HOUR);
    await until(engine, id, (view) => view.current?.state === "waiting");
    store.advance(25 * HOUR);
    const { runs, missed } = await until(engine, id, ({ runs: all }) => all.length > 0);
    expect(runs.at(-1)).toMatchObject({
      state: "refused",
      code: "plasm-approval-required",
      message: "Nobody decided on its plan in time.",
    });
    const waits = await until(engine, id, (view) => view.current?.state === "waiting");
    expect(missed.length + waits.missed.length).toBeGreaterThan(0);
    const uuid = waits.current?.commit_uuid ?? "";
    await approvalsIn(store, []).decide(OPERATOR, uuid, "rejected", {});
    store.advance(MINUTE);
    const after = await until(engine, id, (view) => view.current === null);
    expect(after.runs[0]?.message).toBe("An operator has rejected its plan.");
    expect(await operations()).toEqual([]);
  });

  it("the version that policy lets run without review does, and no other", async () => {
    const engine = opened();
    const saved = await saves(engine, SENDS);
    policy = { programs: { moored: { version: saved.version, effects: 10 } } };
    const { schedule_uuid: id } = await engine.schedules.create(ANN, HOURLY);
    store.advance(HOUR);
    const { runs } = await until(engine, id, ran(1));
    expect(runs[0]).toMatchObject({ state: "succeeded", effects_done: 3 });
    policy = { programs: { moored: { version: "0".repeat(64), effects: 10 } } };
    store.advance(HOUR);
    await until(engine, id, (view) => view.current?.state === "waiting");
    expect(await operations()).toEqual(["succeeded"]);
  });
});

describe("SAV-23 what is not what was scheduled does not run, and says so", () => {
  const refusedFor = async (break_: (engine: Engine, id: string) => Promise<unknown>) => {
    const engine = opened();
    await saves(engine, READS);
    const { schedule_uuid: id } = await engine.schedules.create(ANN, HOURLY);
    await break_(engine, id);
    store.advance(HOUR);
    const view = await until(engine, id, ran(1));
    expect(await operations()).toEqual([]);
    return view;
  };

  it("a program that was removed", async () => {
    const { runs, problem: why } = await refusedFor((engine) =>
      engine.programs.remove(ANN, "moored"),
    );
    expect(runs[0]).toMatchObject({ state: "refused", code: "plasm-unknown-program" });
    expect(why).toContain("No saved program moored");
  });

  it("one whose catalog has changed", async () => {
    const { runs } = await refusedFor(async () => {
      offered = changedQuay((text) => text.replace("version: 1", "version: 2"));
    });
    expect(runs[0]).toMatchObject({ state: "refused", code: "plasm-program-changed" });
    expect(runs[0]?.message).toContain("changed since: quay");
  });

  it("one whose catalog has changed since its last run, a minute ago", async () => {
    const engine = opened();
    await saves(engine, READS);
    const minutely = { ...HOURLY, cron: "* * * * *" };
    const { schedule_uuid: id } = await engine.schedules.create(ANN, minutely);
    store.advance(MINUTE);
    await until(engine, id, ran(1));
    offered = changedQuay((text) => text.replace("version: 1", "version: 2"));
    store.advance(MINUTE);
    const { runs } = await until(engine, id, ran(2));
    expect(runs[0]).toMatchObject({ state: "refused", code: "plasm-program-changed" });
    expect(runs[1]).toMatchObject({ state: "succeeded" });
  });

  it("one whose catalog is gone, which is said before it is due", async () => {
    const engine = opened();
    await saves(engine, READS);
    const { schedule_uuid: id } = await engine.schedules.create(ANN, HOURLY);
    withdrawn = true;
    const [one] = await engine.schedules.list(ANN);
    expect(one?.problem).toContain("quay, which is not on offer any more");
    store.advance(HOUR);
    const { runs } = await until(engine, id, ran(1));
    expect(runs[0]).toMatchObject({ state: "refused", code: "plasm-program-changed" });
  });

  it("one that policy forbids now", async () => {
    const { runs } = await refusedFor(async () => {
      policy = { apis: { quay: { deny: ["boat_query"] } } };
    });
    expect(runs[0]).toMatchObject({ state: "refused", code: "plasm-unknown-program" });
  });

  it("one that was saved again, until the schedule is resumed", async () => {
    const {
      runs,
      problem: why,
      schedule_uuid: id,
    } = await refusedFor((engine) => saves(engine, `${READS}\n`.replace("moored", "lost")));
    expect(runs[0]).toMatchObject({ state: "refused", code: "plasm-program-changed" });
    expect(why).toContain("Resume the schedule");
    const [engine] = engines;
    if (engine === undefined) throw new Error("no engine");
    expect(await engine.schedules.resume(ANN, id)).toMatchObject({ problem: null });
    store.advance(HOUR);
    const { runs: after } = await until(engine, id, ran(2));
    expect(after[0]).toMatchObject({ state: "succeeded" });
  });
});

describe("SAV-18 it runs with its owner's rights as they are", () => {
  it("a key that was removed, or only reads by now, refuses it", async () => {
    const engine = opened();
    const keys = keysIn(store);
    const { record } = await keys.add({ tenant: "acme", subject: "ann", role: "agent" });
    const ann: Caller = { ...ANN, credential: { kind: "key", id: record.id } };
    await saves(engine, READS);
    const { schedule_uuid: id } = await engine.schedules.create(ann, HOURLY);
    store.advance(HOUR);
    expect((await until(engine, id, ran(1))).runs[0]).toMatchObject({ state: "succeeded" });
    await keys.remove(record.id);
    store.advance(HOUR);
    const { runs, problem: why } = await until(engine, id, ran(2));
    expect(runs[0]).toMatchObject({ state: "refused", code: "plasm-unauthenticated" });
    expect(why).toContain(
      `The key ${record.id} with which this was scheduled is not valid any more`,
    );
    const other = await keys.add({ tenant: "acme", subject: "ann", role: "agent" });
    const again: Caller = { ...ANN, credential: { kind: "key", id: other.record.id } };
    expect(await engine.schedules.resume(again, id)).toMatchObject({ problem: null });
    store.advance(HOUR);
    expect((await until(engine, id, ran(3))).runs[0]).toMatchObject({ state: "succeeded" });
  });

  it("whom a token told of runs it for 90 days, then has to come back", async () => {
    const engine = opened();
    await saves(engine, READS);
    const ann: Caller = { ...ANN, credential: { kind: "token" } };
    const { schedule_uuid: id } = await engine.schedules.create(ann, {
      ...HOURLY,
      cron: "0 7 1 * *",
    });
    store.advance(88 * 24 * HOUR);
    expect((await until(engine, id, ran(1))).runs[0]).toMatchObject({ state: "succeeded" });
    store.advance(30 * 24 * HOUR);
    const { runs } = await until(engine, id, ran(2));
    expect(runs[0]).toMatchObject({ state: "refused", code: "plasm-unauthenticated" });
    await engine.schedules.resume(ann, id);
    store.advance(30 * 24 * HOUR);
    expect((await until(engine, id, ran(3))).runs[0]).toMatchObject({ state: "succeeded" });
  });
});
