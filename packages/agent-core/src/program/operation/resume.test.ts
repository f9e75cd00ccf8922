import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileRules } from "@plasm/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import type { Store } from "../../store-port.ts";
import { boatsApi, type BoatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import type { MemoryStore } from "../../memory-store/memory-store.ts";

const LEASE_MS = 30_000;

let store: MemoryStore;
let api: BoatsApi;
const engines: Engine[] = [];
beforeEach(() => {
  store = testStore();
  api = boatsApi(5);
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

function start(files?: FileRules): Engine {
  const named = files === undefined ? {} : { files };
  const engine = engineOn({ store, api, leaseMs: LEASE_MS, ...named });
  engines.push(engine);
  return engine;
}

const never = (): Promise<never> => new Promise(() => undefined);

/** A store that answers until so many effects are done: then the process that has it is dead. */
function until(doneEffects: number): { readonly dying: Store; readonly died: Promise<void> } {
  let dead = false;
  let tell: () => void = () => undefined;
  const died = new Promise<void>((resolve) => (tell = resolve));
  const isDead = async (): Promise<boolean> => {
    if (dead) return true;
    const effects = await store.list("effect", "anonymous", "");
    dead = effects.filter(({ value }) => value.status === "done").length >= doneEffects;
    if (dead) tell();
    return dead;
  };
  const dying = new Proxy(store, {
    get: (target, name: keyof MemoryStore) => {
      const method = target[name] as (...args: unknown[]) => unknown;
      if (name === "now" || method === undefined) return method;
      return async (...args: unknown[]) => ((await isDead()) ? never() : method(...args));
    },
  });
  return { dying, died };
}

/** Accepts a program in a process that dies once so many effects are done. */
async function dieAfter(program: string, doneEffects: number, files?: FileRules): Promise<void> {
  const { dying, died } = until(doneEffects);
  const named = files === undefined ? {} : { files };
  const agent = await agentOn(engineOn({ store: dying, api, leaseMs: LEASE_MS, ...named }));
  const told = await agent.run(program, { force: true, wait: false });
  expect(told.text).toMatch(/^wait\(s0_o1\)/);
  await died;
  store.advance(LEASE_MS);
}

describe("an operation whose process died goes on elsewhere (OPS-31 to OPS-33)", () => {
  it("F13 in reads: from the start, under the same handle", async () => {
    let release: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => {
      api.before = async () => {
        api.before = async () => null;
        resolve();
        await new Promise<void>((go) => (release = go));
        return null;
      };
    });
    const first = await agentOn(start());
    await first.run('Boat("b1")', { wait: false });
    await reached;
    store.advance(LEASE_MS);
    const there = await agentOn(start());
    const ended = await there.run("wait(s0_o1)", { wait: true });
    expect(ended.text).toMatch(/^Boat · 1 row\n/);
    expect(ended.meta["op"]).toMatchObject({ "~": "!", r: 1 });
    release();
  });

  it("PLAN-053 of a record from before the budget work: under its default", async () => {
    await dieAfter('Boat("b2").ping()\nBoat.filter{length>0}.sort(name desc)[id]', 1);
    const [listed] = await store.list("operation", "anonymous", "");
    const found = await store.get("operation", "anonymous", listed?.id ?? "");
    if (found === null) throw new Error("no operation");
    const { work, ...budget } = found.value.budget;
    expect(work).toBe(30_000_000);
    const older = { ...found.value, budget };
    await store.cas("operation", "anonymous", found.id, found.version, older);
    const ended = await (await agentOn(start())).run("wait(s0_o1)", { wait: true });
    expect([ended.problem, ended.text.includes("· 5 rows")]).toEqual([null, true]);
  });

  it.each([
    ["has changed", (path: string) => writeFile(path, "another")],
    ["is gone", (path: string) => rm(path)],
  ])("VAL-08 not where a file that it sends %s meanwhile", async (_what, change) => {
    const directory = await realpath(await mkdtemp(join(tmpdir(), "plasm-resume-")));
    const path = join(directory, "note.txt");
    await writeFile(path, "one");
    const files = { maxBytes: 1_000, directories: [directory] };
    await dieAfter(`Boat("b2").ping()\nBoat("b5").update(note=file("${path}"))`, 1, files);
    await change(path);
    const ended = await (await agentOn(start(files))).run("wait(s0_o1)", { wait: true });
    expect(api.performed).toEqual(["POST /boats/b2/ping"]);
    expect(ended.meta["effects"]).toMatchObject([
      { seq: 1, status: "done" },
      { seq: 2, status: "skipped" },
    ]);
    expect(ended.text).toContain("changed");
    await rm(directory, { recursive: true });
  });

  it.each([
    [29, "a minute is left: it goes on", ["POST /boats/b2/ping", "PATCH /boats/b5"]],
    [31, "none is left: it starts nothing more", ["POST /boats/b2/ping"]],
  ])(
    "18.8 OPS-33 its half hour goes on while nobody runs it: after %i minutes %s",
    async (minutes, _what, performed) => {
      await dieAfter('Boat("b2").ping()\nBoat("b5").update(note="late")', 1);
      store.advance(minutes * 60_000 - LEASE_MS);
      const ended = await (await agentOn(start())).run("wait(s0_o1)", { wait: true });
      expect(api.performed).toEqual(performed);
      expect(ended.meta["effects"]).toMatchObject([
        { seq: 1, status: "done" },
        { seq: 2, status: minutes < 30 ? "done" : "skipped" },
      ]);
      expect(ended.text.includes("wall")).toBe(minutes > 30);
    },
  );

  it("behind an effect: it is not sent again, reads that came before it are not repeated", async () => {
    const program =
      'x = Boat("b1")\nBoat("b5").update(note=x.name)\nBoat("b2").update(note="last")\nx';
    await dieAfter(program, 1);
    const ended = await (await agentOn(start())).run("wait(s0_o1)", { wait: true });
    expect(ended.text).toContain("done update quay.Boat ×2 b5 b2");
    expect(api.performed).toEqual(["PATCH /boats/b5", "PATCH /boats/b2"]);
    expect(api.asked.filter(({ path }) => path === "/boats/b1")).toHaveLength(1);
    expect(ended.meta["effects"]).toMatchObject([
      { seq: 1, status: "done" },
      { seq: 2, status: "done" },
    ]);
  });

  it("in a for_each: over the same rows, from the next item on", async () => {
    await dieAfter("few = Boat.limit(4)\nfew => Boat(_.id).ping()", 2);
    api.before = async ({ method }) =>
      method === "GET" ? { status: 200, json: { items: [], page: 1, total: 0 } } : null;
    const ended = await (await agentOn(start())).run("wait(s0_o1)", { wait: true });
    expect(ended.problem).toBeNull();
    expect(api.performed).toEqual(["b1", "b2", "b3", "b4"].map((id) => `POST /boats/${id}/ping`));
  });

  it("numbers its events on, and never counts a step back", async () => {
    await dieAfter('Boat("b1").ping()\nBoat("b2").ping()\nBoat("b3").ping()', 2);
    const before = (await store.list("operation", "anonymous", ""))[0]?.value;
    await (await agentOn(start())).run("wait(s0_o1)", { wait: true });
    const after = (await store.list("operation", "anonymous", ""))[0]?.value;
    expect(after?.event).toBeGreaterThan(before?.event ?? 0);
    expect(after?.step.k).toBeGreaterThanOrEqual(before?.step.k ?? 0);
    expect(after).toMatchObject({ n: 1, state: "succeeded" });
    expect(api.performed).toHaveLength(3);
  });

  it("OPS-32 ends as catalog_changed, with its effects, where its program means something else", async () => {
    await dieAfter('Boat("b1").ping()\nBoat("b2").ping()', 1);
    const [listed] = await store.list("operation", "anonymous", "");
    const found = await store.get("operation", "anonymous", listed?.id ?? "");
    if (found === null) throw new Error("no operation");
    const other = { ...found.value, commit: "sha256:other" };
    await store.cas("operation", "anonymous", found.id, found.version, other);
    const ended = await (await agentOn(start())).run("wait(s0_o1)", { wait: true });
    expect(ended.problem?.errors[0]).toMatchObject({ code: "catalog_changed" });
    expect(ended.text).toContain("effects: 1 done, 1 not started");
    expect(ended.meta["op"]).toMatchObject({ "~": "?" });
    expect(api.performed).toHaveLength(1);
  });

  it("a server that stops leaves it to the next one", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((go) => (release = go));
    const reached = new Promise<void>((resolve) => {
      api.before = async () => {
        resolve();
        await held;
        return null;
      };
    });
    const engine = engineOn({ store, api, leaseMs: LEASE_MS });
    await (await agentOn(engine)).run('Boat("b1")\nBoat("b2")', { wait: false });
    await reached;
    const closed = engine.close();
    setTimeout(() => release(), 20);
    await closed;
    api.before = async () => null;
    const ended = await (await agentOn(start())).run("wait(s0_o1)", { wait: true });
    expect(ended.text).toMatch(/^Boat · 1 row\n/);
  });
});
