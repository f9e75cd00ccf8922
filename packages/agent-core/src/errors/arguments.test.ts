import { describe, expect, it, test } from "vitest";
import { actingIn, HOSTILE_TEXTS } from "@plasm/testkit";
import { Failure } from "./problem.ts";
import { named, refuseNoList, refuseNoText, refuseUnknown } from "./arguments.ts";
import { agentOn, engineOn } from "../../test/engine-on.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { testStore } from "../../test/test-store.ts";

const known = {
  of: "plasm_run",
  told: ["logical_session_ref", "program", "plan_commit_ref"],
  untold: ["wait"],
};

const textOf = (given: readonly string[]): string | null => {
  try {
    refuseUnknown(given, known);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    expect(thrown.problem.code).toBe("plasm-bad-request");
    return thrown.problem.text;
  }
};

describe("refuseUnknown (SURF-4)", () => {
  it.each([[["program", "logical_session_ref", "wait"]], [[]]])("takes %j", (given) => {
    expect(textOf(given)).toBeNull();
  });

  it.each([
    ["plan_comit_ref", "plan_commit_ref"],
    ["Program", "program"],
    ["waits", "wait"],
    ["logicalSessionRef", "logical_session_ref"],
  ])("%s is refused and %s named", (given, near) => {
    expect(textOf([given])).toContain(`takes no argument ${given}. Did you mean ${near}?`);
  });

  it("names what is taken, and nothing untold, when no name is near", () => {
    expect(textOf(["zzz"])).toBe(
      "plasm_run takes no argument zzz. It takes: logical_session_ref, program, plan_commit_ref.",
    );
  });
});

const program = (value: unknown): string =>
  refuseNoText("program", value, "one text, statements by line").problem.text;
const seeds = (value: unknown): string => refuseNoList("seeds", value, "seed").problem.text;

test.each([
  [program(undefined), "program is missing: one text, statements by line."],
  [program(["Boat"]), "program is a list, and must be one text, statements by line."],
  [program({ a: 1 }), "program is an object, and must be one text, statements by line."],
  [program(null), "program is null, and must be one text, statements by line."],
  [program(7), "program is a number, and must be one text, statements by line."],
  [seeds(undefined), "seeds is missing: at least one seed."],
  [seeds([]), "seeds is missing: at least one seed."],
  [seeds("Boat"), "seeds is text, and must be a list of at least one seed."],
])("SURF-4, SURF-18: %s", (found, expected) => expect(found).toBe(expected));

describe("what a caller gave is repeated as far as it can be known by", () => {
  it.each([
    ["s0_pg7", "s0_pg7"],
    ["x".repeat(240), "x".repeat(240)],
    ["x".repeat(241), `${"x".repeat(240)}… (241 characters)`],
    ["🛶".repeat(300), `${"🛶".repeat(240)}… (600 characters)`],
  ])("%#", (text, shown) => expect(named(text)).toBe(shown));

  it.each(HOSTILE_TEXTS)("$name stays on its line", ({ text }) => {
    for (const shown of [named(text), named(text.repeat(300))]) {
      expect(actingIn(shown)).toEqual([]);
      expect(shown).not.toMatch(/[\n\t]/);
    }
  });

  it("so no answer grows with a handle, and mended programs have a limit", async () => {
    const engine = engineOn({ store: testStore(), api: boatsApi() });
    const agent = await agentOn(engine);
    const handle = `s0_${"p".repeat(200_000)}`;
    for (const told of [await agent.plan(`page(${handle})`), await agent.run(`page(${handle})`)]) {
      expect(told.problem).not.toBeNull();
      expect(told.text.length).toBeLessThan(2_000);
    }
    const long = `Boat.sort(lenght)\n;; ${"x".repeat(100_000)}`;
    const { problem } = await agent.plan(long);
    expect(problem?.text.length).toBeLessThan(10_000);
    const short = await agent.plan("Boat.sort(lenght)");
    expect(short.problem?.errors[0]?.suggested_program).toBe("Boat.sort(length)");
    await engine.close();
  });
});
