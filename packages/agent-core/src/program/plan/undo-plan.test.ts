import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import { answer, berthsApi, type BerthsApi, berthsEntry } from "../../../test/berths-api.ts";
import { type Agent, agentOf, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import { type Caller, LOCAL } from "../../identity/caller.ts";
import type { MemoryStore } from "../../memory-store/memory-store.ts";
import type { Policy } from "@plasm/core";

let store: MemoryStore;
let api: BerthsApi;
let agent: Agent;
const engines: Engine[] = [];

function engine(policy: Policy = {}): Engine {
  const entry = berthsEntry();
  const registry = {
    list: () => [entry],
    get: (id: string) => (id === "berths" ? entry : undefined),
  };
  const opened = engineOn({ store, api: api as never, registry, policy });
  engines.push(opened);
  return opened;
}

const agentAs = (caller: Caller = LOCAL, intent = "berths", policy: Policy = {}): Promise<Agent> =>
  agentOf(engine(policy), { api: "berths", entity: "Berth" }, intent, caller);

beforeEach(async () => {
  store = testStore();
  api = berthsApi();
  agent = await agentAs();
});
afterEach(async () => {
  for (const one of engines.splice(0)) await one.close();
});

/** Plans a program and runs it by its ref. */
async function done(program: string): Promise<string> {
  const { meta } = await agent.plan(program);
  const ref = String(meta["plan_commit_ref"]);
  const { text, problem } = await agent.run(program, { planCommitRef: ref });
  if (problem !== null) throw new Error(text);
  return ref;
}

/** Runs an update of `a` at an API that replaces the whole row, and answers with it. */
async function replaced(row: Readonly<Record<string, unknown>>): Promise<string> {
  api.before = async (asked) => {
    if (asked !== "PATCH /berths/a") return null;
    api.berths.rows.set("a", row);
    return answer(200, row);
  };
  const ref = await done('Berth("a").update(name="Z")');
  api.before = async () => null;
  return ref;
}

const ALL = `Berth.dig(id="d", name="New", depth=2, tags=["x"])
Berth("a").update(name="Alma", depth=9.25, since=2024-02-29, tags=[])
Berth("b").take()
Berth("a").update(name="Alma 2")
Berth("c").fill()
Berth("b").label(text="B")`;

describe("a dry run says what can be undone (UNDO-02, UNDO-03)", () => {
  it("by what, and what is read for it", async () => {
    const { text, meta } = await agent.plan(`${ALL}\nBerth("a").ring()\nBerth("a").sweep()`);
    expect(text.split("\n").filter((line) => line.startsWith("n"))).toEqual([
      'n1 create · effect berths.Berth.dig(depth=2, id="d", name="New", tags=["x"]) · undo by fill',
      'n2 update · effect berths.Berth("a").update(depth=9.25, name="Alma", since="2024-02-29", tags=[]) after reading berth_get · undo by restore · 2 requests',
      'n3 action · effect berths.Berth("b").take() after reading berth_get · undo by leave · 2 requests',
      'n4 update · effect berths.Berth("a").update(name="Alma 2") after reading berth_get · undo by restore · 2 requests',
      'n5 delete · effect berths.Berth("c").fill() after reading berth_get · undo by dig · 2 requests',
      'n6 update · effect berths.Berth("b").label(text="B") after reading berth_get · undo by restore · 2 requests',
      'n7 action · effect berths.Berth("a").ring() · no undo',
      'n8 action · effect berths.Berth("a").sweep()',
    ]);
    expect(meta["plan"]).toMatchObject({ bill: { requests: { exact: 13 } } });
  });

  it("and what is billed is sent", async () => {
    await done(ALL);
    expect(api.asked).toHaveLength(11);
  });
});

describe("undo(pcN) takes back what a plan has done (UNDO-05)", () => {
  it("in reverse order, reviewed like any plan, and the API is as before", async () => {
    const before = api.berths.dump();
    const ref = await done(ALL);
    expect(api.berths.dump()).not.toBe(before);
    const planned = await agent.plan(`undo(${ref})`);
    expect(planned.text).toMatch(/^plan review pc1 · 6 nodes, 12 requests, 6 effects/u);
    expect(planned.text.split("\n").filter((line) => /^n\d /u.test(line))).toEqual([
      'n1 update · effect berths.Berth("b").label(text="Berth b") after reading berth_get · undo by restore · 2 requests',
      'n2 create · effect berths.Berth.dig(depth=3.5, id="c", name="Berth c", since="2020-05-01", state="free", tags=["north", "c"]) after reading berth_get · undo by fill · 2 requests',
      'n3 update · effect berths.Berth("a").update(name="Alma") after reading berth_get · undo by restore · 2 requests',
      'n4 action · effect berths.Berth("b").leave() after reading berth_get · undo by take · 2 requests',
      'n5 update · effect berths.Berth("a").update(depth=3.5, name="Berth a", since="2020-05-01", tags=["north", "a"]) after reading berth_get · undo by restore · 2 requests',
      'n6 delete · effect berths.Berth("d").fill() after reading berth_get · undo by dig · 2 requests',
    ]);
    const asked = api.asked.length;
    const blocked = await agent.run(`undo(${ref})`);
    expect(blocked.problem?.code).toBe("plasm-review-required");
    expect(api.asked).toHaveLength(asked);
    const { text, problem } = await agent.run(`undo(${ref})`, { planCommitRef: "pc1" });
    expect(problem).toBeNull();
    expect(text).toContain("done label berths.Berth b");
    expect(api.asked).toHaveLength(asked + 12);
    expect(api.berths.dump()).toBe(before);
  });

  it("by its ref alone, and repeated it is the same run", async () => {
    const before = api.berths.dump();
    const ref = await done(ALL);
    await agent.plan(`undo(${ref})`);
    const first = await agent.runPlanned("pc1");
    expect(first.problem).toBeNull();
    const performed = api.berths.performed.length;
    const again = await agent.run(`undo(${ref})`, { planCommitRef: "pc1" });
    expect(again.text).toContain("pc1 ran");
    expect((await agent.runPlanned("pc1")).text).toContain("pc1 ran");
    expect(api.berths.performed).toHaveLength(performed);
    expect(api.berths.dump()).toBe(before);
  });

  it("once: what is undone is not undone again", async () => {
    const ref = await done(ALL);
    await done(`undo(${ref})`);
    const { problem, text } = await agent.plan(`undo(${ref})`);
    expect(problem?.code).toBe("plasm-bad-request");
    expect(text).toContain("Nothing of pc0 can be undone.");
    expect(text).toContain("not undone 4 update berths.Berth a: undone by pc1");
  });

  it("an undo is itself undone", async () => {
    const ref = await done(ALL);
    const after = api.berths.dump();
    const undone = await done(`undo(${ref})`);
    await done(`undo(${undone})`);
    expect(api.berths.dump()).toBe(after);
  });

  it("UNDO-10 with what an update that replaces the row has emptied unasked", async () => {
    const before = api.berths.rows.get("a");
    const ref = await replaced({
      id: "a",
      name: "Z",
      depth: null,
      since: null,
      state: "free",
      tags: [],
    });
    const planned = await agent.plan(`undo(${ref})`);
    expect(planned.text).toContain(
      'update(depth=3.5, name="Berth a", since="2020-05-01", tags=["north", "a"])',
    );
    const undone = await done(`undo(${ref})`);
    expect({ ...api.berths.rows.get("a"), changed: 0 }).toEqual(before);
    // What the undo set stands in its record, too.
    await done(`undo(${undone})`);
    expect(api.berths.rows.get("a")).toMatchObject({ name: "Z", depth: null, since: null });
  });

  it("of some effects, by their numbers", async () => {
    const ref = await done('Berth("a").update(name="A")\nBerth("b").update(name="B")');
    await done(`undo(${ref}, 1)`);
    expect(api.berths.rows.get("a")).toMatchObject({ name: "Berth a" });
    expect(api.berths.rows.get("b")).toMatchObject({ name: "B" });
    const { text } = await agent.plan(`undo(${ref})`);
    expect(text).toContain("not undone 1 update berths.Berth a: undone by pc1");
    await done(`undo(${ref})`);
    expect(api.berths.rows.get("b")).toMatchObject({ name: "Berth b" });
  });

  it("of a row of which a later effect was undone by itself", async () => {
    const before = api.berths.dump();
    const ref = await done('Berth.dig(id="d")\nBerth("d").update(name="D")');
    await done(`undo(${ref}, 2)`);
    await done(`undo(${ref})`);
    expect(api.berths.dump()).toBe(before);
  });

  it("of an effect per row, of those that were done", async () => {
    const before = api.berths.dump();
    const program = 'Berth.limit(3) => Berth(_.id).update(name=_.id + "!")';
    api.before = async (asked) => (asked === "PATCH /berths/c" ? answer(422) : null);
    const { text } = await agent.run(program, { force: true, wait: true });
    expect(text).toContain("effects: 2 done, 1 failed");
    expect(text).toMatch(/\nundo\(pc0\) plans how to take back the 2 that are done\n/u);
    api.before = async () => null;
    const planned = await agent.plan("undo(pc0)");
    expect(planned.text).toContain("not undone 3 update berths.Berth c: it was not done");
    await done("undo(pc0)");
    expect(api.berths.dump()).toBe(before);
  });
});

describe("what was there is there again, whatever it was (UNDO-03, UNDO-05)", () => {
  const texts = [
    "",
    " ",
    'a "quoted" \\ text',
    "two\nlines\r\n\tand a tab",
    "{{ rows }} ${x} <<T\nT",
    "today-7d",
    "null",
    "_.name",
    "Boat(1)",
    "\u0007\u001b[31m\u2028\u202e",
    "Ærø 🛥️ שלום",
    "2024-02-29",
    "x".repeat(5_000),
  ];
  it.each(texts)("a text: %j", async (name) => {
    api.berths.rows.set("a", { ...api.berths.rows.get("a"), name, tags: [name, "b"] });
    const before = api.berths.dump();
    await done('Berth("a").update(name="other", tags=[])');
    await done("undo(pc0)");
    expect(api.berths.dump()).toBe(before);
    await done('Berth("a").fill()');
    await done("undo(pc2)");
    expect(api.berths.dump()).toBe(before);
  });

  it.each([0, -1.5, 1e21, 5e-324, 123456789.123, null])("a number: %j", async (depth) => {
    api.berths.rows.set("a", { ...api.berths.rows.get("a"), depth, since: null });
    const before = api.berths.dump();
    await done('Berth("a").update(depth=7, since=2020-01-01)');
    await done("undo(pc0)");
    expect(api.berths.dump()).toBe(before);
  });

  it("in a session of symbols, and one that was opened anew", async () => {
    const opened = engine();
    const seeds = [{ api: "berths", entity: "Berth" }];
    const { meta } = await opened.context(LOCAL, { intent: "symbols", seeds });
    const at = { kind: "ref", ref: String(meta["logical_session_ref"]) } as const;
    const before = api.berths.dump();
    const program = 'Berth("a").update(name="A")';
    await opened.run(LOCAL, at, { program, force: true });
    const planned = await opened.plan(LOCAL, at, "undo(pc0)");
    expect(planned.text).toContain("plan review pc1");
    store.advance(3_700_000);
    await opened.context(LOCAL, { intent: "symbols", seeds });
    await opened.run(LOCAL, at, { program: "undo(pc0)", force: true });
    expect(api.berths.dump()).toBe(before);
  });

  it("where what is read before an effect fails, it is not sent", async () => {
    api.before = async (asked) => (asked.startsWith("GET") ? answer(403) : null);
    const { text } = await agent.run('Berth("a").update(name="A")', { force: true });
    expect(text).toContain("effects: 1 not started");
    expect(api.berths.performed).toEqual([]);
  });

  it("where there was no row before it, nothing is undone", async () => {
    let reads = 0;
    api.before = async (asked) => {
      reads += asked.startsWith("GET") ? 1 : 0;
      return asked.startsWith("GET") && reads === 1 ? answer(404) : null;
    };
    await done('Berth("a").update(name="A")');
    const { text } = await agent.plan("undo(pc0)");
    expect(text).toContain("not undone 1 update berths.Berth a: nothing that undoes it was kept");
  });
});

describe("an undo is an operation like any other (UNDO-05, UNDO-07)", () => {
  it("which may run by itself, and is waited for", async () => {
    const before = api.berths.dump();
    await done(ALL);
    await agent.plan("undo(pc0)");
    const { text } = await agent.run("undo(pc0)", { planCommitRef: "pc1", wait: false });
    const [, handle = ""] = /^wait\((\w+)\)/u.exec(text) ?? [];
    const ended = await agent.run(`wait(${handle})`, { wait: true });
    expect(ended.problem).toBeNull();
    expect(api.berths.dump()).toBe(before);
  });

  it("of two at once, one takes an effect back", async () => {
    const before = api.berths.dump();
    await done('Berth("b").update(name="B")\nBerth("a").update(name="A")');
    const performed = api.berths.performed.length;
    await agent.plan("undo(pc0)");
    await agent.plan("undo(pc0, 2)");
    const both = await Promise.all([
      agent.run("undo(pc0)", { planCommitRef: "pc1" }),
      agent.run("undo(pc0, 2)", { planCommitRef: "pc2" }),
    ]);
    expect(both.filter(({ problem }) => problem === null)).toHaveLength(1);
    await agent.plan("undo(pc0)");
    const rest = await agent.plan("undo(pc0)");
    if (rest.problem === null) {
      const ref = String(rest.meta["plan_commit_ref"]);
      await agent.run("undo(pc0)", { planCommitRef: ref });
    }
    expect(api.berths.dump()).toBe(before);
    expect(api.berths.performed.length - performed).toBe(2);
  });

  it("which an operator approves, where policy says so of its steps", async () => {
    const policy: Policy = { apis: { berths: { approval: { operator: ["delete"] } } } };
    const bound = await agentAs(LOCAL, "approved", policy);
    await bound.run('Berth.dig(id="d")', { force: true });
    const { problem } = await bound.run("undo(pc0)", { force: true });
    expect(problem?.code).toBe("plasm-approval-required");
    expect(api.berths.rows.has("d")).toBe(true);
  });
});

describe("an effect is not undone (UNDO-06, UNDO-07)", () => {
  it("where somebody changed its row since", async () => {
    const ref = await done('Berth("b").update(name="B")\nBerth("a").update(name="A")');
    api.berths.rows.set("a", { ...api.berths.rows.get("a"), depth: 7 });
    await agent.plan(`undo(${ref})`);
    const { text } = await agent.run(`undo(${ref})`, { planCommitRef: "pc1" });
    expect(text).toContain("precondition_failed");
    expect(text).toContain("Berth:a was changed since effect 2 of pc0, depth is 7 now");
    expect(api.berths.performed).toHaveLength(2);
    const explained = await engineExplain(`undo(${ref})`);
    expect(explained).toContain("was changed since");
    await done(`undo(${ref}, 1)`);
    expect(api.berths.rows.get("b")).toMatchObject({ name: "Berth b" });
    expect(api.berths.rows.get("a")).toMatchObject({ name: "A", depth: 7 });
  });

  it("UNDO-10 where somebody filled what the update had emptied unasked", async () => {
    const emptied = { id: "a", name: "Z", depth: null, since: null, state: "free", tags: [] };
    const ref = await replaced(emptied);
    api.berths.rows.set("a", { ...emptied, depth: 7 });
    await agent.plan(`undo(${ref})`);
    const { text } = await agent.run(`undo(${ref})`, { planCommitRef: "pc1" });
    expect(text).toContain("Berth:a was changed since effect 1 of pc0, depth is 7 now");
    expect(api.berths.rows.get("a")).toEqual({ ...emptied, depth: 7 });
  });

  it("UNDO-10 where a field is gone that its API leaves out when it is empty", async () => {
    const ref = await done('Berth("a").label(text="Z")');
    const { depth: _gone, ...rest } = api.berths.rows.get("a") ?? {};
    api.berths.rows.set("a", rest);
    await agent.plan(`undo(${ref})`);
    const { text } = await agent.run(`undo(${ref})`, { planCommitRef: "pc1" });
    expect(text).toContain("Berth:a was changed since effect 1 of pc0, depth is null now");
    expect(api.berths.performed).toHaveLength(1);
  });

  it("unless what was there before stands there again, as where an API ignored what was sent", async () => {
    const ref = await done('Berth("a").update(name="A", depth=9)');
    const before = { ...api.berths.rows.get("b") }["depth"];
    api.berths.rows.set("a", { ...api.berths.rows.get("a"), depth: before });
    await done(`undo(${ref})`);
    expect(api.berths.rows.get("a")).toMatchObject({ name: "Berth a", depth: before });
  });

  it("where its row is gone, or there again", async () => {
    const ref = await done('Berth.dig(id="d")\nBerth("a").fill()');
    api.berths.rows.delete("d");
    await agent.plan(`undo(${ref}, 1)`);
    const gone = await agent.run(`undo(${ref}, 1)`, { planCommitRef: "pc1" });
    expect(gone.text).toContain("Berth:d, which effect 1 of pc0 left, is gone");
    api.berths.rows.set("a", { id: "a", name: "Another" });
    await agent.plan(`undo(${ref}, 2)`);
    const there = await agent.run(`undo(${ref}, 2)`, { planCommitRef: "pc2" });
    expect(there.text).toContain("Berth:a is there again since effect 2 of pc0");
  });

  it("where it is in doubt, cannot be undone, or its catalog does not say how", async () => {
    api.before = async (asked) =>
      asked === "PATCH /berths/b"
        ? { ok: false, failure: { kind: "lost", sent: true, detail: "reset" } as never }
        : null;
    const program =
      'Berth("a").update(name="A")\nBerth("a").ring()\nBerth("a").sweep()\nBerth("b").update(name="B")';
    await agent.run(program, { force: true });
    const { text } = await agent.plan("undo(pc0)");
    expect(text.split("\n").filter((line) => line.startsWith("not undone"))).toEqual([
      "not undone 4 update berths.Berth b: in doubt: look whether it happened",
      "not undone 3 sweep berths.Berth a: its catalog does not say how",
      "not undone 2 ring berths.Berth a: nothing undoes it",
    ]);
    expect(text).toContain('update(name="Berth a")');
  });

  it("where the refs are another's, or never were: alike", async () => {
    await done('Berth("a").update(name="A")');
    const other = await agentAs({ ...LOCAL, scope: LOCAL.scope, subject: "eve" }, "others");
    const foreign = await other.plan("undo(pc0)");
    const never = await other.plan("undo(pc7)");
    expect(foreign.problem?.code).toBe("plasm-unknown-handle");
    expect(foreign.text).toBe(never.text.replace("pc7", "pc0"));
  });

  it("where the plan did not run, or has no such effect", async () => {
    await agent.plan('Berth("a").update(name="A")');
    expect((await agent.plan("undo(pc0)")).text).toContain("pc0 has changed nothing");
    await agent.runPlanned("pc0");
    expect((await agent.plan("undo(pc0, 2)")).text).toContain(
      "pc0 has no effect 2. It has 1 to 1.",
    );
  });

  it("where policy forbids what would undo it", async () => {
    await done('Berth.dig(id="d")');
    const bound = await agentAs(LOCAL, "berths", { apis: { berths: { deny: ["berth_fill"] } } });
    const { text } = await bound.plan("undo(pc0)");
    expect(text).toContain("Nothing of pc0 can be undone.");
    expect(api.berths.rows.has("d")).toBe(true);
  });
});

async function engineExplain(program: string): Promise<string> {
  const [opened] = engines;
  if (opened === undefined) throw new Error("no engine");
  try {
    const { text } = await opened.explain(LOCAL, { kind: "ref", ref: "s0" }, { program });
    return text;
  } catch (thrown) {
    return opened.problemOf(thrown).text;
  }
}
