import type { Policy, Quotas } from "@plasm/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boatsApi, type BoatsApi } from "../../test/boats-api.ts";
import { agentOn, engineOn } from "../../test/engine-on.ts";
import { testStore } from "../../test/test-store.ts";
import type { Engine } from "../engine.ts";
import { type Caller, LOCAL } from "../identity/caller.ts";
import type { MemoryStore } from "../memory-store/memory-store.ts";
import { quotaUse } from "./ledger.ts";

const READ = "Boat[id]";
const SCOPE = LOCAL.scope;
const BEA: Caller = { ...LOCAL, subject: "bea" };

let store: MemoryStore;
let api: BoatsApi;
let policy: Policy;
const engines: Engine[] = [];
beforeEach(() => {
  store = testStore();
  api = boatsApi(3);
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
});

/** A process on the store, whose callers have these quotas. */
function processWith(quotas?: Quotas): Engine {
  policy = quotas === undefined ? {} : { quotas };
  const engine = engineOn({ store, api, policies: { policyOf: () => policy } });
  engines.push(engine);
  return engine;
}

const used = async (id: string) => (await store.get("quota", SCOPE, id))?.value.day.used;

/** What the store has once every process has added what it counted. */
async function added(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_200));
}

describe("SURF-36 what is used of quotas", () => {
  it("is told by tenant, catalog and caller with when it begins again, of this window and tenant alone", async () => {
    const quotas: Quotas = {
      caller: { runs: { day: 4 } },
      tenant: { requests: { minute: 9, day: 90 } },
      apis: { quay: { rows: { day: 50 } } },
    };
    const engine = processWith(quotas);
    await (await agentOn(engine)).run(READ);
    await added();
    const told = async (tenant: string) =>
      (await quotaUse(store, tenant, quotas)).map(({ place, caller, used: n }) => [
        place,
        caller,
        n,
      ]);
    expect(await told(SCOPE)).toEqual([
      ["quotas.tenant.requests.minute", undefined, 1],
      ["quotas.tenant.requests.day", undefined, 1],
      ["quotas.apis.quay.rows.day", undefined, 3],
      ["quotas.caller.runs.day", LOCAL.subject, 1],
    ]);
    store.advance(60_000);
    expect((await told(SCOPE))[0]).toEqual(["quotas.tenant.requests.minute", undefined, 0]);
    expect(await told("other")).toEqual([
      ["quotas.tenant.requests.minute", undefined, 0],
      ["quotas.tenant.requests.day", undefined, 0],
      ["quotas.apis.quay.rows.day", undefined, 0],
    ]);
    const [first] = await quotaUse(store, SCOPE, quotas);
    expect(first?.ends_at).toBe("2026-01-05T10:02:00.000Z");
  });
});

describe("OPS-52 quotas", () => {
  it("nothing is counted, or written, where none is set", async () => {
    const agent = await agentOn(processWith());
    await agent.run(READ);
    await engines.pop()?.close();
    expect(await store.list("quota", SCOPE, "")).toEqual([]);
  });

  it("runs of a caller: which one is used up, when it ends, whom to ask; others and the next minute go on", async () => {
    const engine = processWith({ caller: { runs: { minute: 2 } } });
    const agent = await agentOn(engine);
    for (let n = 0; n < 2; n += 1) expect((await agent.run(READ)).problem).toBeNull();
    const before = api.asked.length;
    const { problem } = await agent.run(READ);
    expect(problem).toMatchObject({
      code: "plasm-quota-exceeded",
      status: 429,
      retryable: true,
      retryAfter: 60,
    });
    expect(problem?.text).toContain("2 runs a minute (quotas.caller.runs.minute)");
    expect(problem?.text).toContain("It begins again at 2026-01-05T10:01:00.000Z, in 60 s.");
    expect(problem?.text).toContain("in the policy of tenant anonymous");
    expect(api.asked).toHaveLength(before);
    const other = await agentOn(engine, "boats", BEA);
    expect((await other.run(READ)).problem).toBeNull();
    store.advance(60_000);
    expect((await agent.run(READ)).problem).toBeNull();
  });

  it("calls that come at once do not slip through together", async () => {
    const agent = await agentOn(processWith({ tenant: { runs: { day: 3 } } }));
    const all = await Promise.all(Array.from({ length: 8 }, () => agent.run(READ)));
    expect(all.filter(({ problem }) => problem === null)).toHaveLength(3);
  });

  it("two processes count for each other, a second later", async () => {
    const quotas: Quotas = { tenant: { runs: { day: 3 }, rows: { day: 100 } } };
    const [one, other] = [processWith(quotas), processWith(quotas)];
    const first = await agentOn(one);
    for (let n = 0; n < 3; n += 1) expect((await first.run(READ)).problem).toBeNull();
    await added();
    const second = await agentOn(other, "boats elsewhere");
    expect((await second.run(READ)).problem?.text).toContain("3 runs a day");
    expect(await used("tenant")).toEqual({ runs: 3, requests: 3, rows: 9 });
  });

  it("requests and rows of a catalog", async () => {
    const agent = await agentOn(processWith({ apis: { quay: { rows: { minute: 3 } } } }));
    expect((await agent.run(READ)).problem).toBeNull();
    expect((await agent.run(READ)).problem?.text).toContain(
      "this tenant on quay is used up: 3 rows a minute (quotas.apis.quay.rows.minute)",
    );
  });

  it("effects: a plan that has more than are left sends none, reads go on, and its ref is kept", async () => {
    const agent = await agentOn(processWith({ caller: { effects: { day: 2 } } }));
    const pings = (...ids: readonly string[]) => ids.map((id) => `Boat("${id}").ping()`).join("\n");
    expect((await agent.run(pings("b1"), { force: true })).problem).toBeNull();
    const planned = await agent.plan(pings("b1", "b2"));
    const planCommitRef = planned.meta["plan_commit_ref"];
    const { problem } = await agent.runPlanned(planCommitRef as string);
    expect(problem?.code).toBe("plasm-quota-exceeded");
    expect(api.performed).toEqual(["POST /boats/b1/ping"]);
    expect((await agent.run(READ)).problem).toBeNull();
    policy = { quotas: { caller: { effects: { day: 3 } } } };
    expect((await agent.runPlanned(planCommitRef as string)).problem).toBeNull();
    expect(api.performed).toHaveLength(3);
    const never = await agent.run(pings("b1", "b2", "b3", "b1"), { force: true });
    expect(never.problem).toMatchObject({ retryable: false });
    expect(never.text).toContain("This plan alone has 4: make it smaller.");
  });

  it("tokens that were answered, plans and contexts too", async () => {
    const engine = processWith({ caller: { tokens: { day: 10 } } });
    const agent = await agentOn(engine);
    expect((await agent.plan(READ)).problem?.text).toContain("10 tokens of answers a day");
  });

  it("what a process that ends has counted is kept", async () => {
    const agent = await agentOn(processWith({ caller: { requests: { day: 50 } } }));
    await agent.run(READ);
    await engines.pop()?.drain(0);
    expect(await used("caller/local")).toEqual({ runs: 1, requests: 1, rows: 3 });
  });
});

describe("OPS-53 a program that fails again and again", () => {
  it("is answered from the sixth time on with what was said, without a request, for a minute", async () => {
    const agent = await agentOn(processWith());
    const broken = 'Boat("nobody")[id]';
    for (let n = 0; n < 5; n += 1) await agent.run(broken);
    const before = api.asked.length;
    const { problem } = await agent.run(broken);
    expect(api.asked).toHaveLength(before);
    expect(problem?.text).toContain("failed 5 times in a row");
    expect(problem?.errors[0]?.code).toBe("not_found");
    expect(problem?.retryAfter).toBe(60);
    store.advance(60_001);
    await agent.run(broken);
    expect(api.asked).toHaveLength(before + 1);
    await agent.run(broken);
    expect(api.asked).toHaveLength(before + 1);
  });

  it("another program in between, or another caller, begins anew", async () => {
    const engine = processWith();
    const agent = await agentOn(engine);
    const other = await agentOn(engine, "boats", BEA);
    const broken = 'Boat("nobody")[id]';
    for (let n = 0; n < 4; n += 1) await agent.run(broken);
    await agent.run(READ);
    const before = api.asked.length;
    await agent.run(broken);
    for (let n = 0; n < 4; n += 1) await other.run(broken);
    await agent.run(broken);
    expect(api.asked).toHaveLength(before + 6);
  });

  it("effects are not sent again either", async () => {
    const agent = await agentOn(processWith());
    api.before = async ({ method }) => (method === "POST" ? { status: 422, json: {} } : null);
    for (let n = 0; n < 6; n += 1) await agent.run('Boat("b1").ping()', { force: true });
    expect(api.asked.filter(({ method }) => method === "POST")).toHaveLength(5);
  });
});
