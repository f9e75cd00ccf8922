import type { JsonObject } from "@plasm/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import { LOCAL } from "../../identity/caller.ts";
import type { Operator } from "../../identity/keys.ts";
import { boatsApi, type BoatsApi } from "../../../test/boats-api.ts";
import { type Agent, agentOn, engineOn, type Told } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import type { MemoryStore } from "../../memory-store/memory-store.ts";
import { changeOperation } from "./find-operation.ts";
import { setAsideOperationsIn } from "./set-aside.ts";

const LEASE_MS = 30_000;
const READS = "boats = Boat\nboats[id]";
const PAINTS = 'boats = Boat\nBoat("b1").update(note="painted")\nboats[id]';
const OPERATOR: Operator = { scope: LOCAL.scope, subject: "olga" };

let store: MemoryStore;
let api: BoatsApi;
const engines: Engine[] = [];
beforeEach(() => {
  store = testStore();
  api = boatsApi(3);
});
afterEach(async () => {
  stopHolding();
  for (const engine of engines.splice(0)) await engine.close();
});

let stopHolding: () => void = () => undefined;

let asked = 0;

/** Nothing is answered from the nth request on, as in a process that ends. */
function holdFrom(nth: number): void {
  const held = new Promise<null>((resolve) => {
    stopHolding = () => resolve(null);
  });
  asked = 0;
  api.before = async () => {
    asked += 1;
    return asked < nth ? null : held;
  };
}

function start(warned: string[] = [], leaseMs = LEASE_MS): Engine {
  const engine = engineOn({
    store,
    api,
    leaseMs,
    warn: (what) => void warned.push(what),
  });
  engines.push(engine);
  return engine;
}

const records = async () =>
  (await store.list("operation", LOCAL.scope, "")).map(({ value }) => value);

/** Waits until the only operation is so. */
async function until(so: (record: Awaited<ReturnType<typeof records>>[number]) => boolean) {
  await expect
    .poll(async () => (await records()).every(so), { timeout: 20_000, interval: 20 })
    .toBe(true);
}

/** The process that runs the operation is heard of no more; others look for what it left. */
async function die(times = 1): Promise<void> {
  for (let death = 1; death <= times; death += 1) {
    const [before] = await store.list("operation", LOCAL.scope, "");
    store.advance(LEASE_MS + 1);
    start();
    await until(({ owner }) => owner !== before?.value.owner);
  }
}

async function accepted(program = READS): Promise<Agent> {
  const agent = await agentOn(start());
  holdFrom(1);
  await agent.run(program, { force: true, wait: false });
  await until(({ state }) => state === "running");
  // What a run writes as it begins renews its lease: it has to have come as far as it will.
  await expect.poll(() => asked, { timeout: 20_000 }).toBeGreaterThan(0);
  return agent;
}

const uuidOf = (listed: JsonObject | undefined): string => {
  const uuid = listed?.["operation_uuid"];
  return typeof uuid === "string" ? uuid : "";
};

const wait = (agent: Agent, handle = "s0_o1"): Promise<Told> =>
  agent.run(`wait(${handle})`, { wait: true });

describe(
  "18.6 an operation that was under way when two processes ended",
  { timeout: 60_000 },
  () => {
    it("18.6 goes on after the first, which is counted", async () => {
      await accepted();
      await die();
      expect(await records()).toMatchObject([{ state: "running", deaths: 1, setAside: null }]);
      stopHolding();
      await until(({ state }) => state === "succeeded");
    });

    it("18.6 is set aside after the second, says so, and is asked for nothing more", async () => {
      await accepted();
      await die();
      const asked = api.asked.length;
      const warned: string[] = [];
      store.advance(LEASE_MS + 1);
      const agent = await agentOn(start(warned));
      const told = await wait(agent);
      expect(told.problem).toMatchObject({ code: "plasm-run-failed", retryable: false });
      expect(told.text).toContain("set_aside");
      expect(told.text).toContain("Set aside: was under way when two processes ended.");
      expect((await agent.run("wait(s0_o1)", { wait: false })).meta["op"]).toMatchObject({
        "~": "?",
      });
      store.advance(LEASE_MS + 1);
      start();
      expect(await wait(agent)).toEqual(told);
      expect(api.asked).toHaveLength(asked);
      const [{ uuid } = { uuid: "" }] = await records();
      expect(warned).toContain(`The operation ${uuid} was set aside`);
    });

    it("18.6 is counted and listed for operators of its tenant, who let it go on", async () => {
      await accepted();
      await die(2);
      await until(({ state }) => state === "failed");
      const operations = setAsideOperationsIn(store);
      const [listed, ...others] = await operations.list(OPERATOR);
      expect(others).toEqual([]);
      expect(listed).toMatchObject({
        state: "set_aside",
        reason: "set aside: was under way when two processes ended",
        deaths: 2,
        program: READS,
        effects_in_doubt: 0,
      });
      const uuid = uuidOf(listed);
      expect(await operations.list({ ...OPERATOR, scope: "acme" })).toEqual([]);
      expect(await operations.count()).toBe(1);
      await expect(operations.retry({ ...OPERATOR, scope: "acme" }, uuid)).rejects.toThrow(uuid);
      stopHolding();
      const again = await operations.retry(OPERATOR, uuid);
      expect(again).toMatchObject({
        state: "running",
        deaths: 0,
        retry_of: uuid,
        handle: "s0_o2",
        plan_commit_ref: listed?.["plan_commit_ref"],
      });
      expect(uuidOf(again)).not.toBe(uuid);
      const agent = await agentOn(start());
      expect((await wait(agent, "s0_o2")).text).toContain("b1");
      expect([await operations.list(OPERATOR), await operations.count()]).toEqual([[], 0]);
      await expect(operations.retry(OPERATOR, uuid)).rejects.toThrow(uuid);
    });

    it("18.6 OPS-12 keeps its answer when an operator lets it go on, and says what goes on in its place", async () => {
      const agent = await accepted(PAINTS);
      await die(2);
      await until(({ state }) => state === "failed");
      const before = await wait(agent);
      const [stored] = await records();
      const ref = stored?.ref ?? "";
      const operations = setAsideOperationsIn(store);
      const uuid = uuidOf((await operations.list(OPERATOR))[0]);
      stopHolding();
      const both = await Promise.allSettled([
        operations.retry(OPERATOR, uuid),
        operations.retry(OPERATOR, uuid),
      ]);
      expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      start();
      await wait(agent, "s0_o2");
      const note = "an operator let it go on as s0_o2: wait(s0_o2), and do not plan it again";
      const after = await wait(agent);
      expect(after.problem).toMatchObject({ code: before.problem?.code, retryable: false });
      expect(after.text).toBe(`${before.text}\nnote: ${note}`);
      expect(after.meta["op"]).toEqual(before.meta["op"]);
      const byRef = await agent.runPlanned(ref);
      expect(byRef.text).toContain(before.text);
      expect(byRef.text).toContain(note);
      expect(byRef.text).not.toContain("plan again to repeat it");
      const [kept, ...others] = (await records()).toSorted((a, b) => (a.n ?? 0) - (b.n ?? 0));
      expect(kept).toMatchObject({ state: "failed", answer: stored?.answer, event: stored?.event });
      expect(others).toMatchObject([{ n: 2, state: "succeeded", retryOf: uuid }]);
    });

    it("18.6 whose plan its caller has run again since does not go on: its effects would happen twice", async () => {
      const agent = await agentOn(start());
      const held = new Promise<null>((resolve) => {
        stopHolding = () => resolve(null);
      });
      api.before = async () => held;
      await agent.run(PAINTS, { force: true, wait: false });
      await until(({ state }) => state === "running");
      await die(2);
      await until(({ state }) => state === "failed");
      const before = api.performed.length;
      stopHolding();
      api.before = async () => null;
      await agent.run(PAINTS, { force: true });
      expect(api.performed).toHaveLength(before + 1);
      const operations = setAsideOperationsIn(store);
      const uuid = uuidOf((await operations.list(OPERATOR))[0]);
      await expect(operations.retry(OPERATOR, uuid)).rejects.toThrow("would happen twice");
      expect(api.performed).toHaveLength(before + 1);
    });

    it("18.6 performs none of its effects again when it is let go on", async () => {
      const agent = await agentOn(start());
      // The effect is done, and what is read after it is not answered.
      let asked = 0;
      const held = new Promise<null>((resolve) => {
        stopHolding = () => resolve(null);
      });
      api.before = async ({ method }) => {
        if (method !== "GET") asked += 1;
        return asked === 0 || method !== "GET" ? null : held;
      };
      const program = 'Boat("b1").update(note="painted")\nBoat("b2")[id, note]';
      await agent.run(program, { force: true, wait: false });
      await expect.poll(() => api.performed, { timeout: 10_000 }).toEqual(["PATCH /boats/b1"]);
      await die(2);
      await until(({ state }) => state === "failed");
      const told = await wait(agent);
      expect(told.text).toContain("done n1 update quay.Boat b1");
      const operations = setAsideOperationsIn(store);
      const [listed] = await operations.list(OPERATOR);
      expect(listed).toMatchObject({ effects_done: 1, effects_in_doubt: 0 });
      stopHolding();
      await operations.retry(OPERATOR, uuidOf(listed));
      start();
      expect((await wait(agent, "s0_o2")).text).toContain("b2");
      expect((await records()).map(({ state }) => state).toSorted()).toEqual([
        "failed",
        "succeeded",
      ]);
      expect(api.performed).toEqual(["PATCH /boats/b1"]);
    });

    it("18.6 with an effect in doubt says so, and cannot go on", async () => {
      await accepted('Boat("b1").update(note="painted")');
      const [open] = await store.list("operation", LOCAL.scope, "");
      await expect
        .poll(async () => (await store.list("effect", LOCAL.scope, "")).length, { timeout: 10_000 })
        .toBe(1);
      // As if the process before it had ended, too.
      await changeOperation(store, { scope: LOCAL.scope, id: open?.id ?? "" }, (record) => ({
        ...record,
        deaths: 1,
      }));
      store.advance(LEASE_MS + 1);
      const agent = await agentOn(start());
      const told = await wait(agent);
      expect(told.text).toContain("Set aside: was under way when two processes ended.");
      expect(told.text).toContain("in doubt");
      const operations = setAsideOperationsIn(store);
      const [listed] = await operations.list(OPERATOR);
      expect(listed).toMatchObject({ effects_in_doubt: 1 });
      const uuid = uuidOf(listed);
      await expect(operations.retry(OPERATOR, uuid)).rejects.toThrow("in doubt");
      stopHolding();
      expect(api.performed.length).toBeLessThanOrEqual(1);
    });

    it("18.6 that was only held up takes its death back", async () => {
      const agent = await agentOn(start([], 300));
      holdFrom(1);
      await agent.run(READS, { force: true, wait: false });
      await until(({ state }) => state === "running");
      // Another process has claimed it: the first notices when it renews its lease.
      const [open] = await store.list("operation", LOCAL.scope, "");
      const other = { owner: "another", leaseUntil: store.now() + LEASE_MS, deaths: 1 };
      const place = { scope: LOCAL.scope, id: open?.id ?? "" };
      await changeOperation(store, place, (record) => ({ ...record, ...other }));
      setTimeout(() => stopHolding(), 500);
      await until(({ deaths }) => deaths === 0);
      expect(await records()).toMatchObject([{ state: "running", owner: "another" }]);
    });
  },
);

describe("18.6 recovery is paced", { timeout: 60_000 }, () => {
  it("18.6 of what a dead process left one operation comes first, then two", async () => {
    const { OrphanScanner } = await import("./unfinished.ts");
    const agent = await agentOn(start());
    holdFrom(1);
    for (let at = 0; at < 4; at += 1) await agent.run(READS, { force: true, wait: false });
    await until(({ state }) => state === "running");
    store.advance(LEASE_MS + 1);
    const submitted: number[] = [];
    let round = 0;
    const queue = { submit: async () => void (submitted[round] = (submitted[round] ?? 0) + 1) };
    const leftovers = new OrphanScanner({
      store,
      queue: { ...queue, rest: async () => undefined } as never,
      everyMs: 60_000,
      warn: () => undefined,
    });
    leftovers.start();
    await expect.poll(() => submitted[0], { timeout: 5_000 }).toBe(1);
    round = 1;
    await expect.poll(() => submitted[1], { timeout: 10_000 }).toBe(2);
    round = 2;
    await expect.poll(() => submitted[2], { timeout: 10_000 }).toBe(4);
    await leftovers.end();
  });
});
