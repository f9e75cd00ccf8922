import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  createTaskSessionFromClient,
  type RawClientDispatch,
} from "@modelcontextprotocol/ext-tasks/client";
import { isCreateTaskResultV2, isDetailedTaskV2 } from "@modelcontextprotocol/ext-tasks/core/v2";
import { fixtureCatalogDir } from "@plasm/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { seedsOf } from "../harness/open-session.ts";
import { startBoatEffects } from "../harness/boat-effects.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";
import { useStarted } from "../servers/endings.ts";

const VERSION = "2026-07-28";
const EXTENSION = "io.modelcontextprotocol/tasks";
const TAKES_TASKS = { extensions: { [EXTENSION]: {} } };
const CLIENT_INFO = { name: "tasks", version: "1" };
const PATIENCE = { timeout: 60_000, interval: 100 };

/** Paged, and its condition is none of the API's: nobody waits for it (OPS-9). */
const LONG = "long = Boat{length>10}[id, name]\nlong";

const world = useStarted(async (endings) => {
  const api = await startBoatEffects();
  endings.add(() => api.close());
  const dataDir = await endings.directory("tasks");
  const start = async (port?: number): Promise<PlasmServer> => {
    const options = {
      dataDir,
      catalogs: [fixtureCatalogDir("quay")],
      env: { PLASM_BACKEND_QUAY: api.url },
    };
    const server = await startPlasmServer(options, port);
    endings.add(() => server.kill());
    return server;
  };
  return { api, start, server: { now: await start() } };
});

afterEach(() => world().api.letGo());

type Json = Readonly<Record<string, unknown>>;

interface Answer {
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** One request of 2026-07-28 as it goes over the wire, with what its client says that it can do. */
async function ask(
  method: string,
  params: Json,
  capabilities: Json = TAKES_TASKS,
): Promise<Answer> {
  const named = params["taskId"] ?? params["name"];
  const meta = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  return send({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }, method, named);
}

async function send(request: object, method: string, named: unknown): Promise<Answer> {
  const response = await fetch(`${world().server.now.url}/mcp`, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": VERSION,
      "mcp-method": method,
      ...(typeof named === "string" ? { "mcp-name": named } : {}),
    },
    body: JSON.stringify(request),
  });
  const text = await response.text();
  // Over an event stream notices come before the answer.
  const last = [...text.matchAll(/^data: (.+)$/gm)].at(-1)?.[1] ?? text;
  return JSON.parse(last) as Answer;
}

const call = (name: string, args: Json, capabilities?: Json) =>
  ask("tools/call", { name, arguments: args }, capabilities);

const textOf = (result: unknown): string =>
  (result as { readonly content?: readonly { readonly text?: string }[] } | undefined)?.content?.[0]
    ?.text ?? "";

async function open(intent: string): Promise<string> {
  const seeds = seedsOf("quay", "Boat");
  const { result } = await call("plasm_context", { intent, seeds, notation: "names" });
  const ref = /\b(s\d+)\b/.exec(textOf(result))?.[1];
  if (ref === undefined) throw new Error(textOf(result));
  return ref;
}

const run = (ref: string, program: string, more: Json = {}, capabilities?: Json) =>
  call("plasm_run", { logical_session_ref: ref, program, force: true, ...more }, capabilities);

/** A run that the API keeps from its end, as a task. */
async function begin(intent: string, program = LONG) {
  world().api.holdAll();
  const ref = await open(intent);
  const { result = {} } = await run(ref, program);
  expect(isCreateTaskResultV2(result), JSON.stringify(result)).toBe(true);
  return { ref, taskId: String(result["taskId"]), result };
}

async function stateOf(taskId: string): Promise<Json> {
  const { result, error } = await ask("tasks/get", { taskId });
  if (result === undefined) throw new Error(JSON.stringify(error));
  expect(isDetailedTaskV2(result), JSON.stringify(result)).toBe(true);
  return result;
}

const ended = (taskId: string, status = "completed") =>
  expect.poll(async () => (await stateOf(taskId))["status"], PATIENCE).toBe(status);

describe("OPS-63 a run that goes on is a task to a client that takes them", () => {
  test("it is declared, and the library of the extension calls a tool as if it were short", async () => {
    const { api, server } = world();
    const transport = new StreamableHTTPClientTransport(new URL(`${server.now.url}/mcp`));
    const client = new Client(CLIENT_INFO, {
      versionNegotiation: { mode: { pin: VERSION } },
      capabilities: TAKES_TASKS,
    });
    await client.connect(transport);
    expect(client.getServerCapabilities()?.extensions).toMatchObject({ [EXTENSION]: {} });
    const rawDispatch: RawClientDispatch = async (request) => {
      const { method, params } = request as { method: string; params: Json };
      const message = { jsonrpc: "2.0", id: 1, ...(request as object) };
      const answer = await send(message, method, params["taskId"] ?? params["name"]);
      return (
        answer.error === undefined
          ? { kind: "result", result: answer.result }
          : { kind: "error", error: answer.error }
      ) as Awaited<ReturnType<RawClientDispatch>>;
    };
    const session = createTaskSessionFromClient(client, {
      endpointId: "plasm",
      rawDispatch,
      v2RequestFraming: {
        protocolVersion: VERSION,
        clientInfo: CLIENT_INFO,
        clientCapabilities: TAKES_TASKS,
      },
    });
    try {
      const ref = await open("by the library");
      api.holdAll();
      const execution = await session.callTool("plasm_run", {
        logical_session_ref: ref,
        program: LONG,
        force: true,
      });
      api.letGo();
      const { outcome } = await execution.settle();
      expect(outcome.status).toBe("completed");
      const { result: waited } = await run(ref, `wait(${ref}_o1)`, { wait: true });
      expect(JSON.stringify(outcome)).toContain(JSON.stringify(textOf(waited)));
    } finally {
      await session.close();
      await client.close();
    }
  });

  test("it can be asked for from its first answer on, and its end is that of the call", async () => {
    const { ref, taskId, result } = await begin("asked for");
    expect(result).toMatchObject({
      resultType: "task",
      status: "working",
      ttlMs: 3_600_000,
      pollIntervalMs: 3_000,
      statusMessage: expect.stringContaining(`${ref}_o1`),
    });
    expect(await stateOf(taskId)).toMatchObject({ resultType: "complete", status: "working" });
    world().api.letGo();
    await ended(taskId);
    const { result: end } = await stateOf(taskId);
    const { result: waited } = await run(ref, `wait(${ref}_o1)`, { wait: true });
    expect(textOf(end)).toBe(textOf(waited));
    expect(textOf(end)).toContain("0 rows");
  });

  test("whoever does not declare it, or asks for a handle, gets the handle", async () => {
    world().api.holdAll();
    const ref = await open("handles");
    const plain = await run(ref, LONG, {}, {});
    expect(textOf(plain.result)).toMatch(new RegExp(`^wait\\(${ref}_o1\\)`));
    const asked = await run(ref, LONG, { wait: false });
    expect(textOf(asked.result)).toMatch(new RegExp(`^wait\\(${ref}_o2\\)`));
  });

  test("what ends soon, and what is no run, is answered as ever", async () => {
    const ref = await open("short");
    const { result } = await run(ref, "note = <<T\nhello\nT\nnote");
    expect(textOf(result)).toContain("hello");
  });

  test("cancelling is acknowledged, again too, and leads to its end", async () => {
    const { taskId } = await begin("cancelled");
    expect((await ask("tasks/cancel", { taskId })).result).toEqual(
      expect.objectContaining({ resultType: "complete" }),
    );
    await ended(taskId, "cancelled");
    expect((await ask("tasks/cancel", { taskId })).error).toBeUndefined();
    expect((await ask("tasks/update", { taskId, inputResponses: {} })).error).toBeUndefined();
  });

  test("what is unknown, and a client that does not declare it, are told so", async () => {
    const { taskId } = await begin("refused");
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const unknown = await ask(method, { taskId: "nothing", inputResponses: {} });
      expect(unknown.error, method).toMatchObject({ code: -32_602 });
      const undeclared = await ask(method, { taskId, inputResponses: {} }, {});
      expect(undeclared.error, method).toMatchObject({
        code: -32_021,
        data: { requiredCapabilities: TAKES_TASKS },
      });
    }
  });

  test("a server that is killed goes on with it after its restart, and does each effect once", async () => {
    const { api, start, server } = world();
    const program = 'boats = Boat{length>10}\nBoat("killed-1").ping()\nboats[id]';
    const { taskId } = await begin("killed", program);
    const { port } = server.now;
    await server.now.kill();
    server.now = await start(port);
    expect(await stateOf(taskId)).toMatchObject({ status: "working" });
    api.letGo();
    await ended(taskId);
    const { result } = await stateOf(taskId);
    expect(textOf(result)).toContain("done ping quay.Boat killed-1");
    expect(api.performed.filter((one) => one.includes("killed-1"))).toHaveLength(1);
  });

  test("a run that fails has completed, with what failed as its result", async () => {
    const { taskId } = await begin("fails");
    await world().api.close();
    await ended(taskId);
    const { result } = await stateOf(taskId);
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain("failed at n1");
  });
});
