import { request as ask, type IncomingHttpHeaders } from "node:http";
import type { Answer } from "./answer.ts";
import type { Received } from "./received.ts";

/** What concerns one connection, not what is said on it. */
const HOP = new Set(["connection", "keep-alive", "transfer-encoding", "host", "content-length"]);

function endToEnd(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !HOP.has(name));
  return Object.fromEntries(
    kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Asks the server behind, and gives its answer as it came, still compressed. */
export function forward(target: string, received: Received): Promise<Answer> {
  const { method, url, headers, body } = received;
  return new Promise((resolve, reject) => {
    const outgoing = ask(
      new URL(url, target),
      { method, headers: endToEnd(headers), agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          resolve({
            status: incoming.statusCode ?? 502,
            headers: endToEnd(incoming.headers),
            body: Buffer.concat(chunks),
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
