import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "@plasm/runtime";
import { boatsApi } from "../../../test/boats-api.ts";
import { type Agent, agentOn, engineOn } from "../../../test/engine-on.ts";
import { holdRequests } from "../../../test/hold-requests.ts";
import { testStore } from "../../../test/test-store.ts";
import type { Engine } from "../../engine.ts";

const EXPENSIVE = "old = Boat{built<2015-01-01}\nold";
const HELD = { text: "wait(s0_o1) · verdict ok · plan `pc0`" };

let engine: Engine;
afterEach(() => engine.close());

/** An agent whose accepted runs are awaited until `lapse` is called, which is all the time that passes. */
async function opened() {
  const api = boatsApi();
  const sleepers = new Set<() => void>();
  const held: number[] = [];
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      held.push(ms);
      sleepers.add(resolve);
      if (signal?.aborted === true) resolve();
      signal?.addEventListener("abort", () => resolve());
    });
  const lapse = (): void => {
    for (const wake of sleepers) wake();
    sleepers.clear();
  };
  const clock = { ...systemClock, sleep };
  engine = engineOn({ store: testStore(), api, clock, answerHoldMs: 1_500 });
  const agent: Agent = await agentOn(engine);
  return { api, agent, lapse, held };
}

describe("OPS-13: an accepted run that ends at once answers its rows", () => {
  it("with the block of its operation, as wait(h) does", async () => {
    const { agent, held } = await opened();
    const told = await agent.run(EXPENSIVE, { force: true });
    expect(told.text).toMatch(/^old · 3 rows/);
    expect(told.meta["op"]).toMatchObject({ "~": "!", r: 3 });
    expect(await agent.run("wait(s0_o1)")).toEqual(told);
    expect(held).toContain(1_500);
  });

  it("its handle, once that time is over", async () => {
    const { api, agent, lapse } = await opened();
    const { reached, letGo } = holdRequests(api, "reads");
    const answer = agent.run(EXPENSIVE, { force: true });
    await reached;
    lapse();
    expect(await answer).toMatchObject(HELD);
    letGo();
    expect((await agent.run("wait(s0_o1)", { wait: true })).text).toMatch(/^old · 3 rows/);
  });

  it("its failure, as the run has it", async () => {
    const { api, agent } = await opened();
    api.before = async () => ({ status: 422, json: { error: "no" } });
    const told = await agent.run(EXPENSIVE, { force: true });
    expect(told.problem?.code).toBe("plasm-upstream-error");
    expect(told.meta["op"]).toMatchObject({ "~": "?" });
  });

  it("wait:false asks for the handle, and has it at once", async () => {
    const { api, agent } = await opened();
    const { letGo } = holdRequests(api, "reads");
    expect(await agent.run(EXPENSIVE, { force: true, wait: false })).toMatchObject(HELD);
    letGo();
  });

  it("OPS-11 a caller that cancels meanwhile, and has no handle, ends the run", async () => {
    const { api, agent } = await opened();
    const { reached, letGo } = holdRequests(api, "reads");
    const call = new AbortController();
    const answer = agent.run(EXPENSIVE, { force: true, signal: call.signal });
    await reached;
    call.abort();
    await answer;
    letGo();
    expect((await agent.run("wait(s0_o1)", { wait: true })).problem?.text).toContain("cancelled");
  });

  it("OPS-15 wait(h) awaits the end before it tells news", async () => {
    const { api, agent } = await opened();
    const { reached, letGo } = holdRequests(api, "reads");
    await agent.run(EXPENSIVE, { force: true, wait: false });
    const waiting = agent.run("wait(s0_o1)");
    await reached;
    letGo();
    expect((await waiting).text).toMatch(/^old · 3 rows/);
  });
});
