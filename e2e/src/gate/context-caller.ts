import { LOCAL } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import {
  callTool,
  httpTold,
  jsonMember,
  requestOf,
  type Fetch,
  type GateRun,
  type Told,
} from "./gate-agent.ts";
import type { GateWorld } from "./gate-world.ts";

export interface Seed {
  readonly api: string;
  readonly entity: string;
}

/** Who asks for contexts: MCP with and without a connection of its own, and HTTP. */
export const CONTEXT_CALLERS = ["MCP on a connection", "MCP without one", "HTTP"] as const;

export type ContextCallerName = (typeof CONTEXT_CALLERS)[number];

/** One who works for one intent. What opens and extends gives the answer's meta, or throws its text. */
export interface ContextCaller {
  /** as one that begins: over HTTP by `POST /execute` */
  open(seeds: readonly Seed[], more?: JsonObject): Promise<JsonObject>;
  /** the text of the same call; over HTTP of one that asks for text */
  read(seeds: readonly Seed[], more?: JsonObject): Promise<string>;
  /** as one that has a session: over HTTP by `POST …/context` */
  extend(seeds: readonly Seed[], more?: JsonObject): Promise<JsonObject>;
  plan(program: string): Promise<Told>;
  run(program: string, more?: GateRun): Promise<Told>;
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "e2e", version: "1" },
  },
};

/** Sends everything on one connection, as clients of the 2025 protocols do. */
async function onConnection(fetch: Fetch): Promise<Fetch> {
  const opened = await fetch(requestOf("POST", "/mcp", INITIALIZE));
  await opened.text();
  const name = opened.headers.get("mcp-session-id");
  if (name === null) throw new Error("No connection was named");
  return (request) => {
    const headers = new Headers(request.headers);
    headers.set("mcp-session-id", name);
    return fetch(new Request(request, { headers }));
  };
}

function metaOf({ code, text, meta }: Told): JsonObject {
  if (code !== null) throw new Error(text);
  return meta;
}

function overMcp(fetch: Fetch, intent: string): ContextCaller {
  let ref: JsonObject = {};
  const call = async (seeds: readonly Seed[], more: JsonObject = {}) => {
    const told = await callTool(fetch, "plasm_context", { intent, seeds, ...more });
    ref = { logical_session_ref: metaOf(told)["logical_session_ref"] ?? null };
    return told;
  };
  const open: ContextCaller["open"] = async (seeds, more) => metaOf(await call(seeds, more));
  return {
    open,
    read: async (seeds, more) => (await call(seeds, more)).text,
    extend: open,
    plan: (program) => callTool(fetch, "plasm", { ...ref, program }),
    run: (program, more = {}) => callTool(fetch, "plasm_run", { ...ref, program, ...more }),
  };
}

function overHttp(fetch: Fetch, intent: string): ContextCaller {
  let place = "";
  const post = async (path: string, body: object) =>
    httpTold(await fetch(requestOf("POST", path, body)));
  const open = async (seeds: readonly Seed[], more: JsonObject, accept: string) => {
    const body = { intent, seeds, ...more };
    const response = await fetch(requestOf("POST", "/execute", body, { accept }));
    const path = response.headers.get("location");
    if (path === null) throw new Error(await response.text());
    place = path;
    return response;
  };
  return {
    open: async (seeds, more = {}) =>
      jsonMember(await (await open(seeds, more, "application/json")).json(), "plasm"),
    read: async (seeds, more = {}) =>
      (await (await open(seeds, more, "text/plain")).text()).trimEnd(),
    extend: async (seeds, more = {}) => metaOf(await post(`${place}/context`, { seeds, ...more })),
    plan: (program) => post(place, { program, mode: "plan" }),
    run: (program, more = {}) => post(place, { program, ...more }),
  };
}

/** One of them in a world, for an intent that nobody else has. */
export async function contextCaller(
  world: GateWorld,
  name: ContextCallerName,
  what: string,
): Promise<ContextCaller> {
  const fetch = world.fetchAs(LOCAL);
  const intent = `${name}: ${what}`;
  switch (name) {
    case "MCP on a connection":
      return overMcp(await onConnection(fetch), intent);
    case "MCP without one":
      return overMcp(fetch, intent);
    case "HTTP":
      return overHttp(fetch, intent);
  }
}
