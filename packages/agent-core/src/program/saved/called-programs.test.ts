import { describe, expect, it } from "vitest";
import { agentOn } from "../../../test/engine-on.ts";
import { useWorld } from "../../../test/use-world.ts";
import type { Caller } from "../../identity/caller.ts";

const ANN: Caller = { scope: "acme", subject: "ann", connection: null, requestId: "r1" };
const BOB: Caller = { ...ANN, subject: "bob" };
const READER: Caller = { ...ANN, readsOnly: { lacks: "effects", stepUp: null } };
const S0 = { kind: "ref", ref: "s0" } as const;

const world = useWorld();

const problemOf = (call: Promise<unknown>): Promise<{ code: string; text: string }> =>
  call.then(
    () => ({ code: "ok", text: "ok" }),
    (thrown: unknown) => world().engine.problemOf(thrown),
  );

interface Entry {
  readonly name: string;
  readonly program: string;
  readonly parameters?: readonly string[];
  readonly shared?: boolean;
  readonly entities?: string;
}

/** Saves what a text says. */
const keeps = (entry: Entry, caller = ANN) =>
  world().engine.programs.import(
    caller,
    [
      `;; name: ${entry.name}`,
      `;; parameters: ${(entry.parameters ?? []).join(", ")}`,
      `;; shared: ${entry.shared === true ? "yes" : "no"}`,
      `;; entities: ${entry.entities ?? "quay.Boat"}`,
      "",
      entry.program,
    ].join("\n"),
  );

const MOORED = {
  name: "moored",
  parameters: ["long"],
  program: "long = 5\nboats = Boat{state=moored, length>long}[id, name]\nboats",
};
const SEND = {
  name: "send_all",
  parameters: ["place"],
  program: 'place = "harbour"\nb = Boat{state=moored}\nb => Boat(_.id).send(to=place)',
};

describe("SAV-13 a saved program is called in a program", () => {
  it("in a session of symbols, with the caller's values, several times", async () => {
    const { engine } = world();
    await keeps(MOORED);
    await engine.context(ANN, { intent: "own", seeds: [{ api: "quay", entity: "Visit" }] });
    const program = "a = s.moored(long=1)\nb = s.moored(long=11)\na.limit(1)[id], b";
    const answer = await engine.run(ANN, S0, { program });
    expect(answer.results.map((one) => [one.name, one.row_count])).toEqual([
      ["Boat", 1],
      ["b", 0],
    ]);
    expect((await engine.run(ANN, S0, { program: "s.moored()" })).text).toContain(
      "moored · 3 rows",
    );
  });

  it("whose effects are reviewed, and run by a ref alone as they were planned", async () => {
    const { engine, api } = world();
    await keeps(SEND);
    await agentOn(engine, "boats", ANN);
    const program = 's.send_all(place="dock")';
    expect((await problemOf(engine.run(ANN, S0, { program }))).code).toBe("plasm-review-required");
    const planned = await engine.plan(ANN, S0, program);
    const planCommitRef = planned.meta["plan_commit_ref"];
    expect(planned.text).toContain("dock");
    await engine.programs.remove(ANN, "send_all");
    await engine.run(ANN, S0, { planCommitRef, wait: true });
    expect(api.performed).toHaveLength(3);
    const reader = await problemOf(engine.run(READER, S0, { program: 'Boat("b1").send(to="x")' }));
    expect(reader.code).toBe("plasm-insufficient-scope");
  });

  it("only by who may run it", async () => {
    const { engine } = world();
    await keeps(MOORED);
    await agentOn(engine, "boats", BOB);
    const program = "s.moored()";
    const problem = await problemOf(engine.plan(BOB, S0, program));
    expect(problem).toMatchObject({ code: "plasm-unknown-program" });
    await keeps({ ...MOORED, shared: true });
    expect((await problemOf(engine.plan(BOB, S0, program))).code).toBe("ok");
  });

  it("and its mistakes are told where its caller wrote them, with nothing of its text", async () => {
    await keeps(MOORED);
    await agentOn(world().engine, "boats", ANN);
    const { text } = await problemOf(
      world().engine.plan(ANN, S0, 'a = s.moored(lon="x")\na[nmae]'),
    );
    expect(text).toContain("error argument_unknown at 1:14");
    expect(text).not.toContain(";;");
    const two = await problemOf(world().engine.plan(ANN, S0, "a = s.moored(lon=1)\na"));
    expect(two.text).toContain("try:\na = s.moored(long=1)\na");
    expect(two.text).not.toContain(";;");
  });
});

describe("SAV-14 saved programs call saved programs", () => {
  const OUTER = {
    name: "two_moored",
    parameters: ["long"],
    program: "long = 3\nb = s.moored(long=long)\nb.limit(2)",
  };

  it("by name, and are saved, run and exported with the call", async () => {
    const { engine } = world();
    await keeps(MOORED);
    const outer = await keeps(OUTER);
    expect(outer.program).toBe(OUTER.program);
    const { session, program } = await engine.programs.open(ANN, "two_moored", { long: 1 });
    const ran = await engine.run(ANN, { kind: "pair", ...session }, { program });
    expect(ran.results[0]?.row_count).toBe(2);
    await agentOn(engine, "boats", ANN);
    const planned = await engine.plan(ANN, S0, "c = s.two_moored(long=2)\nc[id]");
    const again = await engine.programs.save(ANN, S0, {
      planCommitRef: planned.meta["plan_commit_ref"],
      name: "outermost",
    });
    expect(again.program).toBe("c = s.two_moored(long=2)\nc[id]");
  });

  it("in a circle are refused when saved and when planned, with the chain", async () => {
    const { engine } = world();
    await keeps(MOORED);
    await keeps(OUTER);
    const circle = await problemOf(keeps({ ...MOORED, program: "b = s.two_moored()\nb" }));
    expect(circle.text).toContain("s.moored → s.two_moored → s.moored");
    const own = await problemOf(keeps({ ...MOORED, program: "b = s.moored()\nb" }));
    expect(own.text).toContain("s.moored → s.moored");
    expect((await engine.programs.find(ANN, "moored")).program).toBe(MOORED.program);
  });

  it("ask again when what they call has changed, or is gone, and name it", async () => {
    const { engine } = world();
    const first = await keeps(MOORED);
    await keeps(OUTER);
    await agentOn(engine, "boats", ANN);
    const commitOf = async (program: string) =>
      ((await engine.plan(ANN, S0, program)).meta as { plan: { commit: string } }).plan.commit;
    const before = await commitOf("s.moored()");
    const second = await keeps({ ...MOORED, program: MOORED.program.replace("moored,", "lost,") });
    expect(second.version).not.toBe(first.version);
    expect(await commitOf("s.moored()")).not.toBe(before);
    for (const call of [
      engine.plan(ANN, S0, "s.two_moored()"),
      engine.programs.open(ANN, "two_moored", {}),
    ]) {
      const { code, text } = await problemOf(call);
      expect(code).toBe("plasm-program-changed");
      expect(text).toContain("s.moored, which was saved again since");
    }
    await engine.programs.remove(ANN, "moored");
    const gone = await problemOf(engine.plan(ANN, S0, "s.two_moored()"));
    expect(gone.text).toContain("s.two_moored cannot call what it calls: No saved program moored");
  });

  it("that are shared call shared ones, whatever else their caller has saved", async () => {
    const { engine } = world();
    await keeps(MOORED);
    const alone = await problemOf(keeps({ ...OUTER, shared: true }));
    expect(alone.code).toBe("plasm-unknown-program");
    await keeps({ ...MOORED, shared: true });
    await keeps({ ...OUTER, shared: true });
    await keeps({ ...MOORED, program: "Boat{state=lost}[id]", parameters: [] }, BOB);
    const { session, program } = await engine.programs.open(BOB, "two_moored", {});
    expect(program).toContain("state=moored");
    expect((await engine.run(BOB, { kind: "pair", ...session }, { program })).text).toContain(
      "2 rows",
    );
    await agentOn(engine, "boats", BOB);
    const both = "a = s.moored()\nb = s.two_moored()\na, b";
    expect((await problemOf(engine.plan(BOB, S0, both))).text).toContain("two programs here");
  });

  it("not deeper than eight", async () => {
    const { engine } = world();
    await keeps({ name: "level_0", program: "b = Boat[id]\nb" });
    let problem = { code: "ok", text: "" };
    for (let n = 1; n < 12 && problem.code === "ok"; n += 1)
      problem = await problemOf(
        keeps({ name: `level_${n}`, program: `b = s.level_${n - 1}()\nb` }),
      );
    expect(problem.text).toContain("within each other");
    expect((await engine.programs.list(ANN)).length).toBe(8);
  });
});
