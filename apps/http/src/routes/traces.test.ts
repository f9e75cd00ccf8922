import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TraceMessage } from "@plasm/agent-core";
import { fail } from "@plasm/agent-core/internal";
import { type Host, openHost } from "@plasm/host";
import { createMcpHandler } from "@plasm/mcp";
import { fixtureCatalogDir } from "@plasm/testkit";
import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHttpApp } from "../create-http-app.ts";
import { problemIn, send as sendTo } from "../testing/app-for.ts";

let [dataDir, host, app]: [string, Host | null, Hono | null] = ["", null, null];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plasm-traces-"));
  host = await openHost({ dataDir, catalogs: [fixtureCatalogDir("quay")], env: {} });
  const { engine, connections } = host;
  app = createHttpApp({ engine, mcp: createMcpHandler({ engine, connections }) });
});

afterEach(async () => {
  await host?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function send(path: string, body?: object, more: Readonly<Record<string, string>> = {}) {
  const headers = { "content-type": "application/json", ...more };
  const sent = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await app?.fetch(new Request(`http://127.0.0.1${path}`, sent));
  if (response === undefined) throw new Error("no app");
  return response;
}

/** Calls a tool over MCP, in the protocol of 2025. */
const tool = (name: string, args: object) =>
  send(
    "/mcp",
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" },
  );

const SEEDS = [{ api: "quay", entity: "Boat" }];
const LOCAL_PROGRAM = "note = <<T\nhello\nT\nnote";
/** Any line of an operation: handle, signal (OPS-18). */
const WIRE_LINE = /s\d+_o\d+ [+~=!x?]/;

interface Detail {
  readonly trace_id: string;
  readonly seq: number;
  readonly totals: Readonly<Record<string, number>>;
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

const jsonOf = async <T>(path: string): Promise<T> => (await (await send(path)).json()) as T;

async function sessionOfBoth(): Promise<{ readonly path: string; readonly id: string }> {
  const opened = await send("/execute", { seeds: SEEDS, intent: "spring" });
  const path = opened.headers.get("location") ?? "";
  await send(path, { program: LOCAL_PROGRAM });
  await (await tool("plasm", { logical_session_ref: "s0", program: LOCAL_PROGRAM })).text();
  const listed = async () => (await jsonOf<{ traces: readonly Detail[] }>("/v1/traces")).traces;
  await expect.poll(async () => (await listed())[0]?.totals["calls"]).toBe(3);
  return { path, id: (await listed())[0]?.trace_id ?? "" };
}

describe("GET /v1/traces (SURF-16, SURF-29)", () => {
  it("MCP and HTTP feed one trace", async () => {
    const { id } = await sessionOfBoth();
    const { events, seq } = await jsonOf<Detail>(`/v1/traces/${id}`);
    expect(events.map(({ n }) => n)).toEqual(Array.from({ length: seq }, (_, n) => n + 1));
    const calls = events.filter(({ type }) => type === "call").map(({ call }) => call);
    expect(calls).toEqual(["plasm_context", "plasm_run", "plasm"]);
    expect(JSON.stringify(events)).not.toContain("hello");
  });

  it("L42 OPS-24 traces are a separate stream: neither shows the other's records", async () => {
    const { path, id } = await sessionOfBoth();
    const accepted = await send(path, { program: LOCAL_PROGRAM, wait: false });
    expect(accepted.status).toBe(202);
    const wire = await (await send(`${path}/operations/s0_o1/stream`)).text();
    expect(wire).toMatch(WIRE_LINE);
    for (const word of ["trace", "totals", '"type"', "event: patch"]) {
      expect(wire).not.toContain(word);
    }
    const ended = (detail: Detail): boolean =>
      detail.events.some(({ type }) => type === "operation");
    await expect.poll(async () => ended(await jsonOf<Detail>(`/v1/traces/${id}`))).toBe(true);
    const trace = await (await send(`/v1/traces/${id}`)).text();
    expect(trace).not.toMatch(WIRE_LINE);
    expect(trace).toContain('"accepted":"s0_o1"');
  });

  it("its stream is a snapshot, then patches", async () => {
    const { id } = await sessionOfBoth();
    const stream = await send(`/v1/traces/${id}/stream`);
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = (await reader?.read())?.value ?? "";
    expect(first).toMatch(/^event: snapshot\nid: \d+\ndata: \{"trace_id":.*"events":\[.*\}\n\n$/);
    await tool("plasm", { logical_session_ref: "s0", program: LOCAL_PROGRAM });
    const next = (await reader?.read())?.value ?? "";
    expect(next).toMatch(/^event: patch\nid: \d+\ndata: \{.*"events":\[\{.*\}\n\n$/);
    await reader?.cancel();
  });

  it("what there is not is 404", async () => {
    for (const rest of ["", "/stream"]) {
      const response = await send(`/v1/traces/${"0".repeat(32)}${rest}`);
      expect(response.status).toBe(404);
      expect((await problemIn(response)).code).toBe("plasm-unknown-trace");
    }
  });
});

describe("routes of traces on any engine", () => {
  it("a read failure is 503, never an empty list", async () => {
    const refuse = () => Promise.reject(fail("plasm-store-unavailable", "Traces cannot be read."));
    const methods = { traces: refuse, trace: refuse, watchTrace: refuse };
    for (const rest of ["", "/a", "/a/stream"]) {
      expect((await sendTo(methods, `/v1/traces${rest}`)).status).toBe(503);
    }
  });

  it("a reader that goes ends its stream, one that cannot read it is refused", async () => {
    let stopped: AbortSignal | null = null;
    const watchTrace = async (_: unknown, __: string, signal: AbortSignal) => {
      stopped = signal;
      async function* none(): AsyncGenerator<TraceMessage> {
        yield { event: "snapshot", id: 1, line: "{}" };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      }
      return none();
    };
    const path = "/v1/traces/a/stream";
    const headers = { accept: "application/json" };
    expect((await sendTo({ watchTrace }, path, { headers })).status).toBe(406);
    const reader = (await sendTo({ watchTrace }, path)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect((stopped as AbortSignal | null)?.aborted).toBe(true);
  });
});
