import { describe, expect, it } from "vitest";
import { type HostFunction, runCode } from "./sandbox.ts";

const never = new AbortController().signal;
const nothing: HostFunction = () => Promise.resolve(null);
const run = (program: string, host: HostFunction = nothing) =>
  runCode(program, ["list", "next_page"], host, never);

describe("programs of models run apart from this process (SURF-66)", () => {
  it("calls what it is given, several at once, and returns data", async () => {
    const asked: unknown[] = [];
    const program = `async () => {
      const [a, b] = await Promise.all([api.list({ page: 1 }), api.list({ page: 2 })]);
      return [...a.rows, ...b.rows].map((n) => ({ n }));
    }`;
    const outcome = await run(program, async (name, argument) => {
      asked.push([name, argument]);
      return { rows: [(argument as { page: number }).page] };
    });
    expect(outcome).toEqual({ value: [{ n: 1 }, { n: 2 }] });
    expect(asked).toEqual([
      ["list", { page: 1 }],
      ["list", { page: 2 }],
    ]);
  });

  it("takes the body of a function, and what returns nothing is null", async () => {
    expect(await run("const n = 2;\nreturn n * 3;")).toEqual({ value: 6 });
    expect(await run("async () => {}")).toEqual({ value: null });
  });

  it("throws in the program where a call fails, which may catch it", async () => {
    const fail: HostFunction = () => Promise.reject(new Error("no such boat"));
    expect(await run("async () => api.list({})", fail)).toEqual({ error: "Error: no such boat" });
    expect(await run("async () => api.list({}).catch((e) => e.message)", fail)).toEqual({
      value: "no such boat",
    });
  });

  it.each([
    ["text that is no program", "async () => {", "SyntaxError"],
    ["other functions", "async () => api.lost({})", "TypeError"],
    ["process", "async () => process.env", "ReferenceError: 'process' is not defined"],
    ["modules", 'async () => require("fs")', "ReferenceError: 'require' is not defined"],
    ["modules by import", 'async () => import("fs")', "Error"],
    ["network", 'async () => fetch("http://127.0.0.1")', "ReferenceError"],
    [
      "way to its host",
      'async () => api.list.constructor.constructor("return process")()',
      "ReferenceError",
    ],
    ["gigabytes", 'async () => "x".repeat(2e8).length', "Error"],
    ["endless stack", "async () => { const f = () => f() + 1; return f(); }", "stack"],
  ])("has no %s", async (_what, program, error) => {
    const outcome = await run(program);
    expect("error" in outcome ? outcome.error : outcome).toContain(error);
  });

  it("ends what does not end", { timeout: 30_000 }, async () => {
    expect(await run("async () => { for (;;); }")).toEqual({ error: "it worked longer than 5 s" });
  });

  it("stops when it is stopped, although a call does not answer", async () => {
    const stop = new AbortController();
    const hung: HostFunction = () => new Promise(() => {});
    const running = runCode("async () => api.list({})", ["list"], hung, stop.signal);
    setTimeout(() => stop.abort(), 20);
    await expect(running).rejects.toThrow("abort");
  });
});
