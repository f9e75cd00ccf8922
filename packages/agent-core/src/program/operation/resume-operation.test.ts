import type { TransportOutcome } from "@plasm/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import { type ApiReply, boatsApi, type BoatsApi } from "../../../test/boats-api.ts";
import { type Agent, agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import type { MemoryStore } from "../../memory-store/memory-store.ts";
import { changeOperation } from "./find-operation.ts";

const LEASE_MS = 30_000;
const PROGRAM = `Boat("b5").update(note="first")
Boat.limit(3) => Boat(_.id).ping()
Boat("b5").delete()`;

let store: MemoryStore;
let api: BoatsApi;
const engines: Engine[] = [];
const sleepers: (() => void)[] = [];
beforeEach(() => {
  store = testStore();
  api = boatsApi(5);
});
afterEach(async () => {
  for (const wake of sleepers.splice(0)) wake();
  for (const engine of engines.splice(0)) await engine.close();
});

function start(leaseMs = LEASE_MS): Engine {
  const engine = engineOn({ store, api, leaseMs });
  engines.push(engine);
  return engine;
}

interface Frozen {
  /** resolves when the nth write is about to be performed */
  readonly reached: Promise<void>;
  /** lets it, and what follows, go on */
  readonly wake: () => void;
}

/** Makes the process stand still at its nth write: before the API performs it, or after. */
function freezeAt(nth: number, when: "before" | "after" = "before"): Frozen {
  let wake: () => void = () => undefined;
  const asleep = new Promise<void>((resolve) => (wake = resolve));
  sleepers.push(wake);
  let writes = 0;
  const reached = new Promise<void>((resolve) => {
    api.before = async ({ method, path }): Promise<ApiReply | TransportOutcome | null> => {
      if (method === "GET") return null;
      writes += 1;
      if (writes !== nth) return null;
      if (when === "after") api.performed.push(`${method} ${path}`);
      resolve();
      await asleep;
      return when === "after" ? { status: 204 } : null;
    };
  });
  return { reached, wake };
}

async function frozenRun(nth: number, when: "before" | "after" = "before") {
  const agent = await agentOn(start());
  await agent.plan(PROGRAM);
  const { reached, wake } = freezeAt(nth, when);
  const run = agent.run(PROGRAM, { planCommitRef: "pc0", wait: true });
  await reached;
  return { run, wake };
}

const again = async (agent: Agent) => agent.run(PROGRAM, { planCommitRef: "pc0", wait: true });

describe("a run whose process died (OPS-32, OPS-39, F14, F24)", () => {
  it("names what is done, in doubt and not started, and repeats nothing", async () => {
    const { wake } = await frozenRun(3, "after");
    const there = await agentOn(start());
    store.advance(LEASE_MS);
    const told = await again(there);
    expect(told.text).toBe(`failed at n3: effect_in_doubt
effects: 2 done, 1 in doubt, 2 not started
done n1 update quay.Boat b5
done n3[0] ping quay.Boat b1
in doubt n3[1] ping quay.Boat b2
not started n3[2] ping quay.Boat b3
not started n4 delete quay.Boat b5
error effect_in_doubt at 2:18
Boat.limit(3) => Boat(_.id).ping()
                 ^^^^^^^^^^^^^^^^^
Whether ping Boat:b2 happened is unknown. The process that ran this plan ended before the plan did.
fix: look at Boat:b2 for what ping does; only then repeat what is missing, never the whole program; do not repeat line 1, its effect is done; do not repeat line 2 as it stands, 1 of its 3 effects is done
note: pc0 ran 30 s ago`);
    expect(told.problem).toMatchObject({ code: "plasm-upstream-error", status: 502 });
    expect(told.meta["effects"]).toMatchObject([
      { seq: 1, status: "done" },
      { seq: 2, status: "done" },
      { seq: 3, status: "in_doubt", error: { code: "effect_in_doubt" } },
      { seq: 4, status: "skipped", target: "Boat:b3" },
      { seq: 5, status: "skipped", target: "Boat:b5" },
    ]);
    const performed = [...api.performed];
    expect((await again(there)).text).toBe(told.text);
    wake();
    expect(api.performed).toEqual(performed);
  });

  it("of a for_each that never began, the plan's own words", async () => {
    await frozenRun(1, "after");
    const there = await agentOn(start());
    store.advance(LEASE_MS);
    const { text } = await again(there);
    expect(text).toContain(
      "effects: 1 in doubt, 2 not started\nin doubt n1 update quay.Boat b5\nnot started n3 ping quay.Boat\nnot started n4 delete quay.Boat b5\n",
    );
    expect(text).toContain("read Boat:b5 and compare note");
  });

  it("is found at the next start, without a call", async () => {
    await frozenRun(3, "after");
    store.advance(LEASE_MS);
    start();
    await expect
      .poll(async () => (await store.get("operation", "anonymous", await runId()))?.value.state)
      .toBe("failed");
    expect(await store.list("unfinished", "", "")).toEqual([]);
  });

  it("and while another process goes on, within a third of a lease", async () => {
    const there = start(300);
    await frozenRun(3, "after");
    store.advance(LEASE_MS);
    await expect
      .poll(async () => (await store.get("operation", "anonymous", await runId()))?.value.state)
      .toBe("failed");
    expect((await again(await agentOn(there))).text).toMatch(/^failed at n3: effect_in_doubt\n/);
  });

  it("two that find it tell the same", async () => {
    await frozenRun(2, "after");
    const there = await Promise.all([agentOn(start()), agentOn(start())]);
    store.advance(LEASE_MS);
    const [one, two] = await Promise.all(there.map(again));
    expect(one?.text).toBe(two?.text);
  });

  it("18.10 is taken over at once where the system says that its process is gone, whatever its lease", async () => {
    const gone = new Set<string>();
    const isGone = (id: string): boolean => gone.has(id);
    const as = (own: string) => ({ ...store, processes: { own, isGone } });
    const [first, second] = ["first", "second"].map((own) => {
      const engine = engineOn({ store: as(own), api, leaseMs: LEASE_MS });
      engines.push(engine);
      return agentOn(engine);
    });
    if (first === undefined || second === undefined) throw new Error("two processes");
    const [agent, there] = [await first, await second];
    await agent.plan(PROGRAM);
    const { reached } = freezeAt(3, "after");
    void agent.run(PROGRAM, { planCommitRef: "pc0", wait: true });
    await reached;
    gone.add("first");
    expect((await again(there)).text).toMatch(/^failed at n3: effect_in_doubt\n/);
    expect(api.performed).toHaveLength(3);
  });

  it("whose lease still holds is not taken over", async () => {
    const { wake, run } = await frozenRun(3);
    const there = await agentOn(start());
    store.advance(LEASE_MS - 1);
    const second = again(there);
    wake();
    expect((await second).text).toContain((await run).text);
    expect(api.performed).toHaveLength(5);
  });
});

/** The only run there is. */
async function runId(): Promise<string> {
  const [run] = await store.list("operation", "anonymous", "");
  if (run === undefined) throw new Error("no run has started");
  return run.id;
}

/** Claims the only run there is, as another process would whose own work on it takes its time. */
async function claimElsewhere(): Promise<void> {
  const other = { owner: "another process", leaseUntil: store.now() + LEASE_MS };
  await changeOperation(store, { scope: "anonymous", id: await runId() }, (record) => ({
    ...record,
    ...other,
  }));
}

describe("a paused owner (OPS-31)", () => {
  it("whose run was taken over sends nothing more", async () => {
    const { run, wake } = await frozenRun(2);
    store.advance(LEASE_MS);
    const told = await again(await agentOn(start()));
    expect(told.text).toContain("in doubt n3[0] ping quay.Boat b1");
    wake();
    await run;
    expect(api.performed).toEqual(["PATCH /boats/b5", "POST /boats/b1/ping"]);
    expect((await again(await agentOn(start()))).text).toBe(told.text);
  });

  it("18.8 whose lease lapsed goes on where nobody took its run, and nobody takes it from then on", async () => {
    const { run, wake } = await frozenRun(2);
    store.advance(LEASE_MS);
    const { reached, wake: wakeAgain } = freezeAt(1);
    wake();
    await reached;
    const there = again(await agentOn(start()));
    wakeAgain();
    const told = await run;
    expect(told.problem).toBeNull();
    expect(told.text).toContain("done ping quay.Boat ×3 b1 b2 b3\ndone delete quay.Boat b5");
    expect(api.performed).toHaveLength(5);
    expect((await there).text).toContain(told.text);
    expect(api.performed).toHaveLength(5);
  });

  it("stops its reads, too, once it notices", async () => {
    const agent = await agentOn(start(300));
    let wake: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    const reached = new Promise<void>((resolve) => {
      api.before = async ({ method }) => {
        if (method !== "GET") return null;
        resolve();
        await asleep;
        return null;
      };
    });
    const run = agent.run('x = Boat("b1")\nBoat("b2").update(note=x.name)\nBoat("b3")', {
      force: true,
    });
    await reached;
    await claimElsewhere();
    await new Promise((resolve) => setTimeout(resolve, 250));
    wake();
    const { text } = await run;
    expect(text).toContain("goes on");
    expect(api.asked.map(({ method }) => method)).toEqual(["GET"]);
  });
});
