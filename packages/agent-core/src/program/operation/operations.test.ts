import { describe, expect, it } from "vitest";
import { LOCAL } from "../../identity/caller.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { holdRequests } from "../../../test/hold-requests.ts";
import { READS_REVIEWED, useWorld } from "../../../test/use-world.ts";

/** Paged, with a local filter: an expensive reason (OPS-5), for which it is reviewed here. */
const EXPENSIVE = "old = Boat{built<2015-01-01}\nold";
const UPDATE = 'Boat("b1").update(note="painted")';

const world = useWorld(undefined, READS_REVIEWED);

describe("OPS-9: the gate first, then the mode", () => {
  it("L16 L17 L22 L27 OPS-13 an expensive plan answers its handle at once, with force too", async () => {
    const { api, agent } = world();
    const { letGo } = holdRequests(api, "reads");
    const told = await agent.run(EXPENSIVE, { force: true });
    expect(told.text).toBe("wait(s0_o1) · verdict review · plan `pc0`");
    expect(told.meta).toEqual({
      plan_commit_ref: "pc0",
      dry_verdict: "review",
      op: { n: 1, "~": "+" },
    });
    letGo();
  });

  it("L15 without a ref it is blocked, and nothing is sent or accepted", async () => {
    const { api, agent } = world();
    const told = await agent.run(EXPENSIVE, { wait: false });
    expect(told.problem?.code).toBe("plasm-review-required");
    expect((await agent.run("wait(o1)")).problem?.code).toBe("plasm-unknown-handle");
    expect(api.asked).toEqual([]);
  });

  it("L18 L20 a bounded plan stays synchronous, and an effect without expensive reason", async () => {
    const { agent } = world();
    expect((await agent.run('Boat("b1")[id]')).text).toContain("b1");
    expect((await agent.run(UPDATE, { force: true })).text).toContain("done update quay.Boat b1");
  });

  it("L19 L26 wait:false accepts any plan, wait:true waits for any", async () => {
    const { agent } = world();
    expect((await agent.run('Boat("b1")', { wait: false })).text).toMatch(/^wait\(s0_o1\)/);
    const waited = await agent.run(EXPENSIVE, { force: true, wait: true });
    expect(waited.text).toMatch(/^old · 3 rows/);
  });
});

describe("wait(h) (OPS-15)", () => {
  it("L2 L23 L45 OPS-35 tells steps, then what the same run would have answered", async () => {
    const { api, agent } = world();
    const { reached, letGo } = holdRequests(api, "reads");
    await agent.run(EXPENSIVE, { force: true });
    await reached;
    const first = await agent.run("wait(s0_o1)", { wait: false });
    expect(first.text).toBe("s0_o1 ~ step 1/1 · old · 0 rows");
    expect(first.meta["op"]).toMatchObject({ "~": "~", s: "1/1", l: "old", r: 0 });
    // L37: nothing was emitted since.
    expect((await agent.run("wait(s0_o1)", { wait: false })).text).toBe("s0_o1 =");
    letGo();
    const ended = await agent.run("wait(s0_o1)", { wait: true });
    const same = await agent.run(EXPENSIVE, { force: true, wait: true });
    expect(ended.text).toBe(same.text.replaceAll("r/2", "r/1"));
    expect(ended.meta["op"]).toMatchObject({ "~": "!", r: 3 });
    expect(await agent.run("wait(s0_o1)")).toEqual(ended);
  });

  it("ERR-032 throws the error of its run, with the block", async () => {
    const { api, agent } = world();
    api.before = async () => ({ status: 422, json: { error: "no" } });
    await agent.run(EXPENSIVE, { force: true });
    const ended = await agent.run("wait(s0_o1)", { wait: true });
    const same = await agent.run(EXPENSIVE, { force: true, wait: true });
    expect(ended.problem).toMatchObject({ code: "plasm-upstream-error", status: 502 });
    expect(ended.text).toBe(same.text);
    expect(ended.meta["op"]).toMatchObject({ "~": "?", l: "old" });
    expect((await agent.run("cancel(s0_o1)")).text).toBe("s0_o1 ? step 1/1 · old · upstream_error");
  });

  it("L6 OPS-17 is unknown for a wrong prefix, an invented number, another session or caller", async () => {
    const { engine, agent } = world();
    await agent.run('Boat("b1")', { wait: false });
    const others = await agentOn(engine, "other boats");
    const eve = await agentOn(engine, "boats", { ...LOCAL, subject: "eve" });
    const told = await Promise.all([
      agent.run("wait(s1_o1)"),
      agent.run("wait(s0_o9)"),
      agent.run("cancel(s0_pg1)"),
      others.run("wait(s1_o1)"),
      eve.run("wait(s0_o1)"),
      agent.plan("wait(s0_o9)"),
    ]);
    expect(told.map(({ problem }) => problem?.code)).toEqual(
      told.map(() => "plasm-unknown-handle"),
    );
    expect((await agent.plan("wait(s0_o1)")).text).toMatch(/^plan ok · wait\(s0_o1\)/);
  });
});

describe("cancel(h) (OPS-16)", () => {
  it("L3 L21 stops before the next request, keeps rows as snapshots, and says so again", async () => {
    const { store, api, engine, agent } = world();
    let gets = 0;
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const items = (page: number): object[] =>
      Array.from({ length: 20 }, (_, row) => ({ id: `p${page}r${row}`, built: "2001-01-01" }));
    const second = new Promise<void>((resolve) => {
      api.before = async () => {
        gets += 1;
        if (gets === 2) {
          resolve();
          await held;
        }
        return { status: 200, json: { items: items(gets), page: gets, total: 300 } };
      };
    });
    await agent.run("old = Boat{built<2015-01-01}.sort(built)\nold", { force: true });
    await second;
    const cancelled = agent.run("cancel(s0_o1)");
    await expect
      .poll(async () => (await store.list("operation", "anonymous", ""))[0]?.value.cancelRequested)
      .toBe(true);
    letGo();
    const told = await cancelled;
    expect(told.text).toMatch(
      /^s0_o1 x step [12]\/2 · \d+ rows kept\npartial old: plasm:\/\/session\/s0\/r\/1$/,
    );
    expect(told.meta["op"]).toMatchObject({ "~": "x" });
    expect(gets).toBe(2);
    expect((await agent.run("cancel(s0_o1)")).text).toBe(told.text);
    const { text } = (await engine.readResource(LOCAL, "plasm://session/s0/r/1")) as {
      readonly text: string;
    };
    expect(JSON.parse(text)).toMatchObject({ source: "cancel", label: "old" });
    const waited = await agent.run("wait(s0_o1)");
    expect(waited.problem?.errors[0]?.code).toBe("cancelled");
  });

  it("OPS-35 of one that has ended reports the state reached", async () => {
    const { agent } = world();
    await agent.run('Boat("b1")', { wait: false });
    await agent.run("wait(s0_o1)", { wait: true });
    expect((await agent.run("cancel(s0_o1)")).text).toBe("s0_o1 ! 1 rows");
  });

  it("awaits and logs the effect in flight, and starts no other", async () => {
    const { api, agent } = world();
    const { reached, letGo } = holdRequests(api, "writes");
    const program = "few = Boat.limit(3)\nfew => Boat(_.id).ping()";
    await agent.run(program, { force: true });
    await reached;
    const cancelled = agent.run("cancel(s0_o1)");
    setTimeout(letGo, 50);
    expect((await cancelled).text).toMatch(/^s0_o1 x step \d\/2 · \d+ rows kept · 1 effects done/);
    expect(api.performed).toEqual(["POST /boats/b1/ping"]);
    const waited = await agent.run("wait(s0_o1)");
    expect(waited.text).toMatch(/^failed at n2: cancelled\neffects: 1 done, 2 not started\n/);
  });
});

describe("how many there may be (OPS-14)", () => {
  it("4 unfinished ones in a session; the fifth is refused with the handles there are", async () => {
    const { api, agent } = world();
    const { letGo } = holdRequests(api, "reads");
    for (const n of [1, 2, 3, 4]) {
      const told = await agent.run(`Boat("b${n}")`, { wait: false });
      expect(told.text).toMatch(new RegExp(`^wait\\(s0_o${n}\\)`));
    }
    const fifth = await agent.run('Boat("b5")', { wait: false });
    expect(fifth.problem).toMatchObject({ code: "plasm-too-many-operations", status: 429 });
    expect(fifth.text).toContain("s0_o1, s0_o2, s0_o3, s0_o4");
    letGo();
    for (const n of [1, 2, 3, 4]) await agent.run(`wait(s0_o${n})`, { wait: true });
    expect((await agent.run('Boat("b1")', { wait: false })).text).toMatch(/^wait\(s0_o5\)/);
  });

  it("as many as the host says: of a session, and of a tenant in all its sessions", async () => {
    const { store, api } = world();
    const { letGo } = holdRequests(api, "reads");
    const raised = engineOn({ store, api, operations: { perSession: 6, perTenant: 8 } });
    const [one, other] = [await agentOn(raised, "one"), await agentOn(raised, "other")];
    for (const n of [1, 2, 3, 4, 5, 6]) await one.run(`Boat("b${n}")`, { wait: false });
    const seventh = await one.run('Boat("b7")', { wait: false });
    expect(seventh.text).toMatch(/^6 operations of this session have not ended: (\w+, ){5}\w+\./);
    for (const n of [1, 2]) await other.run(`Boat("b${n}")`, { wait: false });
    const ninth = await other.run('Boat("b3")', { wait: false });
    expect(ninth.text).toMatch(/^8 operations have not ended, which is as many as may be\./);
    letGo();
    await raised.close();
  });

  it("a synchronous run with effects takes none, and no number (OPS-39)", async () => {
    const { api, agent } = world();
    const { letGo } = holdRequests(api, "reads");
    for (const n of [1, 2, 3, 4]) await agent.run(`Boat("b${n}")`, { wait: false });
    expect((await agent.run(UPDATE, { force: true })).text).toContain("done update");
    letGo();
  });
});

describe("a consumed ref sent again while its run goes on (OPS-3, OPS-39)", () => {
  it("answers its wait(h), and then the run's own answer", async () => {
    const { api, agent } = world();
    const { reached, letGo } = holdRequests(api, "writes");
    await agent.plan(UPDATE);
    const first = agent.run(UPDATE, { planCommitRef: "pc0" });
    await reached;
    const again = await agent.run(UPDATE, { planCommitRef: "pc0", wait: false });
    expect(again.text).toBe(
      "wait(s0_o1) · verdict review · plan `pc0`\nnote: pc0 was started 0 s ago and goes on",
    );
    letGo();
    const { text } = await first;
    expect((await agent.run("wait(s0_o1)", { wait: true })).text).toBe(text);
    expect(api.performed).toHaveLength(1);
  });
});

describe("whoever listens (OPS-23, OPS-25)", () => {
  it("L41 hears each event of its principal's operations, in order, and nobody else's", async () => {
    const { engine, agent } = world();
    const heard: object[] = [];
    const foreign: object[] = [];
    engine.onOperation(LOCAL, (note) => heard.push(note), "s0");
    engine.onOperation({ ...LOCAL, subject: "eve" }, (note) => foreign.push(note), "s0");
    await agent.run(EXPENSIVE, { force: true });
    await agent.run("wait(s0_o1)", { wait: true });
    await expect.poll(() => heard.length).toBeGreaterThanOrEqual(2);
    expect(heard[0]).toMatchObject({ line: "s0_o1 + pc0 review", n: 1, c: "pc0" });
    expect(heard.at(-1)).toMatchObject({ line: "s0_o1 ! 3 rows" });
    expect(foreign).toEqual([]);
  });
});
