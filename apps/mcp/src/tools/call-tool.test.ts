import { LOCAL } from "@plasm/agent-core";
import { fail, TOOLS, type ToolArguments } from "@plasm/agent-core/internal";
import { describe, expect, it } from "vitest";
import type { CallRecord } from "@plasm/host";
import { fakeEngine } from "../testing/fake-engine.ts";
import { callTool } from "./call-tool.ts";

async function call(name: string, args: ToolArguments, failure?: unknown) {
  const fake = fakeEngine();
  if (failure !== undefined) fake.failNext(failure);
  const tool = TOOLS.find(({ definition }) => definition.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const result = await callTool(tool, { engine: fake.engine, caller: LOCAL }, args);
  const [first] = result.content;
  const text = first?.type === "text" ? first.text : "";
  return { result, text, calls: fake.calls };
}

const address = { kind: "ref", ref: "s0" };
const base = { logical_session_ref: "s0", program: "Boat" };

describe("answers", () => {
  it("are text and _meta.plasm, and nothing else (SURF-5, G11)", async () => {
    const { result } = await call("plasm", base);
    expect(result).toEqual({
      content: [{ type: "text", text: "the text" }],
      _meta: { plasm: { n: 1 } },
    });
  });

  it("of a failure have isError, its text and _meta.plasm.error (SURF-6, ERR-031)", async () => {
    const failure = fail("plasm-review-required", "review pc1: not run", {
      meta: { error: { code: "plasm-review-required", reason: "none" }, plan_commit_ref: "pc1" },
    });
    const { result, text } = await call("plasm_run", base, failure);
    expect(text).toBe("review pc1: not run");
    expect(result.isError).toBe(true);
    expect(result._meta).toEqual({
      plasm: {
        plan_commit_ref: "pc1",
        error: {
          type: "urn:problem:plasm-review-required",
          title: "Plan needs review",
          status: 409,
          code: "plasm-review-required",
          reason: "none",
          retryable: false,
          detail: "review pc1: not run",
          errors: [],
        },
      },
    });
  });
});

describe("arguments (SURF-4)", () => {
  it.each([
    ["plasm_context", "graft", "Did you mean grafts?"],
    ["grafted_context_fetch", "graft", "It takes: graft_id, logical_session_ref, offset."],
    ["plasm_context", "seed", "Did you mean seeds?"],
    ["plasm", "programm", "Did you mean program?"],
    ["plasm_run", "explain", "It takes:"],
    ["discover_capabilities", "api", "Did you mean apis?"],
  ])("%s refuses %s: %s", async (tool, name, said) => {
    const { result, text, calls } = await call(tool, { [name]: "x" });
    expect(result.isError).toBe(true);
    expect(text).toContain(`${tool} takes no argument ${name}.`);
    expect(text).toContain(said);
    expect(calls).toEqual([]);
  });

  it("an unknown argument is answered with the nearest known one", async () => {
    const { text } = await call("plasm_run", { ...base, plan_comit_ref: "pc0" });
    expect(text).toBe(
      "plasm_run takes no argument plan_comit_ref. Did you mean plan_commit_ref? " +
        "It takes: logical_session_ref, program, plan_commit_ref, force, wait, save.",
    );
  });

  it.each(["plasm", "plasm_run"])("%s takes what is not advertised", async (tool) => {
    const untold = { mode: "plan", wait: true, force: false, plan_commit_ref: "pc0" };
    const { result } = await call(tool, { ...base, ...untold });
    expect(result.isError).toBeUndefined();
  });

  it("a call without a session is told to open one (SURF-2)", async () => {
    const { result, text } = await call("plasm_run", { program: "Boat" });
    expect(result.isError).toBe(true);
    expect(text).toContain("Call plasm_context first");
  });
});

describe("what reaches the engine", () => {
  it("plasm never runs, whatever mode, force, wait (G13, OPS-34)", async () => {
    for (const extra of [{}, { force: true }, { wait: false }, { force: "x", wait: "y" }]) {
      const { calls } = await call("plasm", { ...base, ...extra });
      expect(calls).toMatchObject([{ method: "plan", caller: LOCAL, args: [address, "Boat"] }]);
    }
    for (const mode of ["run", "live", true, null]) {
      const { result, calls } = await call("plasm", { ...base, mode, force: true });
      expect(result.isError).toBe(true);
      expect(calls).toEqual([]);
    }
  });

  it("plasm with explain has its reads executed, and never runs (OPS-38, G13)", async () => {
    for (const extra of [{ explain: true }, { mode: "explain" }, { explain: true, force: true }]) {
      const { calls } = await call("plasm", { ...base, ...extra });
      const given = { program: "Boat" };
      expect(calls).toMatchObject([{ method: "explain", caller: LOCAL, args: [address, given] }]);
    }
    const plain = await call("plasm", { ...base, explain: false });
    expect(plain.calls.map(({ method }) => method)).toEqual(["plan"]);
    const refused = await call("plasm", { ...base, explain: "yes" });
    expect(refused.text).toContain("explain is true or false.");
    expect(refused.calls).toEqual([]);
  });

  it("plasm_run runs, and plans with mode plan (OPS-34)", async () => {
    const live = await call("plasm_run", { ...base, plan_commit_ref: "pc0", force: true });
    const given = { program: "Boat", planCommitRef: "pc0", force: true, wait: undefined };
    expect(live.calls).toMatchObject([{ method: "run", caller: LOCAL, args: [address, given] }]);
    const dry = await call("plasm_run", { ...base, mode: "plan" });
    expect(dry.calls.map(({ method }) => method)).toEqual(["plan"]);
  });

  it("plasm_run hands in a ref without a program (OPS-3)", async () => {
    const alone = { logical_session_ref: "s0", plan_commit_ref: "pc0" };
    const given = { program: undefined, planCommitRef: "pc0", force: undefined, wait: undefined };
    const { calls } = await call("plasm_run", alone);
    expect(calls).toMatchObject([{ method: "run", caller: LOCAL, args: [address, given] }]);
  });

  it("plasm_context always hands in an intent, so that none is an error and never an unbound session", async () => {
    const { text, calls } = await call("plasm_context", { seeds: [] });
    expect([text, calls]).toEqual([expect.stringContaining("intent is missing"), []]);
    const given = await call("plasm_context", { intent: null, seeds: [] });
    expect(given.calls[0]?.args[0]).toMatchObject({ intent: null, seeds: [] });
  });

  it("plasm_context hands in whether the session only reads (TEACH-25)", async () => {
    const asked = { intent: "look", seeds: [], read_only: true };
    const { calls } = await call("plasm_context", asked);
    expect(calls[0]?.args[0]).toMatchObject({ intent: "look", readOnly: true });
  });
});

describe("the log (SURF-28)", () => {
  it("has one record per call, refused ones included", async () => {
    const records: CallRecord[] = [];
    const log = (record: CallRecord) => records.push(record);
    const { engine } = fakeEngine();
    for (const args of [base, { ...base, x: 1 }]) {
      for (const tool of TOOLS.slice(1, 3))
        await callTool(tool, { engine, caller: LOCAL, log }, args);
    }
    expect(records.map(({ name, ref, outcome }) => [name, ref, outcome])).toEqual([
      ["plasm", "s0", "ok"],
      ["plasm_run", "s0", "ok"],
      ["plasm", "s0", "plasm-bad-request"],
      ["plasm_run", "s0", "plasm-bad-request"],
    ]);
  });
});
