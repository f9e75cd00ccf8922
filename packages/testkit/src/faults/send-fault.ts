import type { ServerResponse } from "node:http";
import type { Answer } from "./answer.ts";
import type { Fault } from "./fault.ts";
import type { Received } from "./received.ts";

/** Sends an answer, whole. */
export function sendAnswer(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  const own = Object.entries(headers).map(([name, value]): [string, string | string[]] => [
    name,
    typeof value === "string" ? value : [...value],
  ]);
  outgoing.writeHead(status, Object.fromEntries(own));
  outgoing.end(body);
}

const JSON_HEAD = { "content-type": "application/json" };

function cutShort(outgoing: ServerResponse, sent: string, missing: number): void {
  const length = Buffer.byteLength(sent) + missing;
  outgoing.writeHead(200, { ...JSON_HEAD, "content-length": length });
  // Only once the bytes are out: a reset takes back what was not sent yet.
  outgoing.write(sent, () => setTimeout(() => outgoing.socket?.resetAndDestroy(), 20));
}

function drip(outgoing: ServerResponse, everyMs: number): void {
  outgoing.writeHead(200, JSON_HEAD);
  outgoing.write("[");
  const timer = setInterval(() => outgoing.write(" "), everyMs);
  outgoing.once("close", () => clearInterval(timer));
}

function stall(outgoing: ServerResponse, sent: string): void {
  outgoing.writeHead(200, JSON_HEAD);
  if (sent === "") outgoing.flushHeaders();
  else outgoing.write(sent);
}

const CHUNK = Buffer.alloc(64 * 1024, " ");

function flood(outgoing: ServerResponse, bytes: number): void {
  outgoing.writeHead(200, JSON_HEAD);
  let left = bytes;
  const pour = (): void => {
    while (left > 0 && !outgoing.destroyed) {
      const piece = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
      left -= piece.length;
      if (!outgoing.write(piece)) return void outgoing.once("drain", pour);
    }
    outgoing.end();
  };
  pour();
}

/** Does to a request what a fault says. */
export function sendFault(outgoing: ServerResponse, fault: Fault, request: Received): void {
  switch (fault.kind) {
    case "answer":
      return sendAnswer(outgoing, fault.answer(request));
    case "reset":
      outgoing.socket?.resetAndDestroy();
      return;
    case "cut":
      return cutShort(outgoing, fault.sent, fault.missing);
    case "silence":
      return;
    case "drip":
      return drip(outgoing, fault.everyMs);
    case "stall":
      return stall(outgoing, fault.sent);
    case "flood":
      return flood(outgoing, fault.bytes);
  }
}
