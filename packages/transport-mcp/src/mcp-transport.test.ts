import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Transport, TransportOutcome, TransportRequest } from "@plasm/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { McpSource } from "./mcp-source.ts";
import { withMcpServers } from "./mcp-transport.ts";
import { ANSWER_HEADER, serverHost, TOOL_HEADER, toolFingerprint } from "./tools-catalog.ts";

const ODD = fileURLToPath(new URL("testing/odd-server.mjs", import.meta.url));

const inner: Transport = {
  send: () => Promise.resolve({ ok: false, failure: { kind: "connect", sent: false, detail: "" } }),
  close: () => Promise.resolve(),
};

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of cleanUp.splice(0)) await one();
});

/** A transport before a server of its own, which counts its calls. */
async function start(env: Readonly<Record<string, string>> = {}) {
  const directory = await mkdtemp(join(tmpdir(), "plasm-mcp-"));
  const file = join(directory, "calls");
  await writeFile(file, "");
  const reach = {
    kind: "command" as const,
    command: process.execPath,
    args: [ODD, file],
    env,
    cwd: directory,
  };
  const source = new McpSource({ id: "odd", reach, version: "0" });
  const transport = withMcpServers(inner, [source]);
  cleanUp.push(
    () => transport.close(),
    () => rm(directory, { recursive: true }),
  );
  const tools = new Map((await source.tools()).map((tool) => [tool.name, toolFingerprint(tool)]));
  const call = (name: string, args: object = {}, more: Partial<TransportRequest> = {}) =>
    transport.send({
      method: "POST",
      url: `http://${serverHost("odd")}/tools/${name}`,
      headers: [[TOOL_HEADER, tools.get(name) ?? ""]],
      body: new TextEncoder().encode(JSON.stringify(args)),
      allowPrivate: false,
      connectTimeoutMs: 1_000,
      timeoutMs: 10_000,
      maxResponseBytes: 10_000,
      freshConnection: true,
      ...more,
    });
  const calls = async () =>
    (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  return { call, calls, transport };
}

function bodyOf(outcome: TransportOutcome): Record<string, unknown> {
  if (!outcome.ok) throw new Error(`no answer: ${outcome.failure.kind}`);
  return JSON.parse(new TextDecoder().decode(outcome.response.body)) as Record<string, unknown>;
}

describe("tools of an MCP server over the transport (ADR 0131)", () => {
  it("are called once each, by their names and arguments; text, rows and pictures come back", async () => {
    const { call, calls } = await start();
    expect(bodyOf(await call("greet", { who: "Alma" }))).toEqual({ answer: "Hello, Alma." });
    expect(bodyOf(await call("lamps"))).toMatchObject({
      result: { lamps: [{ name: "a" }, { name: "b" }] },
    });
    expect(bodyOf(await call("picture"))).toEqual({
      answer: "[image image/png, 3 bytes, not shown]",
    });
    expect(await calls()).toEqual(["greet", "lamps", "picture"]);
  });

  const texts = (...all: readonly string[]) => ({
    content: all.map((text) => ({ type: "text", text })),
  });
  it.each<[string, object, string]>([
    ["an object", texts(' {"n": 12345678901234567890}\n'), '{"n": 12345678901234567890}'],
    ["a list", texts("[1, {}]"), "[1, {}]"],
    ["several", texts('{"a": 1}', '{"a": 2}'), '[{"a": 1},{"a": 2}]'],
    ["words", texts("{moored}"), '"{moored}"'],
    ["a lone value", texts("12"), '"12"'],
    ["JSON and words", texts('{"a": 1}', "done"), JSON.stringify('{"a": 1}\ndone')],
    [
      "what nests without end",
      texts("[".repeat(90) + "]".repeat(90)),
      `"${"[".repeat(90)}${"]".repeat(90)}"`,
    ],
    ["structured content alone", { content: [], structuredContent: { a: 1 } }, '{"a":1}'],
    ["the same as text", { ...texts('{"a": 1}'), structuredContent: { a: 1 } }, '{"a":1}'],
    [
      "more beside words",
      { ...texts("one row"), structuredContent: { a: 1 } },
      '{"text":"one row","content":{"a":1}}',
    ],
    ["nothing", { content: [] }, '""'],
  ])(
    "RUN-212 answers of which no schema says anything are JSON where they are: %s",
    async (_what, result, answer) => {
      const { call } = await start();
      const outcome = await call(
        "say",
        { as: JSON.stringify(result) },
        { headers: [[ANSWER_HEADER, "json"]] },
      );
      if (!outcome.ok) throw new Error(outcome.failure.kind);
      expect(new TextDecoder().decode(outcome.response.body)).toBe(`{"answer":${answer}}`);
    },
  );

  it("get no variable of the environment but those that are named", async () => {
    process.env["PLASM_TEST_SECRET"] = "s3cret";
    const { call } = await start({ LAMP_KEY: "k" });
    delete process.env["PLASM_TEST_SECRET"];
    const { answer } = bodyOf(await call("variables"));
    expect(String(answer).split(" ")).toContain("LAMP_KEY");
    expect(answer).not.toContain("PLASM_TEST_SECRET");
  });

  it("say that they failed, as an answer", async () => {
    const { call } = await start();
    expect(bodyOf(await call("refuse"))).toEqual({ answer: "the quay is closed", failed: true });
  });

  it("a server that hangs is given up in time, and may have done it (RUN-025)", async () => {
    const { call, calls } = await start();
    expect(await call("hang", {}, { timeoutMs: 300 })).toEqual({
      ok: false,
      failure: { kind: "timeout", sent: true, detail: "300 ms" },
    });
    expect(await calls()).toEqual(["hang"]);
    // It goes on with others.
    expect(bodyOf(await call("greet", { who: "B" }))).toEqual({ answer: "Hello, B." });
  });

  it("a server that dies may have done it; the next call starts it again", async () => {
    const { call, calls } = await start();
    expect(await call("die")).toMatchObject({ ok: false, failure: { kind: "lost", sent: true } });
    expect(bodyOf(await call("greet", { who: "C" }))).toEqual({ answer: "Hello, C." });
    expect(await calls()).toEqual(["die", "greet"]);
  });

  it("a tool that is another now, or gone, is not called", async () => {
    const { call, calls } = await start();
    await call("change");
    const shift = bodyOf(await call("shift"));
    expect(shift).toMatchObject({ failed: true });
    expect(shift["answer"]).toContain("has changed its tool shift: restart plasm serve");
    expect(bodyOf(await call("vanish"))["answer"]).toContain("has no tool vanish any more");
    expect(await calls()).toEqual(["change"]);
  });

  it("a call that is cancelled, and an answer that is too large, are told as such", async () => {
    const { call } = await start();
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    expect(await call("hang", {}, { signal: stop.signal })).toMatchObject({
      failure: { kind: "aborted", sent: true },
    });
    expect(await call("greet", { who: "x".repeat(100) }, { maxResponseBytes: 50 })).toMatchObject({
      failure: { kind: "too_large" },
    });
  });

  it("other requests go where they went", async () => {
    const { transport, call } = await start();
    const other = { url: "https://api.example/boats" };
    expect(await call("greet", {}, other)).toMatchObject({
      failure: { kind: "connect", sent: false },
    });
    expect(transport).toBeDefined();
  });

  it("a program that is no MCP server is told with what it said", async () => {
    const args = ["-e", "console.error('no key set'); process.exit(1)"];
    const reach = {
      kind: "command" as const,
      command: process.execPath,
      args,
      env: {},
      cwd: tmpdir(),
    };
    const source = new McpSource({ id: "broken", reach, version: "0" });
    const thrown = await source.tools().catch((error: unknown) => error);
    expect(thrown).toMatchObject({
      message: expect.not.stringContaining("no key set") as string,
      detail: expect.stringMatching(
        /the MCP server broken \(.*\) does not answer: .*no key set/,
      ) as string,
    });
    await source.close();
    const missing = new McpSource({
      id: "none",
      reach: { ...reach, command: "no-such-program" },
      version: "0",
    });
    await expect(missing.tools()).rejects.toThrow("ENOENT");
    await missing.close();
  });
});
