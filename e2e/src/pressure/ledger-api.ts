/**
 * The API that the harness puts behind the server under test: a process of its own, started by ledger.ts. It keeps one
 * file, to which it only appends: a line when a request comes, one when an effect is performed, one when the answer has
 * been handed to the system. That file is the only judge of what happened; nothing here knows Plasm.
 */
import { openSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Fault, LedgerCommand, LedgerLine, LedgerReply } from "./ledger.ts";

const [file = "", portText = "0"] = process.argv.slice(2);
const log = openSync(file, "a");
const CALM: Fault = { kind: "none", when: "before", share: 0 };
const DRIP_MS = 500;
const MAX_ROWS = 1_000_000;

let latency = 0;
let fault: Fault = CALM;
let turn = 0;
let requests = 0;
let server: Server | null = null;
let port = Number(portText);

function note(line: LedgerLine): void {
  writeSync(log, `${JSON.stringify({ ...line, at: Date.now() })}\n`);
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** The name of an effect, which no other effect of a whole trial has; null for a read. */
function effectOf(request: IncomingMessage, path: readonly string[], mark: string): string | null {
  if (request.method === "GET") return null;
  if (request.method === "DELETE") return `delete ${path[1] ?? ""}`;
  if (path[2] === "stamp") return `stamp ${mark}`;
  return request.method === "PATCH" ? `edit ${mark}` : `create ${mark}`;
}

function rowsOf(url: URL): unknown {
  const batch = url.searchParams.get("batch") ?? "";
  const count = Math.min(Number(url.searchParams.get("count") ?? "3"), MAX_ROWS);
  const width = Number(url.searchParams.get("width") ?? "0");
  const fill = "x".repeat(width);
  const items = Array.from({ length: count }, (_, n) => ({
    id: `${batch}-i${n}`,
    mark: `${batch}-r${n}`,
    batch,
    text: fill,
  }));
  return { results: items };
}

function answerOf(request: IncomingMessage, url: URL, path: readonly string[], mark: string) {
  if (request.method === "GET" && path.length === 1) return rowsOf(url);
  if (path[0] === "items") return { id: path[1], mark: path[1], batch: "", text: "one" };
  return { id: path[1] ?? mark, mark };
}

/** Whether this request is struck: every one of a share, in turn, so that retries meet both. */
function struck(effect: string | null): boolean {
  if (fault.kind === "none" || (fault.effectsOnly === true && effect === null)) return false;
  turn += fault.share;
  if (turn < 1) return false;
  turn -= 1;
  return true;
}

async function drip(response: ServerResponse, text: string): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" });
  for (const letter of text) {
    if (response.destroyed) return;
    response.write(letter);
    await delay(DRIP_MS);
  }
  response.end();
}

const FAILED = JSON.stringify({ message: "the ledger fails" });

/** Spoils the answer as the fault of now says. */
async function spoil(response: ServerResponse, text: string, { kind }: Fault): Promise<void> {
  switch (kind) {
    case "hang":
      return;
    case "drip":
      return drip(response, text);
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "cut":
      response.writeHead(200, { "content-type": "application/json", "content-length": "4096" });
      response.write(text.slice(0, Math.ceil(text.length / 2)));
      await delay(5);
      response.socket?.destroy();
      return;
    default:
      response.writeHead(Number(kind), {
        "content-type": "application/json",
        ...(kind === "429" || kind === "503" ? { "retry-after": "1" } : {}),
      });
      response.end(FAILED);
  }
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  requests += 1;
  const n = requests;
  const url = new URL(request.url ?? "/", "http://ledger");
  const path = url.pathname.split("/").filter((one) => one !== "");
  const body = await bodyOf(request);
  const mark = typeof body["mark"] === "string" ? body["mark"] : "";
  const effect = effectOf(request, path, mark);
  const name = effect ?? `${request.method} ${url.pathname}${url.search}`;
  note({ n, event: "got", effect: effect !== null, name });
  if (latency > 0) await delay(latency);
  const text = JSON.stringify(answerOf(request, url, path, mark));
  const now = fault;
  const strike = struck(effect);
  if (effect !== null && !(strike && now.when === "before")) {
    note({ n, event: "performed", effect: true, name });
  }
  if (strike) {
    await spoil(response, text, now);
    return;
  }
  response.writeHead(200, { "content-type": "application/json" });
  response.end(text);
  note({ n, event: "answered", effect: effect !== null, name });
}

function open(): Promise<void> {
  if (server !== null) return Promise.resolve();
  const made = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server = made;
  return new Promise((resolve, reject) => {
    made.once("error", reject);
    made.listen(port, "127.0.0.1", () => {
      const address = made.address();
      if (typeof address === "object" && address !== null) port = address.port;
      resolve();
    });
  });
}

function close(): Promise<void> {
  const old = server;
  server = null;
  if (old === null) return Promise.resolve();
  return new Promise((resolve) => {
    old.close(() => resolve());
    old.closeAllConnections();
  });
}

async function obey(command: LedgerCommand): Promise<void> {
  if (command.latency !== undefined) latency = command.latency;
  if (command.fault !== undefined) fault = command.fault ?? CALM;
  if (command.listen === true) await open();
  if (command.listen === false) await close();
  // Those that hang are let go when the fault ends, as a restarted API would.
  if (command.fault === null) server?.closeAllConnections();
  const reply: LedgerReply = { port, requests };
  process.send?.(reply);
}

process.on("message", (message) => {
  obey(message as LedgerCommand).catch((thrown: unknown) => {
    console.error(thrown);
    process.exit(1);
  });
});
// Nothing of it outlives who started it.
process.on("disconnect", () => process.exit(0));
