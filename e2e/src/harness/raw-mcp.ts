import type { JsonObject } from "@plasm/core";

/** A connection of the 2025 protocols, message by message. */
export interface RawMcp {
  /** the name it was given */
  readonly session: string;
  /** Calls a tool; the answer of MCP, or of whoever answers in its place. */
  call(id: number, name: string, args: object, signal?: AbortSignal): Promise<JsonObject>;
  /** Cancels a call by message, at this server or at another one. */
  cancel(id: number, url?: string): Promise<number>;
}

const TYPES = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
};

const post = (url: string, message: object, headers: object, signal?: AbortSignal) =>
  fetch(`${url}/mcp`, {
    method: "POST",
    headers: { ...TYPES, ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    ...(signal === undefined ? {} : { signal }),
  });

/** The last message of an answer, which may be a stream of them. */
function lastMessage(text: string): JsonObject {
  const data = text.split("\n").filter((line) => line.startsWith("data: "));
  return JSON.parse(data.at(-1)?.slice("data: ".length) ?? text) as JsonObject;
}

/** Opens a connection as clients of 2025-11-25 do. */
export async function openRawMcp(url: string): Promise<RawMcp> {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  };
  const opened = await post(url, { id: 0, method: "initialize", params }, {});
  await opened.text();
  const session = opened.headers.get("mcp-session-id") ?? "";
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
  return {
    session,
    call: async (id, name, args, signal) => {
      const message = { id, method: "tools/call", params: { name, arguments: args } };
      return lastMessage(await (await post(url, message, headers, signal)).text());
    },
    cancel: async (requestId, other = url) => {
      const message = { method: "notifications/cancelled", params: { requestId } };
      return (await post(other, message, headers)).status;
    },
  };
}
