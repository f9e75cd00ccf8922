import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import { LOCAL } from "../../identity/caller.ts";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn, type Agent } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";

let engine: Engine;
let agent: Agent;
/** What the disk does when it is asked. */
let disk: () => Promise<void>;
let warnings: string[];
beforeEach(async () => {
  disk = async () => undefined;
  warnings = [];
  engine = engineOn({
    store: { ...testStore(), durable: () => disk() },
    api: boatsApi(),
    warn: (what) => void warnings.push(what),
  });
  agent = await agentOn(engine);
});
afterEach(() => engine.close());

const PING_AND_READ = 'Boat("b1").ping()\nBoat.limit(2)[id]';

const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  "a run with an effect": () => agent.run('Boat("b1").ping()', { force: true }),
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

  it("a disk that does not take a renewal costs no plan", async () => {
    disk = () => Promise.reject(new Error("no space"));
    expect((await agent.plan("Boat.limit(2)[id]")).text).toContain("plan ok");
    expect(warnings).toEqual(["A session's renewal was not kept"]);
  });

  it("SESS-30 what was only read does not wait, and has its snapshot", async () => {
    const never = new Promise<void>(() => undefined);
    let asked = 0;
    disk = () => {
      asked += 1;
      return never;
    };
    const { text, meta } = await agent.run("Boat.limit(2)[id]");
    expect(asked).toBe(1);
    expect(text).toMatch(/b1\nb2\n```/);
    expect(meta["steps"]).toMatchObject([{ n: 1, row_count: 2 }]);
    disk = async () => undefined;
  });

  it("SESS-30 a disk that does not take it is told in the log, and the snapshot is there meanwhile", async () => {
    disk = () => Promise.reject(new Error("no space"));
    const { text } = await agent.run("Boat.limit(2)[id]");
    expect(text).not.toContain("warning");
    expect(warnings).toEqual(["A snapshot could not be written"]);
    const kept = await engine.readResource(LOCAL, "plasm://session/s0/r/1");
    expect(JSON.stringify(kept)).toContain("b1");
  });

  it("SESS-30 one that does not take the snapshot of a run with effects costs it, and no effect", async () => {
    disk = () => Promise.reject(new Error("no space"));
    const { text, meta } = await agent.run(PING_AND_READ, { force: true });
    expect(text).toMatch(/warning: the store refused the snapshot/);
    expect(text).not.toContain("plasm://");
    const unkept = { n: null, artifact_uri: null, content_sha256: null };
    expect(meta["steps"]).toMatchObject([unkept, unkept]);
    expect(meta["effects"]).toMatchObject([{ status: "done" }]);
    expect(warnings).toContain("A snapshot could not be written");
  });

  it("an answer is made while the disk takes its snapshot, which others see before", async () => {
    const store = testStore();
    let take: () => void = () => undefined;
    const seen: unknown[] = [];
    const other = engineOn({
      store: {
        ...store,
        durable: () =>
          new Promise((resolve) => {
            seen.push(store.held()["snapshot"]);
            take = resolve;
          }),
      },
      api: boatsApi(),
    });
    const opening = agentOn(other);
    await expect.poll(() => seen).toHaveLength(1);
    take();
    const running = (await opening).run(PING_AND_READ, { force: true });
    await expect.poll(() => seen).toHaveLength(2);
    expect(seen[1]).toBe(2);
    take();
    await expect.poll(() => seen).toHaveLength(3);
    take();
    expect((await running).problem).toBeNull();
    await other.close();
  });
});
