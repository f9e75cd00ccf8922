import { LOCAL, type Engine } from "@plasm/agent-core";
import { fail, INSTRUCTIONS, TOOLS } from "@plasm/agent-core/internal";
import { describe, expect, it } from "vitest";
import { fakeEngine } from "../testing/fake-engine.ts";
import { connectTo } from "../testing/http-client.ts";
import { memoryConnections } from "../testing/memory-connections.ts";
import { createMcpHandler } from "./create-mcp-handler.ts";

function start() {
  const fake = fakeEngine();
  const connections = memoryConnections();
  const handler = createMcpHandler({ engine: fake.engine, connections });
  return { ...fake, connections, handler };
}

const seeds = [{ api: "quay", entity: "Boat" }];
const open = { name: "plasm_context", arguments: { intent: "spring", seeds } };

const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): Request =>
  new Request("http://127.0.0.1:3000/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const call = (params: object) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params });

describe.each(["legacy", "modern"] as const)("a real client, %s era (SURF-1, G10)", (era) => {
  it("is told the instructions, tools, resources and templates as they are", async () => {
    const { handler } = start();
    const { client } = await connectTo(handler, era);
    expect(client.getInstructions()).toBe(INSTRUCTIONS);
    const { tools } = await client.listTools();
    expect(tools).toEqual(TOOLS.map(({ definition }) => definition));
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["plasm://registry"]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "plasm://session/{logical_session_ref}/r/{n}",
      "plasm://session/{logical_session_ref}/table",
      "plasm://session/{logical_session_ref}/g/{graft_id}",
      "plasm://session/{logical_session_ref}/g",
      "plasm://watch/{schedule_uuid}{?after}",
      "plasm://execute/{prompt_hash}/{session_id}/run/{run_id}",
    ]);
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, resources: {} });
    await client.close();
  });

  it("calls tools and reads answers", async () => {
    const { handler } = start();
    const { client } = await connectTo(handler, era);
    const result = await client.callTool(open);
    expect(result.content).toEqual([{ type: "text", text: "the text" }]);
    expect(result._meta).toMatchObject({ plasm: { n: 1 } });
    expect(result.structuredContent).toBeUndefined();
    await client.close();
  });

  it("reads resources, and gets the error object as data (ERR-031)", async () => {
    const { handler, failNext } = start();
    const { client } = await connectTo(handler, era);
    const uri = "plasm://session/s0/table";
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: "text/markdown", text: "the table" }]);
    failNext(fail("plasm-unknown-session", "No session s0."));
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      code: era === "legacy" ? -32_002 : -32_602,
      data: { code: "plasm-unknown-session", status: 404 },
    });
    await client.close();
  });

  it("gets a protocol error for a tool that is not there", async () => {
    const { handler } = start();
    const { client } = await connectTo(handler, era);
    await expect(client.callTool({ name: "plasm_fly", arguments: {} })).rejects.toMatchObject({
      code: -32_602,
    });
    await client.close();
  });
});

describe("the connection (SURF-1, SESS-4)", () => {
  it("is the MCP-Session-Id that initialize issued, in the 2025 protocols", async () => {
    const { handler, calls } = start();
    const { client, transport } = await connectTo(handler, "legacy");
    await client.callTool(open);
    expect(transport.sessionId).toMatch(/^[0-9a-f]{32}$/);
    expect(calls[0]?.caller).toMatchObject({ ...LOCAL, connection: transport.sessionId });
    await client.close();
  });

  it("is none in 2026-07-28", async () => {
    const { handler, calls } = start();
    const { client, transport } = await connectTo(handler, "modern");
    await client.callTool(open);
    expect(transport.sessionId).toBeUndefined();
    expect(calls[0]?.caller).toMatchObject(LOCAL);
    await client.close();
  });

  it.each(["f".repeat(32), "nonsense", ""])("is none with the unknown id %j", async (id) => {
    const { handler, calls } = start();
    const response = await handler.fetch(post(call(open), { "mcp-session-id": id }));
    expect(response.status).toBe(200);
    await response.text();
    expect(calls[0]?.caller).toMatchObject(LOCAL);
  });

  it("is none with an id issued to another principal", async () => {
    const { handler, calls, connections } = start();
    const id = await connections.issue({ ...LOCAL, subject: "other" });
    const response = await handler.fetch(post(call(open), { "mcp-session-id": id }));
    await response.text();
    expect(calls[0]?.caller).toMatchObject(LOCAL);
  });
});

describe("cancelling a run (OPS-11)", () => {
  /** A call that is under way until its signal aborts. */
  function startWaiting() {
    const started = start();
    const signals: (AbortSignal | undefined)[] = [];
    const run: Engine["run"] = async (_caller, _address, { signal }) => {
      signals.push(signal);
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      const meta = { dry_run: false, op: { n: 2, "~": "x" } } as const;
      return { kind: "operation", text: "cancelled", meta, results: [] };
    };
    const engine = { ...started.engine, run };
    const handler = createMcpHandler({ engine, connections: started.connections });
    return { ...started, handler, signals };
  }

  const run = {
    name: "plasm_run",
    arguments: { logical_session_ref: "s0", program: "Boat" },
  };

  it.each(["legacy", "modern"] as const)(
    "a client's own cancel reaches it, %s era",
    async (era) => {
      const { handler, signals } = startWaiting();
      const { client } = await connectTo(handler, era);
      const abort = new AbortController();
      const called = client.callTool(run, { signal: abort.signal });
      await expect.poll(() => signals.length).toBe(1);
      abort.abort("changed my mind");
      await expect(called).rejects.toThrow();
      await expect.poll(() => signals[0]?.aborted).toBe(true);
      await client.close();
    },
  );

  it("a notification of another connection, or for another call, does not (2025)", async () => {
    const { handler, signals, connections } = startWaiting();
    const mine = { "mcp-session-id": await connections.issue(LOCAL) };
    const other = { "mcp-session-id": await connections.issue(LOCAL) };
    const called = handler.fetch(post({ ...call(run), id: 7 }, mine));
    await expect.poll(() => signals.length).toBe(1);
    const cancelled = (requestId: unknown) => ({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    });
    await handler.fetch(post(cancelled(7), other));
    await handler.fetch(post(cancelled(7)));
    await handler.fetch(post(cancelled(8), mine));
    await handler.fetch(post(cancelled("7"), mine));
    expect(signals[0]?.aborted).toBe(false);
    expect((await handler.fetch(post(cancelled(7), mine))).status).toBe(202);
    expect(signals[0]?.aborted).toBe(true);
    await (await called).text();
  });

  it("a connection that is lost does not (2025)", async () => {
    const { handler, signals, connections } = startWaiting();
    const mine = { "mcp-session-id": await connections.issue(LOCAL) };
    const lost = new AbortController();
    const request = new Request(post(call(run), mine), { signal: lost.signal });
    const called = handler.fetch(request).catch(() => null);
    await expect.poll(() => signals.length).toBe(1);
    lost.abort();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(signals[0]?.aborted).toBe(false);
    await handler.close();
    void called;
  });
});

describe("requests that no client should send", () => {
  it("from a foreign Host or Origin are refused (G21)", async () => {
    const { handler, calls } = start();
    for (const headers of [{ host: "evil.example" }, { origin: "https://evil.example" }]) {
      const response = await handler.fetch(post(call(open), headers));
      expect(response.status).toBe(403);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
    }
    expect(calls).toEqual([]);
  });

  it("with JSON sent as text are refused (G21)", async () => {
    const { handler, calls } = start();
    const response = await handler.fetch(post(call(open), { "content-type": "text/plain" }));
    expect(response.status).toBe(415);
    expect(calls).toEqual([]);
  });

  it.each([
    ["{nonsense", -32_700],
    [{ jsonrpc: "2.0", id: 1 }, -32_600],
    [call({}), -32_602],
  ])("malformed as %j get protocol error %i (ERR-031)", async (body, code) => {
    const { handler } = start();
    const response = await handler.fetch(post(body));
    expect(await response.text()).toContain(String(code));
  });

  it("by GET and DELETE are told that POST is allowed", async () => {
    const { handler } = start();
    for (const method of ["GET", "DELETE"]) {
      const response = await handler.fetch(new Request("http://127.0.0.1/mcp", { method }));
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });
});

it("what a client sends wrongly leaves no stack in the log (OPS-60)", async () => {
  const warned: unknown[][] = [];
  const warn = (...args: unknown[]): void => void warned.push(args);
  const { engine } = fakeEngine();
  const handler = createMcpHandler({ engine, connections: memoryConnections(), warn });
  for (const request of [post("{a secret"), post(call(open), { accept: "text/plain" })]) {
    const { status } = await handler.fetch(request);
    expect([400, 406]).toContain(status);
  }
  expect(warned).toEqual([]);
});
