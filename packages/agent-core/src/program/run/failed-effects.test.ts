import { DEFAULT_LIMITS, systemClock } from "@plasm/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import type { Store, StoreOps } from "../../store-port.ts";
import { boatsApi, type BoatsApi } from "../../../test/boats-api.ts";
import { type Agent, agentOn, engineOn, type EngineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import type { MemoryStore } from "../../memory-store/memory-store.ts";

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

async function agent(more: Partial<EngineOn> = {}): Promise<Agent> {
  const engine = engineOn({ store, api, ...more });
  engines.push(engine);
  return agentOn(engine);
}

/** Answers the nth write with a status of its own. */
function refuse(nth: number, status: number): void {
  let writes = 0;
  api.before = async ({ method }) => {
    if (method === "GET") return null;
    writes += 1;
    return writes === nth ? { status, json: { error: "no such berth" } } : null;
  };
}

describe("the text of a failed run (OPS-29, ERR-020)", () => {
  it("an effect fails half way: done, failed, not started, and what is safe to repeat", async () => {
    refuse(3, 422);
    const { text, meta, problem } = await (
      await agent()
    ).run('Boat("b1").ping()\nwave = Boat.limit(3) => Boat(_.id).ping()\nBoat("b5").delete()', {
      force: true,
      wait: true,
    });
    expect(text).toBe(`failed at wave (n3): upstream_error 422 from quay
effects: 2 done, 1 failed, 2 not started
done n1 ping quay.Boat b1
done n3[0] ping quay.Boat b1
failed n3[1] ping quay.Boat b2
not started n3[2] ping quay.Boat b3
not started n4 delete quay.Boat b5
error upstream_error at 2:25
wave = Boat.limit(3) => Boat(_.id).ping()
                        ^^^^^^^^^^^^^^^^^
POST http://127.0.0.1:4801/boats/{id}/ping answered 422: "no such berth".
fix: check the arguments against what the API says; do not repeat line 1, its effect is done; do not repeat line 2 as it stands, 1 of its 3 effects is done`);
    expect(problem).toMatchObject({ code: "plasm-upstream-error", status: 502, retryable: false });
    expect(problem?.errors).toMatchObject([{ code: "upstream_error", node: "n3", row: 1 }]);
    expect(meta["effects"]).toMatchObject([
      { seq: 1, status: "done" },
      { seq: 2, status: "done" },
      { seq: 3, status: "failed", error: { code: "upstream_error" } },
      { seq: 4, status: "skipped", started_at: null },
      { seq: 5, status: "skipped", target: "Boat:b5" },
    ]);
    expect(api.performed).toEqual(["POST /boats/b1/ping", "POST /boats/b1/ping"]);
  });

  it("a read between effects fails: as in section 6 of the errors", async () => {
    const program =
      'Boat("b1").update(note="seen")\nx = Boat("b9")\nBoat("b2").update(note=x.name)';
    const { text, problem } = await (await agent()).run(program, { force: true });
    expect(text).toMatch(
      /^failed at n2: not_found\neffects: 1 done, 1 not started\ndone n1 update quay\.Boat b1\nnot started n3 update quay\.Boat b2\nerror not_found at 2:5\nx = Boat\("b9"\)\n/,
    );
    expect(text).toMatch(/\nfix: .*; do not repeat line 1, its effect is done\n/);
    expect([problem?.code, problem?.status]).toEqual(["plasm-run-failed", 422]);
  });

  it("an effect in doubt says what to look at, and never the whole program (PLAN-073)", async () => {
    api.before = async ({ method }) =>
      method === "GET"
        ? null
        : { ok: false, failure: { kind: "lost", sent: true, detail: "reset" } };
    const { text, meta, problem } = await (
      await agent()
    ).run('Boat("b1").update(note="x")', { force: true });
    expect(text).toMatch(
      /^failed at n1: effect_in_doubt from quay\neffects: 1 in doubt\nin doubt n1 update quay\.Boat b1\nerror effect_in_doubt at 1:11\n/,
    );
    expect(text).toContain("read Boat:b1 and compare note");
    expect(text).toContain("never the whole program");
    expect(problem?.code).toBe("plasm-upstream-error");
    expect(meta["effects"]).toMatchObject([
      { status: "in_doubt", error: { correction: expect.stringContaining("read Boat:b1") } },
    ]);
  });

  it("nothing was performed: the program may be planned again", async () => {
    refuse(1, 422);
    const { text } = await (await agent()).run('Boat("b1").ping()', { force: true });
    expect(text).toMatch(/no effect was performed, so the whole program may be planned/);
  });

  it("17.12 a refusal because of what the row is now does not advise to repeat it", async () => {
    refuse(1, 409);
    const { text } = await (await agent()).run('Boat("b1").ping()', { force: true });
    expect(text).toMatch(/no effect was performed; as it stands it is refused again/);
    expect(text).not.toMatch(/may be planned|plan (it|this effect) again|try again/);
  });

  it("results in hand follow, as text and as data (ERR-031)", async () => {
    refuse(1, 422);
    const { text, problem } = await (
      await agent()
    ).run('Boat("b1")[id]\nBoat("b2").ping()', { force: true });
    expect(text).toContain("\nresults in hand:\nBoat · 1 row\n```tsv\nid\nb1\n```");
    expect(problem?.results).toMatchObject([{ name: "Boat", rows: [{ id: "b1" }] }]);
    expect(problem?.meta["steps"]).toHaveLength(1);
  });
});

describe("a run that was stopped, not failed (OPS-11, OPS-30)", () => {
  it("by its caller: effects in flight are awaited, the ref answers with what was done", async () => {
    const own = await agent();
    const cancel = new AbortController();
    api.before = async ({ method }) => {
      if (method !== "GET") cancel.abort();
      return null;
    };
    const program = 'Boat("b1").ping()\nBoat("b2").ping()';
    await own.plan(program);
    const { text, problem } = await own.run(program, {
      planCommitRef: "pc0",
      signal: cancel.signal,
    });
    expect(text).toMatch(
      /^failed at n2: cancelled\neffects: 1 done, 1 not started\ndone n1 ping quay\.Boat b1\nnot started n2 ping quay\.Boat b2\n/,
    );
    expect(text).toContain("Its caller cancelled the run before its end.");
    expect(text).toContain("do not repeat line 1, its effect is done");
    expect(problem?.code).toBe("plasm-run-failed");
    const again = await own.run(program, { planCommitRef: "pc0" });
    expect(again.text).toContain("note: pc0 ran");
    expect(api.performed).toEqual(["POST /boats/b1/ping"]);
  });

  const FEW = "few = Boat.limit(5)\nfew => Boat(_.id).ping()";
  const TWO_OF_FIVE = `effects: 2 done, 3 not started
done n2[0] ping quay.Boat b1
done n2[1] ping quay.Boat b2
not started n2[2] ping quay.Boat b3
not started n2[3] ping quay.Boat b4
not started n2[4] ping quay.Boat b5
`;
  const NOT_DONE = [
    { id: "n1", status: "done" },
    { id: "n2", status: "skipped", rows: 2 },
  ];

  it("inside a for_each, by its caller: it failed there, and that node is not done", async () => {
    const cancel = new AbortController();
    api.before = async ({ path }) => {
      if (path === "/boats/b2/ping") cancel.abort();
      return null;
    };
    const { text, meta, problem } = await (
      await agent()
    ).run(FEW, { force: true, wait: true, signal: cancel.signal });
    expect(text).toContain(
      `failed at n2: cancelled\n${TWO_OF_FIVE}error cancelled at 2:8\nfew => Boat(_.id).ping()\n`,
    );
    expect(text).toContain("do not repeat line 2 as it stands, 2 of its 5 effects are done");
    expect(meta["nodes"]).toMatchObject([NOT_DONE[0], { ...NOT_DONE[1], reason: "cancelled" }]);
    expect(problem?.errors).toMatchObject([{ code: "cancelled", node: "n2" }]);
  });

  it("inside a for_each, by a budget", async () => {
    const limits = { ...DEFAULT_LIMITS, requests: 3 };
    const { text, meta } = await (await agent({ limits })).run(FEW, { force: true, wait: true });
    expect(text).toContain(`failed at n2: budget_exceeded\n${TWO_OF_FIVE}`);
    expect(meta["nodes"]).toMatchObject([NOT_DONE[0], { ...NOT_DONE[1], reason: "requests" }]);
  });

  it("after its last effect: it failed at that", async () => {
    const cancel = new AbortController();
    api.before = async ({ path }) => {
      if (path === "/boats/b5/ping") cancel.abort();
      return null;
    };
    const { text } = await (
      await agent()
    ).run(FEW, { force: true, wait: true, signal: cancel.signal });
    expect(text).toMatch(/^failed at n2: cancelled\neffects: 5 done\n/);
  });

  it("by a budget that is spent before its effects", async () => {
    const limits = { ...DEFAULT_LIMITS, requests: 1 };
    const { text } = await (
      await agent({ limits })
    ).run('Boat("b1").ping()\nBoat("b2").ping()', { force: true });
    expect(text).toMatch(/^failed at n2: budget_exceeded\neffects: 1 done, 1 not started\n/);
    expect(text).toContain("raise the setting requests; do not repeat line 1, its effect is done");
  });
});

describe("a store that would not keep the log (OPS-28)", () => {
  it("starts no effect, and consumes no ref", async () => {
    const own = await agent();
    await own.plan('Boat("b1").ping()');
    const { ping } = store;
    const gone = Object.assign(new Error("deleted"), { name: "StoreUnavailableError" });
    Object.assign(store, { ping: () => Promise.reject(gone) });
    const { problem } = await own.run('Boat("b1").ping()', { planCommitRef: "pc0" });
    expect([problem?.code, problem?.status]).toEqual(["plasm-store-unavailable", 503]);
    expect(api.asked).toEqual([]);
    Object.assign(store, { ping });
    const { text } = await own.run('Boat("b1").ping()', { planCommitRef: "pc0" });
    expect(text).toBe("done ping quay.Boat b1");
  });
});

describe("an internal failure (ERR section 4)", () => {
  it("of a node is logged with its cause under an id that the text shows", async () => {
    const warned: [string, unknown][] = [];
    const own = await agent({ warn: (what, cause) => void warned.push([what, cause]) });
    const { transaction } = store;
    const full = (tx: StoreOps): StoreOps => ({
      ...tx,
      insert: (...args) =>
        args[0] === "effect" ? Promise.reject(new Error("disk full")) : tx.insert(...args),
    });
    Object.assign(store, {
      transaction: <T>(work: (tx: StoreOps) => Promise<T>) =>
        transaction((tx: StoreOps) => work(full(tx))),
    });
    const { text, problem } = await own.run('Boat("b1").ping()', { force: true });
    const [, id = ""] = /fix: report the id ([0-9a-f-]{36}) to the operator/.exec(text) ?? [];
    expect(id).not.toBe("");
    expect(text).toMatch(/^failed at n1: internal\neffects: 1 not started\n/);
    expect(text).not.toContain("disk full");
    expect(problem?.status).toBe(500);
    const logged = warned.find(([what]) => what.includes(id))?.[1];
    expect(logged).toMatchObject({ cause: { message: "disk full" } });
    expect(api.performed).toEqual([]);
  });

  it("after its effects: the answer could not be made, and yet they are told (PLAN-072)", async () => {
    const own = await agent();
    const { transaction } = store;
    const withoutPages = (tx: StoreOps): StoreOps => ({
      ...tx,
      nextNumber: (owner, kind) =>
        kind === "pg" ? Promise.reject(new Error("gone")) : tx.nextNumber(owner, kind),
    });
    const refusing: Store["transaction"] = (does, until) =>
      transaction((tx) => does(withoutPages(tx)), until);
    Object.assign(store, { transaction: refusing });
    const items = Array.from({ length: 20 }, (_, row) => ({ id: `c${row}`, name: "Alma" }));
    api.before = async ({ method }) =>
      method === "GET" ? { status: 200, json: { items, page: 1, total: 300 } } : null;
    const program = 'Boat("b1").ping()\nBoat';
    const { text, meta } = await own.run(program, { force: true });
    expect(text).toMatch(
      /^failed: the answer could not be made\neffects: 1 done\ndone n1 ping quay\.Boat b1\nInternal error /,
    );
    expect(text).toContain("fix: do not repeat line 1, its effect is done");
    expect(meta["effects"]).toMatchObject([{ status: "done" }]);
    expect((await own.run(program, { planCommitRef: "pc0" })).text).toContain(text);
    expect(api.performed).toEqual(["POST /boats/b1/ping"]);
  });

  it("where not even the log of effects can be read, nothing is said of them that may be wrong (PLAN-072, ERR-020)", async () => {
    let readings = 0;
    const broken = () => {
      readings += 1;
      if (readings > 1) throw new Error("no clock");
      return systemClock.now();
    };
    const own = await agent({ clock: { ...systemClock, now: broken } });
    const { list } = store;
    Object.assign(store, {
      list: (...args: Parameters<typeof list>) =>
        args[0] === "effect" ? Promise.reject(new Error("gone")) : list(...args),
    });
    const { text, meta } = await own.run('Boat("b1").ping()', { force: true });
    expect(text).toMatch(
      /^failed: the answer could not be made\neffects: unknown, .*\nInternal error .*\nfix: look at what each effect/,
    );
    expect(text).not.toMatch(/no effect was performed|may be .*run again/);
    expect(meta).not.toHaveProperty("effects");
    const again = await own.run('Boat("b1").ping()', { planCommitRef: "pc0" });
    expect(again.text).toContain("effects: unknown");
    expect(again.text).not.toContain("plan again to repeat it");
  });
});
