import { LOCAL } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { callTool, jsonMember, mcpCall, requestOf, type Fetch } from "./gate-agent.ts";
import { openGateWorld, type GateWorld } from "./gate-world.ts";

const INTENT = "who renews";
const SEEDS = [{ api: "quay", entity: "Boat" }];
const PROGRAM = 'e1("b1")';

let world: GateWorld;
let fetch: Fetch;
/** the session by its pair, and what is left of a run in it */
let place = "";
let pair = "";
let uuid = "";
let runId = "";
beforeAll(async () => {
  world = await openGateWorld();
  fetch = world.fetchAs(LOCAL);
  const { meta } = await callTool(fetch, "plasm_context", { intent: INTENT, seeds: SEEDS });
  const binding = jsonMember(meta, "execute_binding");
  pair = `${binding["prompt_hash"] as string}/${binding["session_id"] as string}`;
  place = `/execute/${pair}`;
  uuid = meta["logical_session_id"] as string;
  const ran = await tool("plasm_run", { program: PROGRAM });
  runId = (ran.meta["steps"] as readonly { readonly run_id: string }[])[0]?.run_id ?? "";
  await tool("plasm_run", { program: `${PROGRAM}[id]`, wait: false });
  await tool("plasm_run", { program: "wait(s0_o1)" });
  world.advance(LATER);
  await tool("plasm", { program: PROGRAM });
  // Traces are written a little later than calls are answered.
  await vi.waitUntil(async () => (await get(`/v1/traces/${uuid}`)) === 200, 60_000);
});
afterAll(() => world.close());

const tool = (name: string, args: object) =>
  callTool(fetch, name, { logical_session_ref: "s0", ...args });
const post = async (path: string, body: object): Promise<number> =>
  (await fetch(requestOf("POST", path, body))).status;

/** Reads an answer to its end; of a stream its beginning. */
async function get(path: string, accept = "*/*"): Promise<number> {
  const response = await fetch(requestOf("GET", path, undefined, { accept }));
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  return response.status;
}
const read = async (uri: string): Promise<boolean> =>
  (await mcpCall(fetch, "resources/read", { uri }))["result"] !== undefined;

/** Later than that a call renews its session; within it the expiry of the call before holds (docs/adr/0143). */
const LATER = 61_000;

/** How much later the session expires by a call that comes after more than a minute. */
async function renewedBy(call: () => Promise<unknown>): Promise<number> {
  const expiry = async (): Promise<number> => {
    const response = await fetch(requestOf("GET", `${place}/status`));
    return Date.parse(((await response.json()) as JsonObject)["expires_at"] as string);
  };
  const before = await expiry();
  world.advance(LATER);
  await call();
  return (await expiry()) - before;
}

describe("SESS-11 a session is renewed", () => {
  const context = { intent: INTENT, seeds: SEEDS };
  it.each<[string, () => Promise<unknown>]>([
    ["plasm_context", () => callTool(fetch, "plasm_context", context)],
    ["plasm", () => tool("plasm", { program: PROGRAM })],
    ["plasm, though the program has errors", () => tool("plasm", { program: "e1[colour]" })],
    ["plasm_run", () => tool("plasm_run", { program: PROGRAM })],
    ["POST /execute", () => post("/execute", context)],
    ["POST …/context", () => post(`${place}/context`, { seeds: SEEDS })],
    ["POST … a plan", () => post(place, { program: PROGRAM, mode: "plan" })],
    ["POST … a run", () => post(place, { program: PROGRAM })],
  ])("by %s", async (_name, call) => {
    expect(await renewedBy(call)).toBe(LATER);
  });
});

describe("SESS-11 a session is not renewed", () => {
  it.each<[string, () => Promise<unknown>, unknown]>([
    ["GET …/status", () => get(`${place}/status`), 200],
    ["GET …/symbols", () => get(`${place}/symbols`), 200],
    ["its prompt", () => get(place, "text/plain"), 200],
    ["its description", () => get(place), 200],
    ["its runs", () => get(`${place}/runs`), 200],
    ["a snapshot", () => get(`${place}/r/1`), 200],
    ["an artifact", () => get(`${place}/artifacts/${runId}`), 200],
    ["an operation", () => get(`${place}/operations/s0_o1`), 200],
    ["the stream of one", () => get(`${place}/operations/s0_o1/stream`), 200],
    ["traces", () => get("/v1/traces"), 200],
    ["a trace", () => get(`/v1/traces/${uuid}`), 200],
    ["the stream of one of them", () => get(`/v1/traces/${uuid}/stream`), 200],
    ["its grafts", () => get(`${place}/grafts`), 200],
    ["its table as a resource", () => read("plasm://session/s0/table"), true],
    ["a snapshot as a resource", () => read("plasm://session/s0/r/1"), true],
    ["a run as a resource", () => read(`plasm://execute/${pair}/run/${runId}`), true],
  ])("by reading %s", async (_name, call, found) => {
    let answer: unknown;
    const later = await renewedBy(async () => (answer = await call()));
    expect([answer, later]).toEqual([found, 0]);
  });
});
