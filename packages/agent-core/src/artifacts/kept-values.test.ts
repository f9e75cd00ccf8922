import { beforeEach, describe, expect, it } from "vitest";
import { type BoatsApi, boatsApi } from "../../test/boats-api.ts";
import { type Agent, agentOn, engineOn } from "../../test/engine-on.ts";
import { testStore } from "../../test/test-store.ts";
import type { Engine } from "../engine.ts";
import { LOCAL } from "../identity/caller.ts";

const NOTE = `${"A long note, which nobody reads. ".repeat(3_000)}The end, and "quotes" ${"x".repeat(20)}.`;

let api: BoatsApi;
let engine: Engine;
let agent: Agent;
beforeEach(async () => {
  api = boatsApi(3);
  const store = testStore();
  engine = engineOn({ store, api });
  agent = await agentOn(engine);
  api.before = async ({ method, path }) =>
    method === "GET" && path === "/boats/b1"
      ? { status: 200, json: { id: "b1", name: "Alma", owner: "ann", note: NOTE } }
      : null;
});

const patched = (): unknown => api.asked.findLast(({ method }) => method === "PATCH")?.body;
const requests = (): number => api.asked.length;

describe("LANG-057 a value of an earlier answer is passed on unseen", () => {
  it("whole, by the handle that stands where it is cut, without reading it again", async () => {
    const read = await agent.run('Boat("b1")[id, note]');
    expect(read.text).toContain("note clipped");
    expect(read.text).toContain(
      'to pass on: kept(s0_r1, note) · to edit a part: replace(a.note, "old", "new")',
    );
    const before = requests();
    const program = 'Boat("b2").update(note=kept(s0_r1, note))';
    const planned = await agent.plan(program);
    expect(planned.text).toContain('update(note=kept("s0_r1", "note"))');
    const done = await agent.runPlanned("pc1", { force: true });
    expect(done.problem).toBeNull();
    expect(patched()).toEqual({ note: NOTE });
    expect(requests()).toBe(before + 1);
    expect(done.text.length + planned.text.length).toBeLessThan(2_500);
  });

  it("of several rows by its key, and within what is computed of it", async () => {
    const read = await agent.run("Boat[id, name]");
    expect(read.problem).toBeNull();
    await agent.run(
      'Boat("b3").update(note="from " + kept(s0_r1, name, b2), name=replace(kept(r1, name, b1), "Boat", "Ship"))',
      { force: true },
    );
    expect(patched()).toEqual({ note: "from Boat b2", name: "Ship b1" });
    const derived = await agent.run(
      'Boat("b2") => {n: kept(s0_r1, name, b3), same: _.name = kept(s0_r1, name, b2)}',
    );
    expect(derived.text).toContain("Boat b3\ttrue");
    const found = await agent.run("Boat{name=kept(s0_r1, name, b2)}[id]");
    expect(found.text).toContain("b2");
    expect(found.text).not.toContain("b3");
  });

  it("as its slot takes it: anything else fails before the first effect is sent", async () => {
    await agent.run('Boat("b1")[id, note, flags]');
    const done = await agent.run('Boat("b2").update(state=kept(s0_r1, note))', { force: true });
    expect(done.problem).not.toBeNull();
    expect(api.performed).toEqual([]);
  });
});

describe("LANG-057 SESS-38 a handle that names nothing here", () => {
  const others = { ...LOCAL, scope: "acme", subject: "eve" };

  it("answers alike whether it is of somebody else, of another session, or never was, planned, explained and run", async () => {
    await agent.run('Boat("b1")[id, note]');
    const program = 'Boat("b2").update(note=kept(r1, note))';
    const texts: string[] = [];
    for (const [intent, caller] of [
      ["another session", LOCAL],
      ["somebody else", others],
    ] as const) {
      const other = await agentOn(engine, intent, caller);
      const told = [await other.plan(program), await other.run(program, { force: true })];
      for (const { problem, text } of told) {
        expect(problem?.code).toBe("plasm-unknown-handle");
        texts.push(text);
      }
    }
    const never = await agent.plan('Boat("b2").update(note=kept(r7, note))');
    texts.push(never.text.replace("r7", "r1"));
    const foreign = await agent.plan('Boat("b2").update(note=kept(s9_r1, note))');
    texts.push(foreign.text.replace("s9_r1", "r1"));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain("fix: name one that an answer of this session names");
    expect(api.performed).toEqual([]);
  });

  it.each([
    ["kept(s0_r1, nothing)", "has no column nothing", "name"],
    ["kept(s0_r1, name)", "has 3 rows", "kept(s0_r1, name, key)"],
    ["kept(s0_r1, name, b9)", "and none b9", "kept(s0_r1, name, key)"],
  ])("%s says what there is", async (value, problem, fix) => {
    await agent.run("Boat[id, name]");
    const { text } = await agent.plan(`Boat("b2").update(note=${value})`);
    expect(text).toContain(problem);
    expect(text).toContain(fix);
  });

  it.each(["kept(note)", "kept(Boat, note)", "kept(s0_pg1, note)", "kept(s0_r1, [note])"])(
    "%s is no name of a value",
    async (value) => {
      const { text } = await agent.plan(`Boat("b2").update(note=${value})`);
      expect(text).toContain("kept(s0_r1, column)");
    },
  );
});
