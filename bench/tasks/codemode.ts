import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openApiMcpServer } from "@cloudflare/codemode/mcp";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { StructuredResult } from "@plasm/agent-core";
import type { Json } from "@plasm/core";
import { requestJson } from "../src/peers/codemode-request.ts";
import type { Document } from "../src/peers/document.ts";
import { connectPeer, type McpPeer } from "../src/peers/mcp-side.ts";
import { nodeExecutor } from "../src/peers/node-executor.ts";
import { isRight } from "./check-answer.ts";
import { serveWorld, type WorldServer } from "@plasm/sample-apis/shop";
import type { RightAnswer } from "./task.ts";
import type { TaskWorld } from "./worlds.ts";

/** What codemode is given of a world's API: a document as its vendor would write it. */
export async function openApiOf({ name }: TaskWorld): Promise<Document> {
  const file = join(import.meta.dirname, name, "openapi.json");
  return JSON.parse(await readFile(file, "utf8")) as Document;
}

/** A world in the hands of codemode, whose server runs in this process. */
export interface OpenedPeer {
  readonly server: WorldServer;
  readonly document: Document;
  readonly peer: McpPeer;
  /** what programs asked the API for since this was emptied, as `GET /books/bk1` */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Serves a world, and codemode's MCP server on its document beside it. */
export async function openPeer(world: TaskWorld): Promise<OpenedPeer> {
  const document = await openApiOf(world);
  const server = await serveWorld(world.collections);
  const requests: string[] = [];
  const codemode = openApiMcpServer({
    spec: document as unknown as Record<string, unknown>,
    executor: nodeExecutor,
    request: (options) => {
      requests.push(`${options.method} ${options.path}`);
      return requestJson(server.url, options);
    },
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await codemode.connect(far);
  const peer = await connectPeer(near);
  const close = async (): Promise<void> => {
    await peer.close();
    await codemode.close();
    await server.close();
  };
  return { server, document, peer, requests, close };
}

/** What a program of codemode brought about: the text that a model reads, and whether the task is done. */
export interface PeerOutcome {
  readonly text: string;
  readonly right: boolean;
  /** the operations of the document that it called, each once */
  readonly operations: readonly string[];
}

/** Runs a program on the first data; throws with what a model is told where it fails. */
export async function runPeerProgram(
  { server, document, peer, requests }: OpenedPeer,
  program: string,
  expected: RightAnswer,
): Promise<PeerOutcome> {
  server.reset();
  requests.length = 0;
  const text = await peer.call("execute", { code: program });
  const right = isRight(expected, { results: [readResult(text)], effects: server.effects });
  const operations = [...new Set(requests.map((request) => operationNamed(document, request)))];
  return { text, right, operations };
}

/** A program's answer as rows: a list, else one row; what is no object is a row of one cell. */
function readResult(text: string): StructuredResult {
  const value = parsed(text);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const rows = list.map((row) =>
    typeof row === "object" && row !== null ? { ...row } : { value: row },
  ) as readonly { readonly [column: string]: Json }[];
  const columns = Object.keys(rows[0] ?? {});
  const whole = { partial: null, snapshot: null, next: null };
  return { name: "answer", columns, rows, row_count: rows.length, ...whole };
}

/** Codemode prints data as JSON, and text as it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The operation that a request such as `GET /books/bk1` is of: `GET /books/{id}`. */
function operationNamed(document: Document, request: string): string {
  const [method = "", path = ""] = request.split(" ");
  const parts = path.split("/");
  const template = Object.keys(document.paths).find((one) => {
    const wanted = one.split("/");
    return (
      wanted.length === parts.length &&
      wanted.every((part, at) => part.startsWith("{") || part === parts[at]) &&
      document.paths[one]?.[method.toLowerCase()] !== undefined
    );
  });
  if (template === undefined) throw new Error(`the document has no ${request}`);
  return `${method} ${template}`;
}
