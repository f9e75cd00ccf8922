import type { Policy } from "@plasm/core";
import { afterEach, describe, expect, it } from "vitest";
import { commitId } from "../plan/commits.ts";
import type { Engine } from "../../engine.ts";
import { LOCAL, type Caller } from "../../identity/caller.ts";
import type { CommitRecord } from "../../records/commits.ts";
import { agentOn, engineOn, type Agent, type Told } from "../../../test/engine-on.ts";
import { holdRequests } from "../../../test/hold-requests.ts";
import { READS_REVIEWED, useWorld } from "../../../test/use-world.ts";

const UPDATE = 'Boat("b1").update(note="painted") ;; as the harbour master wants';
const CREATE = 'Boat.create(name="Alma", owner=ann)';
const READ = "Boat.limit(2)[id]";

const world = useWorld(undefined, READS_REVIEWED);

/** The one record of a ref, with the owner that its id begins with. */
async function commitOf(ref: string) {
  const { store } = world();
  const all = await store.list("commit", LOCAL.scope, "");
  const { id = "" } = all.find(({ value }) => value.ref === ref) ?? {};
  const found = await store.get("commit", LOCAL.scope, id);
  if (found === null) throw new Error(`no ${ref}`);
  const [owner = ""] = found.id.split("/");
  return { ...found, owner };
}

/** Makes a record what another program, or another time, would have written. */
async function rewrite(ref: string, next: (value: CommitRecord) => CommitRecord): Promise<void> {
  const { id, version, value } = await commitOf(ref);
  expect(await world().store.cas("commit", LOCAL.scope, id, version, next(value))).toBe(true);
}

const reasonOf = ({ problem }: Told): unknown => [problem?.status, problem?.meta["error"]];
const blocked = (reason: string): unknown => [409, { code: "plasm-review-required", reason }];

describe("a ref without a program runs exactly what was planned (OPS-3)", () => {
  it("with effects once, and answers again what it answered", async () => {
    const { store, api, agent } = world();
    await agent.plan(UPDATE);
    const first = await agent.runPlanned("pc0");
    expect(first.text).toMatch(/\ndone update quay\.Boat b1$/);
    expect(first.meta["plan_commit_ref"]).toBe("pc0");
    store.advance(40_000);
    const note = "pc0 ran 40 s ago (r/1); plan again to repeat it";
    for (const again of [
      await agent.runPlanned("pc0"),
      await agent.run(UPDATE, { planCommitRef: "pc0" }),
    ]) {
      expect(again.text).toBe(`${first.text}\nnote: ${note}`);
      expect(again.meta).toEqual({ ...first.meta, note });
    }
    expect(api.performed).toEqual(["PATCH /boats/b1"]);
  });

  it("reads as often as wanted, until it expires", async () => {
    const { store, agent } = world();
    const { meta } = await agent.plan("Boat.sort(length)[id]");
    expect(meta["dry_verdict"]).toBe("review");
    const sent = await agent.run("Boat.sort(length)[id]", { planCommitRef: "pc0", wait: true });
    const alone = await agent.runPlanned("pc0", { wait: true });
    expect(alone.text).toBe(sent.text.replace("r/1", "r/2"));
    store.advance(599_999);
    expect((await agent.runPlanned("pc0", { wait: true })).problem).toBeNull();
    store.advance(1);
    const late = await agent.runPlanned("pc0", { wait: true });
    expect(reasonOf(late)).toEqual(blocked("expired"));
    // The fresh ref is of the very plan: nobody has to send its program either.
    expect(late.text).toMatch(/^review pc1: not run \(expired ref pc0\)\n/);
    expect((await agent.runPlanned("pc1", { wait: true })).text).toContain("b1");
  });

  it("one that needs no review runs without any, also late", async () => {
    const { store, agent } = world();
    await agent.plan(READ);
    store.advance(601_000);
    const { text, meta } = await agent.runPlanned("pc0");
    expect(text).toMatch(/^Boat · 2 rows\n/);
    expect(meta).not.toHaveProperty("note");
  });

  it("by itself where nobody waits, and told by its handle", async () => {
    const { api, agent } = world();
    await agent.plan(UPDATE);
    const { text } = await agent.runPlanned("pc0", { wait: false });
    expect(text).toBe("wait(s0_o1) · verdict review · plan `pc0`");
    expect((await agent.run("wait(s0_o1)", { wait: true })).text).toContain("done update");
    expect((await agent.runPlanned("pc0")).text).toContain("note: pc0 ran");
    expect(api.performed).toHaveLength(1);
  });

  it("of racing calls one starts, with and without the program (G2)", async () => {
    const { api, agent } = world();
    await agent.plan(UPDATE);
    const { reached, letGo } = holdRequests(api, "writes");
    const racing = [
      agent.runPlanned("pc0"),
      agent.runPlanned("pc0"),
      agent.run(UPDATE, { planCommitRef: "pc0" }),
    ];
    await reached;
    letGo();
    const told = await Promise.all(racing);
    expect(told.filter(({ text }) => text.includes("note: "))).toHaveLength(2);
    expect(api.performed).toHaveLength(1);
  });

  it("force changes nothing of what runs", async () => {
    const { api, agent } = world();
    await agent.plan(UPDATE);
    expect((await agent.runPlanned("pc0", { force: true })).text).toContain("done update");
    expect((await agent.runPlanned("pc0", { force: true })).text).toContain("note: pc0 ran");
    expect(api.performed).toHaveLength(1);
  });

  it("the snapshot names the program as it was planned (SESS-28)", async () => {
    const { engine, agent } = world();
    await agent.plan(UPDATE);
    await agent.runPlanned("pc0");
    const uri = "plasm://session/s0/r/1";
    const answer = await engine.readResource(LOCAL, uri);
    expect("text" in answer && JSON.parse(answer.text)).toMatchObject({ program: UPDATE });
  });

  it("explained before, it runs all the same (OPS-38)", async () => {
    const { engine, agent } = world();
    const address = { kind: "ref", ref: "s0" } as const;
    await engine.explain(LOCAL, address, { program: UPDATE });
    expect((await agent.runPlanned("pc0")).text).toContain("done update");
  });
});

describe("a ref that names nothing to run (OPS-7)", () => {
  const UNKNOWN = "not run (unknown ref pc7)\nPlan the program, and run the ref of that plan";

  it("is unknown, mints nothing and sends nothing", async () => {
    const { api, agent } = world();
    await agent.plan(UPDATE);
    for (const more of [{}, { force: true }, { wait: false }]) {
      const told = await agent.runPlanned("pc7", more);
      expect([told.text, reasonOf(told)]).toEqual([UNKNOWN, blocked("unknown")]);
    }
    expect((await agent.plan(CREATE)).meta["plan_commit_ref"]).toBe("pc1");
    expect(api.asked).toEqual([]);
  });

  const others: readonly [string, string, Caller][] = [
    ["another principal", "boats", { ...LOCAL, subject: "eve" }],
    ["another tenant", "boats", { ...LOCAL, scope: "elsewhere" }],
    ["the same principal in another session", "other boats", LOCAL],
  ];
  it.each(others)(
    "of %s, live or consumed, looks like none (G3, ERR-033)",
    async (_, intent, caller) => {
      const { api, engine, agent } = world();
      await agent.plan(UPDATE);
      await agent.plan(CREATE);
      await agent.runPlanned("pc1");
      const other = await agentOn(engine, intent, caller);
      for (const ref of ["pc0", "pc1"]) {
        const told = await other.runPlanned(ref);
        expect(told.text).toBe(UNKNOWN.replace("pc7", ref));
        expect(reasonOf(told)).toEqual(blocked("unknown"));
      }
      expect(api.performed).toEqual(["POST /boats"]);
    },
  );

  it("neither program nor ref: both are named", async () => {
    const { problem } = await world().agent.runPlanned(undefined as never);
    expect([problem?.code, problem?.text]).toEqual([
      "plasm-bad-request",
      "program is missing: one text, statements by line; or plan_commit_ref, the pcN of a plan, to run what was planned.",
    ]);
  });

  it.each(["pc", "pc01", "0", 7, null])("%j is no ref", async (ref) => {
    const { problem } = await world().agent.runPlanned(ref as never);
    expect(problem?.text).toBe("plan_commit_ref is the pcN of a plan, such as pc0.");
  });

  it("null is no program, and none is not taken for it", async () => {
    const { api, agent } = world();
    await agent.plan(UPDATE);
    const { problem } = await agent.run(null as never, { planCommitRef: "pc0" });
    expect(problem?.text).toBe("program is null, and must be one text, statements by line.");
    expect(api.asked).toEqual([]);
  });

  it("a record of an earlier program has none kept: it is sent with its ref", async () => {
    const { agent } = world();
    await agent.plan(UPDATE);
    await rewrite("pc0", ({ program: _program, ...rest }) => rest);
    const { problem } = await agent.runPlanned("pc0");
    expect([problem?.code, problem?.text]).toEqual([
      "plasm-bad-request",
      "The program of pc0 was not kept. Send it with its ref.",
    ]);
    expect((await agent.run(UPDATE, { planCommitRef: "pc0" })).text).toContain("done update");
  });
});

describe("what no longer is the plan never runs (PLAN-032)", () => {
  const GONE =
    "not run (the program of pc0 is another plan by now)\nPlan the program, and run the ref of that plan";

  it.each([
    ["an effect", UPDATE, {}],
    ["an effect, with force", UPDATE, { force: true }],
    ["a read that needs no review", READ, {}],
    ["a read, with force", READ, { force: true }],
  ])("%s", async (_, program, more) => {
    const { api, agent } = world();
    await agent.plan(program);
    await rewrite("pc0", (value) => ({ ...value, commit: `sha256:${"0".repeat(64)}` }));
    const told = await agent.runPlanned("pc0", more);
    expect([told.text, reasonOf(told)]).toEqual([GONE, blocked("mismatch")]);
    expect(api.asked).toEqual([]);
  });

  it("nor where its words mean nothing in the session that was opened anew", async () => {
    const { store, engine, agent } = world();
    await agent.plan(UPDATE);
    await rewrite("pc0", (value) => ({ ...value, program: 'e77("b1").m78()' }));
    store.advance(3_700_000);
    const told = await (await agentOn(engine)).runPlanned("pc0");
    expect([told.text, reasonOf(told)]).toEqual([GONE, blocked("mismatch")]);
  });

  it("in its own session the errors of its program are told", async () => {
    const { agent } = world();
    await agent.plan(UPDATE);
    await rewrite("pc0", (value) => ({ ...value, program: "Boat.sort(lenght)" }));
    expect((await agent.runPlanned("pc0")).text).toMatch(/^error unknown_column at 1:11\n/);
  });
});

describe("in the session that replaced an expired one (OPS-3)", () => {
  it("a run that did start is answered again", async () => {
    const { store, api, engine, agent } = world();
    await agent.plan(UPDATE);
    await agent.runPlanned("pc0");
    store.advance(3_700_000);
    expect((await agent.runPlanned("pc0")).problem?.code).toBe("plasm-session-lost");
    const recovered = await agentOn(engine);
    const again = await recovered.runPlanned("pc0");
    expect(again.text).toContain("\nnote: pc0 ran 3700 s ago (r/1); plan again to repeat it");
    expect(api.performed).toHaveLength(1);
  });

  it("a live ref of the lost one is unknown; the fresh one is of the same plan", async () => {
    const { store, engine, agent } = world();
    await agent.plan(UPDATE);
    store.advance(3_700_000);
    const recovered = await agentOn(engine);
    const told = await recovered.runPlanned("pc0");
    expect(told.text).toMatch(/^review pc1: not run \(unknown ref pc0\)\n/);
    expect((await recovered.runPlanned("pc1")).text).toContain("done update");
  });

  it("a read that needs no review runs, and says nothing of another plan", async () => {
    const { store, engine, agent } = world();
    await agent.plan(READ);
    store.advance(3_700_000);
    const { text } = await (await agentOn(engine)).runPlanned("pc0");
    expect(text).toMatch(/^Boat · 2 rows\n/);
    expect(text).not.toContain("note: ");
  });
});

describe("what is kept of the program (SESS-37)", () => {
  it("as it was planned first; once it has run, its operation alone has it", async () => {
    const { store, agent } = world();
    await agent.plan(UPDATE);
    await agent.plan('Boat("b1").update(note="painted")');
    const live = await commitOf("pc0");
    expect(live.value.program).toBe(UPDATE);
    await agent.runPlanned("pc0");
    const { value, owner } = await commitOf("pc0");
    expect(value).not.toHaveProperty("program");
    const operation = await store.get("operation", LOCAL.scope, commitId(owner, "pc0"));
    expect(operation?.value.program).toBe(UPDATE);
  });

  it("an answer that is gone is plasm-commit-used, never another run", async () => {
    const { store, api, agent } = world();
    await agent.plan(UPDATE);
    await agent.runPlanned("pc0");
    const { owner } = await commitOf("pc0");
    await store.delete("operation", LOCAL.scope, commitId(owner, "pc0"));
    const { problem } = await agent.runPlanned("pc0");
    expect([problem?.status, problem?.code]).toEqual([409, "plasm-commit-used"]);
    expect(api.performed).toHaveLength(1);
  });
});

describe("policy as it is now (SURF-25)", () => {
  /** The same store and session under another policy. */
  const under = async (policy: Policy): Promise<Agent> => {
    const { store, api } = world();
    const strict = engineOn({ store, api, policy });
    closing.push(strict);
    return agentOn(strict);
  };
  const closing: Engine[] = [];
  afterEach(async () => {
    for (const one of closing.splice(0)) await one.close();
  });

  it("judges what was planned before", async () => {
    const { api, agent } = world();
    await agent.plan(UPDATE);
    const told = await (await under({ apis: { quay: { effects: false } } })).runPlanned("pc0");
    expect(told.problem?.code).toBe("plasm-policy-denied");
    expect(api.asked).toEqual([]);
  });

  it("judges the answer of a run that is over", async () => {
    const { agent } = world();
    await agent.plan(UPDATE);
    await agent.runPlanned("pc0");
    const told = await (await under({ apis: { quay: { effects: false } } })).runPlanned("pc0");
    expect(told.problem?.code).toBe("plasm-policy-denied");
    expect(told.text).not.toContain("painted");
  });
});
