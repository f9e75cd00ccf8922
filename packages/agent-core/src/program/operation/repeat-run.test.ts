import { describe, expect, it } from "vitest";
import { LOCAL, type Caller } from "../../identity/caller.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { holdRequests } from "../../../test/hold-requests.ts";
import { useWorld } from "../../../test/use-world.ts";

const UPDATE = 'Boat("b1").update(note="painted")';
const CREATE = 'Boat.create(name="Alma", owner=ann)';

const world = useWorld();

describe("a ref of a plan with effects runs once (OPS-3, G1)", () => {
  it("blocks without it, runs with it, and repeats its answer", async () => {
    const { store, api, agent } = world();
    const blocked = await agent.run(UPDATE);
    expect(blocked.text).toMatch(
      /^review pc0: not run \(no ref\)\nreview effect n1 Boat: update\n/,
    );
    expect(api.asked).toEqual([]);
    const first = await agent.run(UPDATE, { planCommitRef: "pc0" });
    expect(first.text).toMatch(/\ndone update quay\.Boat b1$/);
    store.advance(40_000);
    const again = await agent.run(UPDATE, { planCommitRef: "pc0" });
    const note = "pc0 ran 40 s ago (r/1); plan again to repeat it";
    expect(again.text).toBe(`${first.text}\nnote: ${note}`);
    expect(again.meta).toEqual({ ...first.meta, note });
    expect(api.performed).toEqual(["PATCH /boats/b1"]);
  });

  it.each([601, 3_599])("also after %d s, never as expired (G12)", async (seconds) => {
    const { store, api, agent } = world();
    await agent.plan(UPDATE);
    await agent.run(UPDATE, { planCommitRef: "pc0" });
    store.advance(seconds * 1000);
    const again = await agent.run(UPDATE, { planCommitRef: "pc0" });
    expect(again.text).toContain(`\nnote: pc0 ran ${seconds} s ago (r/1); plan again to repeat it`);
    expect(api.performed).toHaveLength(1);
  });

  it("also in the session that replaced an expired one (OPS-3)", async () => {
    const { store, api, engine, agent } = world();
    await agent.plan(UPDATE);
    await agent.run(UPDATE, { planCommitRef: "pc0" });
    store.advance(3_700_000);
    expect((await agent.run(UPDATE, { planCommitRef: "pc0" })).problem?.code).toBe(
      "plasm-session-lost",
    );
    const recovered = await agentOn(engine);
    const again = await recovered.run(UPDATE, { planCommitRef: "pc0" });
    expect(again.text).toContain("\nnote: pc0 ran 3700 s ago (r/1); plan again to repeat it");
    expect(api.performed).toHaveLength(1);
  });

  it("but a live ref of the lost session is unknown in the new one", async () => {
    const { store, engine, agent } = world();
    await agent.plan(UPDATE);
    store.advance(3_700_000);
    const recovered = await agentOn(engine);
    const { text } = await recovered.run(UPDATE, { planCommitRef: "pc0" });
    expect(text).toMatch(/^review pc1: not run \(unknown ref pc0\)/);
  });

  it("errors included", async () => {
    const { store, api, agent } = world();
    api.before = async ({ method }) => (method === "GET" ? null : { status: 422, json: {} });
    await agent.plan(UPDATE);
    const first = await agent.run(UPDATE, { planCommitRef: "pc0" });
    expect(first.problem?.status).toBe(502);
    store.advance(5_000);
    const again = await agent.run(UPDATE, { planCommitRef: "pc0" });
    expect(again.text).toBe(`${first.text}\nnote: pc0 ran 5 s ago; plan again to repeat it`);
    expect(again.problem).toMatchObject({ ...first.problem, text: again.text, meta: again.meta });
    expect(api.asked).toHaveLength(1);
  });

  const LOST = { ok: false, failure: { kind: "lost", sent: true, detail: "reset" } } as const;
  it.each([
    ["one is in doubt", UPDATE, LOST],
    ["its API failed by itself", UPDATE, { status: 500, json: {} }],
    ["one was done before", `Boat("b2").ping()\n${UPDATE}`, { status: 422, json: {} }],
  ])("without advice to repeat it where %s (ERR-020)", async (_, program, answered) => {
    const { store, api, agent } = world();
    api.before = async ({ method }) => (method === "PATCH" ? answered : null);
    await agent.plan(program);
    const first = await agent.run(program, { planCommitRef: "pc0" });
    store.advance(5_000);
    const again = await agent.run(program, { planCommitRef: "pc0" });
    expect(again.text.replace(first.text, "")).toMatch(/^\nnote: pc0 ran 5 s ago( \(r\/1\))?$/);
    expect(again.meta["note"]).toMatch(/ran 5 s ago( \(r\/1\))?$/);
  });

  it("planning again mints a fresh ref, which repeats the effect (PLAN-031)", async () => {
    const { api, agent } = world();
    await agent.plan(UPDATE);
    await agent.run(UPDATE, { planCommitRef: "pc0" });
    expect((await agent.plan(UPDATE)).meta["plan_commit_ref"]).toBe("pc1");
    await agent.run(UPDATE, { planCommitRef: "pc1" });
    expect(api.performed).toHaveLength(2);
  });

  it("another program's ref, consumed or not, is refused", async () => {
    const { agent } = world();
    await agent.plan(UPDATE);
    await agent.run(UPDATE, { planCommitRef: "pc0" });
    const { text } = await agent.run(CREATE, { planCommitRef: "pc0" });
    expect(text).toMatch(/^review pc1: not run \(pc0 is of another program\)/);
  });
});

describe("a ref of somebody else, or of another session, is unknown (G3)", () => {
  const others: readonly [string, string, Caller][] = [
    ["another principal", "boats", { ...LOCAL, subject: "eve" }],
    ["another tenant", "boats", { ...LOCAL, scope: "elsewhere" }],
    ["the same principal in another session", "other boats", LOCAL],
  ];

  it.each(others)("%s: live or consumed", async (_, intent, caller) => {
    const { api, engine, agent } = world();
    await agent.plan(UPDATE);
    await agent.plan(CREATE);
    await agent.run(CREATE, { planCommitRef: "pc1" });
    const other = await agentOn(engine, intent, caller);
    const consumed = await other.run(CREATE, { planCommitRef: "pc1" });
    expect(consumed.text).toMatch(/^review pc\d: not run \(unknown ref pc1\)/);
    // Numbers are each session's own: pc0 is by now what the last call minted here.
    const live = await other.run(UPDATE, { planCommitRef: "pc0" });
    expect(live.text).toMatch(
      /^review pc\d: not run \((pc0 is of another program|unknown ref pc0)\)/,
    );
    expect(api.performed).toEqual(["POST /boats"]);
  });

  it("and says so in the same words as of a ref that never was (ERR-033)", async () => {
    const { engine, agent } = world();
    await agent.plan(UPDATE);
    await agent.plan(CREATE);
    const eve = await agentOn(engine, "boats", { ...LOCAL, subject: "eve" });
    const unknown = await eve.run(UPDATE, { planCommitRef: "pc7" });
    const foreign = await eve.run(UPDATE, { planCommitRef: "pc1" });
    expect(foreign.text).toBe(unknown.text.replace("pc7", "pc1"));
  });
});

describe("of racing runs one starts (OPS-3, G2)", () => {
  it("50 times", async () => {
    const { api, agent } = world();
    for (let race = 0; race < 50; race += 1) {
      const program = `Boat("b1").update(note="race ${race}")`;
      const planCommitRef = String((await agent.plan(program)).meta["plan_commit_ref"] as string);
      const told = await Promise.all([1, 2, 3].map(() => agent.run(program, { planCommitRef })));
      expect(api.performed).toHaveLength(race + 1);
      expect(told.filter(({ text }) => text.includes("note: ")).length).toBe(2);
    }
  });

  it("a call with the ref of a run that goes on gets that run's answer (OPS-39)", async () => {
    const { api, agent } = world();
    const { reached, letGo } = holdRequests(api, "writes");
    await agent.plan(UPDATE);
    const first = agent.run(UPDATE, { planCommitRef: "pc0" });
    await reached;
    const second = agent.run(UPDATE, { planCommitRef: "pc0" });
    letGo();
    expect((await second).text).toContain((await first).text);
    expect(api.performed).toHaveLength(1);
  });

  it("the same from another process on the same store", async () => {
    const { store, api, agent } = world();
    const other = engineOn({ store, api });
    const there = await agentOn(other);
    const { reached, letGo } = holdRequests(api, "writes");
    await agent.plan(UPDATE);
    const first = agent.run(UPDATE, { planCommitRef: "pc0" });
    await reached;
    const second = there.run(UPDATE, { planCommitRef: "pc0" });
    letGo();
    expect((await second).text).toContain((await first).text);
    expect(api.performed).toHaveLength(1);
    await other.close();
  });

  it("plans made at the same time get the same ref (OPS-2, PLAN-031)", async () => {
    const plans = await Promise.all([1, 2, 3].map(() => world().agent.plan(UPDATE)));
    expect(plans.map(({ meta }) => meta["plan_commit_ref"])).toEqual(["pc0", "pc0", "pc0"]);
  });
});

describe("a forced run (OPS-7)", () => {
  it("consumes the ref it mints; sending that repeats the answer (G22)", async () => {
    const { api, agent } = world();
    const first = await agent.run(CREATE, { force: true });
    expect(first.text).toMatch(/\ndone create quay\.Boat b4$/);
    expect(first.meta["plan_commit_ref"]).toBe("pc0");
    const again = await agent.run(CREATE, { planCommitRef: "pc0" });
    expect(again.text).toContain("note: pc0 ran 0 s ago (r/1)");
    expect(api.performed).toEqual(["POST /boats"]);
  });

  it("consumes the live ref of the plan if there is one", async () => {
    const { api, agent } = world();
    await agent.plan(CREATE);
    expect((await agent.run(CREATE, { force: true })).meta["plan_commit_ref"]).toBe("pc0");
    const again = await agent.run(CREATE, { planCommitRef: "pc0", force: true });
    expect(again.text).toContain("note: pc0 ran");
    expect(api.performed).toHaveLength(1);
  });

  it("runs each time without a ref, also at the same time", async () => {
    const { api, agent } = world();
    await Promise.all([1, 2, 3].map(() => agent.run(CREATE, { force: true })));
    await agent.run(CREATE, { force: true });
    expect(api.performed).toHaveLength(4);
  });

  it("is refused where policy forbids it, with no request (OPS-8)", async () => {
    const { store, api } = world();
    const strict = engineOn({ store, api, policy: { force: false } });
    const there = await agentOn(strict, "strict");
    const { problem } = await there.run(CREATE, { force: true });
    expect([problem?.status, problem?.code]).toEqual([403, "plasm-force-denied"]);
    expect(api.asked).toEqual([]);
    await strict.close();
  });
});

describe("the ref that was sent is the one consumed", () => {
  it("though it expires while the run starts (PLAN-031)", async () => {
    const { store, api, agent } = world();
    await agent.plan(UPDATE);
    store.advance(599_999);
    api.before = async () => {
      store.advance(10_000);
      return null;
    };
    await agent.run(UPDATE, { planCommitRef: "pc0" });
    const again = await agent.run(UPDATE, { planCommitRef: "pc0" });
    expect(again.text).toContain("note: pc0 ran 10 s ago");
    expect(api.performed).toHaveLength(1);
  });

  it("and one that expired unused is blocked with a fresh one", async () => {
    const { store, api, agent } = world();
    await agent.plan(UPDATE);
    store.advance(600_000);
    const { text, problem } = await agent.run(UPDATE, { planCommitRef: "pc0" });
    expect(text).toMatch(/^review pc1: not run \(expired ref pc0\)/);
    expect(text).toMatch(/\nRun again with plan_commit_ref=pc1$/);
    expect([problem?.status, problem?.meta["error"]]).toEqual([
      409,
      { code: "plasm-review-required", reason: "expired" },
    ]);
    expect(api.asked).toEqual([]);
  });
});
