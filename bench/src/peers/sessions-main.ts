import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { mergedDocument, operationOf } from "./document.ts";
import type { ServedSide } from "./serve-side.ts";
import { sideProcess } from "./told-side.ts";
import { ONE_REQUEST } from "./timed-tasks.ts";

/** What a process says that holds many sessions of one side, each of which has had its first row. */
export interface Held {
  readonly sessions: number;
  /** memory in use after a collection, before these sessions and with them */
  readonly before_mb: number;
  readonly after_mb: number;
}

/** Sends a message of MCP on a session's connection and gives the answer, which notifications have none. */
type Ask = (method: string, params?: object) => Promise<string>;

type Work = (ask: Ask, n: number) => Promise<unknown>;

/** So many fill what a process keeps of the latest calls, of whatever session: no session more makes that larger. */
const WARM = 600;
const SESSIONS = 600;
const HELLO = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "peers", version: "1" },
};

const { side, documents, world } = sideProcess();
const held: unknown[] = [];
let id = 0;

const messageOf = (method: string, params: object): JSONRPCMessage & { id?: number } => {
  const message = { jsonrpc: "2.0" as const, method, params: { ...params } };
  return method.startsWith("notifications/") ? message : { ...message, id: (id += 1) };
};

/** A session on a pair of transports, which stay open as a connection does. */
async function paired(connect: (far: Transport) => Promise<unknown>): Promise<Ask> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  let answer: (text: string) => void = () => {};
  near.onmessage = (message) => {
    if ("result" in message || "error" in message) answer(JSON.stringify(message));
  };
  held.push(near);
  const connected = connect(far);
  await near.start();
  return async (method, params = {}) => {
    const told = new Promise<string>((resolve) => (answer = resolve));
    await near.send(messageOf(method, params));
    if (method === "initialize") await connected;
    return method.startsWith("notifications/") ? "" : told;
  };
}

/** How each side opens a session, and what it then does. */
const SESSION: Readonly<Record<ServedSide, () => Promise<{ open(): Promise<Ask>; work: Work }>>> = {
  plasm: async () => {
    const { plasmHost } = await import("./plasm-side.ts");
    const { createMcpHandler } = await import("@plasm/mcp");
    const handler = createMcpHandler(await plasmHost(world));
    const seeds = ONE_REQUEST.plasm.seeds.map(([api, entity]) => ({ api, entity }));
    return {
      open: async () => {
        let session: Record<string, string> = {};
        return async (method, params = {}) => {
          const headers = {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            ...session,
          };
          const body = JSON.stringify(messageOf(method, params));
          const request = new Request("http://127.0.0.1/mcp", { method: "POST", headers, body });
          const response = await handler.fetch(request);
          const issued = response.headers.get("mcp-session-id");
          if (issued !== null) session = { "mcp-session-id": issued };
          return response.text();
        };
      },
      work: async (ask, n) => {
        const intent = `session ${n}`;
        const context = { name: "plasm_context", arguments: { intent, seeds } };
        const ref = /logical_session_ref (s\d+)/.exec(await ask("tools/call", context))?.[1];
        const { program } = ONE_REQUEST.plasm;
        const run = { logical_session_ref: ref, program };
        return ask("tools/call", { name: "plasm_run", arguments: run });
      },
    };
  },
  codemode: async () => {
    const { codemodeServer } = await import("./codemode-side.ts");
    const document = mergedDocument(documents);
    const { code } = ONE_REQUEST;
    return {
      open: () =>
        paired((far) => {
          const server = codemodeServer(world, document);
          held.push(server);
          return server.connect(far);
        }),
      work: (ask) => ask("tools/call", { name: "execute", arguments: { code } }),
    };
  },
  fastmcp: async () => {
    const { fastmcpServer, slug } = await import("./fastmcp-tools.ts");
    const server = await fastmcpServer(world, documents);
    const [operation = ""] = ONE_REQUEST.operations;
    const name = slug(operationOf(documents.github, operation).operationId);
    const args = { owner: "harbour", repo: "quay", issue_number: 42 };
    return {
      open: () => paired((far) => server.connect(far)),
      work: (ask) => ask("tools/call", { name, arguments: args }),
    };
  },
};

function memory(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

const how = await SESSION[side]();

const sessions = async (from: number, to: number): Promise<void> => {
  for (let n = from; n < to; n += 1) {
    const ask = await how.open();
    await ask("initialize", HELLO);
    await ask("notifications/initialized");
    const told = String(await how.work(ask, n));
    if (!told.includes("Tide table")) throw new Error(`${side} answered ${told.slice(0, 500)}`);
    held.push(ask);
  }
};
await sessions(0, WARM);
const before_mb = memory();
await sessions(WARM, WARM + SESSIONS);
const told: Held = { sessions: SESSIONS, before_mb, after_mb: memory() };
process.stdout.write(`${JSON.stringify(told)}\n`);
process.exit(0);
