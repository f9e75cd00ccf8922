import { beforeEach, describe, expect, it } from "vitest";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import type { Engine } from "../../engine.ts";
import { LOCAL } from "../../identity/caller.ts";
import { plasmShow } from "../../tools/all-tools.ts";
import { answerTool } from "../../tools/tool.ts";

const PROGRAM = 'Boat("b1").update(note="x")';

let engine: Engine;
beforeEach(() => {
  engine = engineOn({ store: testStore(), api: boatsApi(3) });
});

const show = (args: object, caller = LOCAL) =>
  answerTool(plasmShow, { engine, caller, args: { ...args } });

describe("OPS-38 SURF-45 what was planned under a ref is explained without its program", () => {
  it("as the program is, which comes with it, and the ref stays what it was", async () => {
    const agent = await agentOn(engine);
    const { meta } = await agent.plan(PROGRAM);
    expect(meta["plan_commit_ref"]).toBe("pc0");
    const shown = await show({ logical_session_ref: "s0", plan_commit_ref: "pc0" });
    expect(shown.text).toContain("explain review pc0 · 1 request sent, 1 effect not sent");
    expect(shown.meta).toMatchObject({
      plan_commit_ref: "pc0",
      plan: { commit: (meta["plan"] as { readonly commit: string }).commit },
      program: PROGRAM,
      explained: [{ entity: "Boat", changes: [{ field: "note", after: "x" }] }],
    });
    const again = await engine.explain(LOCAL, { kind: "ref", ref: "s0" }, { program: PROGRAM });
    expect(again.text).toBe(shown.text);
    expect(again.meta).not.toHaveProperty("program");
    expect((await agent.runPlanned("pc0", { force: true })).problem).toBeNull();
  });

  it.each([
    [{ plan_commit_ref: "pc7" }, "pc7"],
    [{ plan_commit_ref: "s0" }, "plan_commit_ref is the pcN of a plan, such as pc0."],
    [{}, "plan_commit_ref is missing: the pcN of a plan."],
    [{ plan_commit_ref: "pc0", program: PROGRAM }, "program"],
  ])("%j is told what is wrong", async (args, said) => {
    await (await agentOn(engine)).plan(PROGRAM);
    await expect(show({ logical_session_ref: "s0", ...args })).rejects.toThrow(said);
  });

  it("a ref of somebody else is none", async () => {
    await (await agentOn(engine)).plan(PROGRAM);
    const other = { ...LOCAL, scope: "acme", subject: "eve" };
    await expect(
      show({ logical_session_ref: "s0", plan_commit_ref: "pc0" }, other),
    ).rejects.toThrow();
  });
});
