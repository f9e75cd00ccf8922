import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sessionFiles } from "../artifacts/session-files.ts";
import { LOCAL } from "../identity/caller.ts";
import { agentOn, engineOn } from "../../test/engine-on.ts";
import type { MemoryStore } from "../memory-store/memory-store.ts";
import { useWorld } from "../../test/use-world.ts";
import { DEFAULT_TIMES } from "./retention.ts";
import { sweep } from "./sweep.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const SCOPE = LOCAL.scope;
const UPDATE = 'Boat("b1").update(note="painted")';

const world = useWorld();

async function after(ms: number): Promise<Readonly<Record<string, number>>> {
  const { store } = world();
  store.advance(ms);
  await sweep(store);
  return store.held();
}

describe("SESS-37 what is kept, and how long", () => {
  it("a ref that nothing ran under: ten minutes", async () => {
    const { api, agent } = world();
    await agent.plan(UPDATE);
    expect(await after(599 * SECOND)).toMatchObject({ commit: 1, minted: 1 });
    const left = await after(SECOND);
    expect([left["commit"], left["minted"]]).toEqual([undefined, undefined]);
    const blocked = await agent.run(UPDATE, { planCommitRef: "pc0" });
    expect(blocked.text).toMatch(/^review pc1: not run \(unknown ref pc0\)/);
    expect(api.performed).toEqual([]);
  });

  it("a plan's later ref, when its first one goes", async () => {
    const { store, agent } = world();
    await agent.plan(UPDATE);
    await agent.run(UPDATE, { planCommitRef: "pc0" });
    await agent.plan(UPDATE);
    await sweep(store);
    expect((await agent.plan(UPDATE)).meta["plan_commit_ref"]).toBe("pc1");
  });

  it("a run with effects: until its session ends, an hour at least; then nothing runs again", async () => {
    const { api, engine, agent } = world();
    await agent.plan(UPDATE);
    const first = await agent.run(UPDATE, { planCommitRef: "pc0" });
    for (let hour = 0; hour < 5; hour += 1) {
      expect(await after(HOUR - SECOND)).toMatchObject({ operation: 1, effect: 1, commit: 1 });
      const again = await agent.run(UPDATE, { planCommitRef: "pc0" });
      expect(again.text.startsWith(first.text)).toBe(true);
    }
    // The session has ended; what is of a run is looked for within the hour.
    await after(HOUR);
    const left = await after(HOUR);
    expect(["operation", "effect", "commit"].filter((kind) => left[kind] !== undefined)).toEqual(
      [],
    );
    await agentOn(engine);
    const refused = await agent.run(UPDATE, { planCommitRef: "pc0" });
    expect(refused.problem?.code).toBe("plasm-review-required");
    expect(api.performed).toEqual(["PATCH /boats/b1"]);
  });

  it("what deployments set instead", async () => {
    const { store, agent } = world();
    await agent.run("Boat.limit(1)[id]");
    store.advance(DAY);
    await sweep(store, { ...DEFAULT_TIMES, snapshots: DAY + SECOND });
    expect(store.held()["snapshot"]).toBe(1);
    await sweep(store, { ...DEFAULT_TIMES, snapshots: DAY });
    expect(store.held()["snapshot"]).toBeUndefined();
  });

  it("a session that is used by programs alone: as long as it is used", async () => {
    const { store, engine, agent } = world();
    for (let day = 0; day < 35; day += 1) {
      await after(DAY);
      await agentOn(engine);
    }
    expect(store.held()).toMatchObject({ logical: 1, slots: 1 });
    await agent.plan("Boat.limit(1)[id]");
    expect(await after(30 * DAY - SECOND)).toMatchObject({ logical: 1, slots: 1 });
    const left = await after(SECOND);
    expect([left["logical"], left["slots"], left["counters"]]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("a file that is kept again: as long as a new one", async () => {
    const files = sessionFiles(world().store, {
      scope: SCOPE,
      owner: "L1",
      principal: "p",
      place: { ref: "s0" },
    });
    const bytes = Buffer.from("log");
    async function* content(): AsyncGenerator<Uint8Array> {
      yield bytes;
    }
    const { uri } = await files.put(content(), "text/plain");
    await after(6 * DAY);
    await files.put(content(), "text/plain");
    await after(6 * DAY);
    const kept = await files.open(uri);
    for await (const part of kept?.open() ?? []) expect(Buffer.from(part).toString()).toBe("log");
    expect(kept?.size).toBe(3);
    await after(DAY);
    expect(await files.open(uri)).toBeNull();
    expect(world().store.held()["file"]).toBeUndefined();
  });
});

describe("F1 a process is killed between a snapshot's content and its entry", () => {
  it("SESS-30: nothing of the snapshot stays, and its number goes to the next one", async () => {
    const { store, api, engine, agent } = world();
    const dying: MemoryStore = {
      ...store,
      transaction: (work) =>
        store.transaction((tx) =>
          work({
            ...tx,
            insert: (kind, ...rest) =>
              kind === "snapshot" ? Promise.reject(new Error("killed")) : tx.insert(kind, ...rest),
          }),
        ),
    };
    const other = await agentOn(engineOn({ store: dying, api }));
    await other.run("Boat.limit(1)[id]");
    expect(store.held()["blobs"]).toBeUndefined();
    expect(store.held()["snapshot"]).toBeUndefined();
    const read = engine.readResource(LOCAL, "plasm://session/s0/r/1");
    await expect(read).rejects.toMatchObject({ problem: { code: "plasm-unknown-snapshot" } });
    const told = await agent.run("Boat.limit(2)[id]");
    expect(told.meta["steps"]).toMatchObject([{ n: 1 }]);
    expect(await after(HOUR)).toMatchObject({ blobs: 1, snapshot: 1 });
    const kept = await engine.readResource(LOCAL, "plasm://session/s0/r/1");
    expect(kept).toMatchObject({ text: expect.stringContaining('"b2"') });
  });

  it("content that nothing came to name is swept after an hour", async () => {
    const bytes = Buffer.from("rows");
    await world().store.putBlob(createHash("sha256").update(bytes).digest("hex"), bytes);
    expect(await after(HOUR - SECOND)).toMatchObject({ blobs: 1 });
    expect((await after(SECOND))["blobs"]).toBeUndefined();
  });

  it("content that is being named when a sweep comes by stays", async () => {
    const { store } = world();
    const bytes = Buffer.from("rows");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await store.putBlob(sha256, bytes);
    await after(HOUR - SECOND);
    await store.putBlob(sha256, bytes);
    await after(SECOND);
    expect(await store.getBlob(sha256)).not.toBeNull();
  });
});

describe("F7 a session expires while nobody is left who runs its operation", () => {
  it("OPS-31: it is pinned whatever the clock says, and the operation goes on", async () => {
    const { store, api } = world();
    const dead = engineOn({ store, api, leaseMs: HOUR });
    let reached: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (reached = resolve));
    api.before = () => {
      reached();
      return new Promise(() => undefined);
    };
    const lost = await agentOn(dead, "boats");
    await lost.run('Boat("b1")[id]', { wait: false });
    await asked;
    api.before = async () => null;
    expect(await after(32 * DAY)).toMatchObject({ logical: 1, waves: 1, catalogs: 1 });
    const place = { scope: SCOPE, id: (await store.list("operation", SCOPE, ""))[0]?.id ?? "" };
    const living = engineOn({ store, api });
    const ended = async () => (await store.get("operation", SCOPE, place.id))?.value.state;
    await expect.poll(ended, { timeout: 20_000 }).toBe("succeeded");
    await living.close();
  });
});
