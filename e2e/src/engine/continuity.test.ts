import { Failure } from "@plasm/agent-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { caller, engineUnderTest, START, type EngineUnderTest } from "./engine-under-test.ts";

const HOUR = 3_600_000;
const boat = { intent: "boats", seeds: [{ api: "quay", entity: "Boat" }] };
const person = { intent: "boats", seeds: [{ api: "quay", entity: "Person" }] };
const s0 = { kind: "ref", ref: "s0" } as const;

let under: EngineUnderTest;
beforeEach(async () => {
  under = await engineUnderTest();
});
afterEach(() => under.dispose());

async function problemOf(work: Promise<unknown>) {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Failure)) throw new Error("A Failure was expected", { cause: thrown });
  return thrown.problem;
}

describe("reuse on one connection", () => {
  const me = caller({ connection: "c1" });

  it("A1, A6, B4 answers an unchanged session with the notice only", async () => {
    const first = await under.engine.context(me, boat);
    expect(first.meta["continuity"]).toEqual({
      stale_binding_recovered: false,
      new_symbol_space: true,
      discard_cached_plasm_symbols: true,
    });
    const again = await under.engine.context(me, boat);
    expect(again.text).toBe("s0 unchanged: Boat. Names stand.");
    expect(again.meta).toMatchObject({ reused: true, waves: [], domain_revision: 1 });
    expect(again.meta["continuity"]).toEqual({
      stale_binding_recovered: false,
      new_symbol_space: false,
    });
  });

  it("A11, A25, A35 expands and federates in place, sending only what is new", async () => {
    const first = await under.engine.context(me, boat);
    const second = await under.engine.context(me, person);
    const third = await under.engine.context(me, {
      intent: "boats",
      seeds: [{ api: "yard", entity: "Boat" }],
    });
    const binding = first.meta["execute_binding"];
    for (const answer of [second, third]) expect(answer.meta["execute_binding"]).toEqual(binding);
    expect(second.meta).toMatchObject({ waves: [{ n: 2, mode: "expand", entities: ["Person"] }] });
    expect(third.meta).toMatchObject({ waves: [{ n: 3, mode: "federate", entry_id: "yard" }] });
    expect(second.text).toContain("Added from quay: Person");
    expect(second.text).not.toContain("Write Plasm programs");
    expect(second.text).not.toContain("\te1\n");
  });

  it("A18, P13 replays every stored wave unchanged, and the delta behind them", async () => {
    await under.engine.context(me, boat);
    await under.engine.context(me, person);
    const { prompt } = await under.engine.describe(me, s0);
    const replay = await under.engine.context(me, { ...boat, replay: true });
    expect(replay.text.split("\n").slice(1).join("\n")).toBe(prompt);
  });

  it("SESS-15, B23 a reused open says so; another notation changes nothing, and the notice says that", async () => {
    const first = await under.engine.context(me, boat);
    const { prompt } = await under.engine.describe(me, s0);
    const same = await under.engine.context(me, { ...boat, notation: "names" });
    expect(same.text).toBe("s0 unchanged: Boat. Names stand.");
    const other = await under.engine.context(me, { ...boat, notation: "symbols" });
    expect(other.text).toBe(
      "s0 unchanged: Boat. Names stand. Notation stays names: it is fixed when a session opens.",
    );
    for (const { meta } of [same, other]) {
      expect(meta).toMatchObject({ reused: true, notation: "names", waves: [] });
      expect(meta["continuity"]).toMatchObject({ new_symbol_space: false });
      expect(meta["execute_binding"]).toEqual(first.meta["execute_binding"]);
    }
    expect((await under.engine.describe(me, s0))["prompt"]).toBe(prompt);
    const delta = await under.engine.context(me, { ...person, notation: "symbols" });
    expect(delta.text).toContain("Notation stays names: it is fixed when a session opens.");
    expect(delta.text).toContain("Added from quay: Person");
    expect(delta.meta).toMatchObject({ reused: true, notation: "names" });
  });

  it("SESS-15 who asks for no notation is told of none, whatever the session's is", async () => {
    const symbols = { intent: "boats", seeds: boat.seeds, notation: "symbols" };
    expect((await under.engine.context(me, symbols)).meta["notation"]).toBe("symbols");
    const again = await under.engine.context(me, boat);
    expect(again.text).toBe("s0 unchanged: e1 Boat. Symbols stand.");
    expect(again.meta["notation"]).toBe("symbols");
    for (const more of [person, { ...boat, replay: true }]) {
      const { text, meta } = await under.engine.context(me, more);
      expect(text).not.toContain("Notation");
      expect(meta["notation"]).toBe("symbols");
    }
    const asked = await under.engine.context(me, { ...boat, notation: "names" });
    expect(asked.text).toContain("Notation stays symbols: it is fixed when a session opens.");
  });

  it("SESS-17, F4 a seed that fails changes nothing", async () => {
    await under.engine.context(me, boat);
    const bad = {
      intent: "boats",
      seeds: [
        { api: "quay", entity: "Person" },
        { api: "yard", entity: "Boot" },
      ],
    };
    const found = await problemOf(under.engine.context(me, bad));
    expect(found).toMatchObject({ code: "plasm-unknown-entity" });
    expect(found.text).toContain("Boat, Part");
    expect((await under.engine.context(me, boat)).meta["domain_revision"]).toBe(1);
    const other = { intent: "other", seeds: bad.seeds };
    await problemOf(under.engine.context(me, other));
    const opened = await under.engine.context(me, { ...other, seeds: boat.seeds });
    expect(opened.meta["logical_session_ref"]).toBe("s1");
  });

  it("SESS-19 tells a connection that has not seen the tables how to get them", async () => {
    await under.engine.context(me, boat);
    const other = caller({ connection: "c2" });
    const notice = await under.engine.context(other, boat);
    expect(notice.text).toBe(
      "s0 unchanged: Boat. Names stand. This connection has not seen the tables; replay:true sends them.",
    );
    const without = await under.engine.context(caller(), boat);
    expect(without.text).toMatch(/replay:true sends the tables again\.$/);
  });
});

describe("loss and recovery", () => {
  const me = caller({ connection: "c1" });

  it("B20, B22, F8 a loss first seen by a program is reported by the next context", async () => {
    const first = await under.engine.context(me, boat);
    under.setNow(START + HOUR + 1);
    const lost = await problemOf(under.engine.plan(me, s0, "Boat"));
    expect(lost).toMatchObject({ code: "plasm-session-lost", status: 410 });
    expect(lost.text).toBe(
      "Session s0 expired. Call plasm_context with the same intent and seeds; all e#, m#, p# change.",
    );
    const again = await under.engine.context(me, boat);
    expect(again.meta["continuity"]).toEqual({
      stale_binding_recovered: true,
      new_symbol_space: true,
      discard_cached_plasm_symbols: true,
      previous_execute: first.meta["execute_binding"],
      reason: "expired",
    });
    expect(again.text).toMatch(
      /^logical_session_ref s0\nNOTICE: the earlier session of s0 is gone \(expired\)\. Every e#, m#, p# seen before is void\. Use only the table below\.\n/,
    );
    expect(again.meta["logical_session_ref"]).toBe("s0");
  });

  it("F22, SESS-25 repeats notice and flags until a program was accepted", async () => {
    await under.engine.context(me, boat);
    under.setNow(START + HOUR + 1);
    await under.engine.context(me, boat);
    const repeated = await under.engine.context(me, boat);
    expect(repeated.text).toContain("If its new table did not reach you, replay:true sends it.");
    expect(repeated.meta["continuity"]).toMatchObject({ stale_binding_recovered: true });
    await under.engine.plan(me, s0, "Boat");
    const settled = await under.engine.context(me, boat);
    expect(settled.text).toBe("s0 unchanged: Boat. Names stand.");
  });

  it("F21, SESS-40 another connection's old symbols are refused until its own context", async () => {
    const other = caller({ connection: "c2" });
    await under.engine.context(me, boat);
    await under.engine.context(other, { ...boat, replay: true });
    under.setNow(START + HOUR + 1);
    await under.engine.context(me, boat);
    await under.engine.plan(me, s0, "Boat");
    expect(await problemOf(under.engine.plan(other, s0, "Boat"))).toMatchObject({
      code: "plasm-session-lost",
    });
    const recovered = await under.engine.context(other, boat);
    expect(recovered.text).toContain("NOTICE: the earlier session of s0 is gone");
    expect(recovered.text).toContain("plasm_expr");
    expect(recovered.meta["continuity"]).toMatchObject({ stale_binding_recovered: true });
    await under.engine.plan(other, s0, "Boat");
  });

  it("B5, SESS-11 programs renew a session, reading its description does not", async () => {
    await under.engine.context(me, boat);
    under.setNow(START + HOUR - 1);
    await under.engine.plan(me, s0, "Boat");
    under.setNow(START + 2 * HOUR - 2);
    expect((await under.engine.plan(me, s0, "Boat")).meta["dry_verdict"]).toBe("ok");
    under.setNow(START + 3 * HOUR);
    expect(await problemOf(under.engine.plan(me, s0, "Boat"))).toMatchObject({
      code: "plasm-session-lost",
    });
  });
});

describe("identity", () => {
  it("B2, P5 concurrent opens of one intent give one session that holds all seeds (F6, F23)", async () => {
    const entities = ["Boat", "Person", "Visit", "Log", "Paper", "Office"];
    const answers = await Promise.all(
      entities.map((entity) =>
        under.engine.context(caller(), { intent: "all", seeds: [{ api: "quay", entity }] }),
      ),
    );
    const ids = new Set(answers.map((one) => one.meta["logical_session_id"]));
    const bindings = new Set(answers.map((one) => JSON.stringify(one.meta["execute_binding"])));
    expect([ids.size, bindings.size]).toEqual([1, 1]);
    const { entities: held } = await under.engine.describe(caller(), s0);
    expect((held as string[]).toSorted()).toEqual(entities.toSorted());
  });

  it("P25, F17, G3 scopes and principals share nothing, and foreign looks like unknown", async () => {
    await under.engine.context(caller(), boat);
    const stranger = caller({ scope: "t2" });
    const foreign = await problemOf(under.engine.plan(stranger, s0, "Boat"));
    const unknown = await problemOf(
      under.engine.plan(stranger, { kind: "ref", ref: "s0" }, "Boat"),
    );
    expect(foreign).toEqual(unknown);
    expect(foreign.text).toBe("No session s0. Call plasm_context first with intent and seeds.");
  });

  it("SESS-7, B9 another intent is another session, be it by a blank; nothing is carried over", async () => {
    const first = await under.engine.context(caller(), boat);
    await under.engine.plan(caller(), s0, "Boat.limit(3)");
    for (const [at, intent] of ["boats ", "Boats", "boats\n", " boats"].entries()) {
      const { meta } = await under.engine.context(caller(), { ...boat, intent });
      expect(meta["logical_session_ref"]).toBe(`s${at + 1}`);
      expect(meta["logical_session_id"]).not.toBe(first.meta["logical_session_id"]);
      expect(meta["execute_binding"]).not.toEqual(first.meta["execute_binding"]);
      expect(meta).toMatchObject({ reused: false, continuity: { new_symbol_space: true } });
      const own = { kind: "ref", ref: `s${at + 1}` } as const;
      const run = under.engine.run(caller(), own, {
        program: 'Boat("b1").ping()',
        planCommitRef: "pc0",
      });
      expect((await problemOf(run)).text).toMatch(/^review pc0: not run \(unknown ref pc0\)/);
    }
    const back = await under.engine.context(caller(), boat);
    expect(back.meta["execute_binding"]).toEqual(first.meta["execute_binding"]);
  });

  it("A22, A30 numbers sessions per principal; a handle works under its own ref only", async () => {
    for (const [at, intent] of ["one", "two", "three"].entries()) {
      const answer = await under.engine.context(caller(), { ...boat, intent });
      expect(answer.meta["logical_session_ref"]).toBe(`s${at}`);
    }
    const wrong = under.engine.run(caller(), s0, { program: "page(s1_pg1)" });
    expect(await problemOf(wrong)).toMatchObject({ code: "plasm-unknown-handle", status: 404 });
  });

  it("F16, SESS-35 a restart changes nothing", async () => {
    const me = caller({ connection: "c1" });
    const first = await under.engine.context(me, boat);
    const planned = await under.engine.plan(me, s0, "Boat.limit(3)");
    const engine = await under.restart();
    const again = await engine.context(me, boat);
    expect(again.meta["execute_binding"]).toEqual(first.meta["execute_binding"]);
    expect(again.text).toBe("s0 unchanged: Boat. Names stand.");
    const replanned = await engine.plan(me, s0, "Boat.limit(3) ;; the same");
    expect(replanned.meta["plan_commit_ref"]).toBe(planned.meta["plan_commit_ref"]);
  });
});

describe("commit refs", () => {
  const me = caller();

  it("OPS-2, L6, L8 a plan keeps its ref while it lives, another gets the next", async () => {
    await under.engine.context(me, boat);
    const ref = async (program: string) =>
      (await under.engine.plan(me, s0, program)).meta["plan_commit_ref"];
    expect(await ref("Boat.limit(3)")).toBe("pc0");
    expect(await ref("e1.limit( 3 )")).toBe("pc0");
    expect(await ref("Boat.limit(4)")).toBe("pc1");
  });

  it("L12 a ref lives 600 s from minting, not sliding", async () => {
    await under.engine.context(me, boat);
    const plan = () => under.engine.plan(me, s0, 'Boat("b1").ping()');
    expect((await plan()).meta).toMatchObject({
      plan_commit_ref: "pc0",
      plan_commit_expires_at: "2026-01-05T10:10:00Z",
      dry_verdict: "review",
    });
    under.setNow(START + 599_000);
    expect((await plan()).meta["plan_commit_ref"]).toBe("pc0");
    under.setNow(START + 601_000);
    const run = under.engine.run(me, s0, { program: 'Boat("b1").ping()', planCommitRef: "pc0" });
    const blocked = await problemOf(run);
    expect(blocked).toMatchObject({ code: "plasm-review-required", status: 409 });
    expect(blocked.text).toMatch(/^review pc1: not run \(expired ref pc0\)\n/);
    expect(blocked.text).toMatch(/\nRun again with plan_commit_ref=pc1$/);
  });
});
