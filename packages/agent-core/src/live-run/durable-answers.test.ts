import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../engine.ts";
import { boatsApi } from "../testing/boats-api.ts";
import { agentOn, engineOn, type Agent } from "../testing/engine-on.ts";
import { memoryStore } from "../testing/memory-store.ts";

let engine: Engine;
let agent: Agent;
/** What the disk does when it is asked. */
let disk: () => Promise<void>;
let warnings: string[];
beforeEach(async () => {
  disk = async () => undefined;
  warnings = [];
  engine = engineOn({
    store: { ...memoryStore(), durable: () => disk() },
    api: boatsApi(),
    warn: (what) => void warnings.push(what),
  });
  agent = await agentOn(engine);
});
afterEach(() => engine.close());

const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  "a run": () => agent.run("Boat.limit(2)[id]"),
  "a plan": () => agent.plan("Boat.limit(2)[id]"),
  "a program with a fault": () => agent.plan("Boat.limt(2)"),
};

describe("a call is answered when all that it wrote is durable (SESS-33)", () => {
  it.each(Object.entries(calls))("%s", async (_name, call) => {
    let ask: () => void = () => undefined;
    let take: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (ask = resolve));
    const taken = new Promise<void>((resolve) => (take = resolve));
    disk = () => {
      ask();
      return taken;
    };
    let answered = false;
    const answer = call().then(() => (answered = true));
    await asked;
    expect(answered).toBe(false);
    take();
    expect(await answer).toBe(true);
  });

  it("a disk that does not take a renewal costs no rows", async () => {
    disk = () => Promise.reject(new Error("no space"));
    expect((await agent.run("Boat.limit(2)[id]")).text).toContain("b1\nb2");
    expect(warnings).toEqual(["A session's renewal was not kept"]);
  });
});
