import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { serverClient } from "../server/server-client.ts";
import { followWatch } from "./follow-watch.ts";

const PATH = "/v1/schedules/w/events";
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const event = (n: number): string => `event: appeared\nid: e${n}\ndata: {"n":${n}}\n\n`;

/** A server whose connections each do one of these, and what each was asked to go on after. */
async function serverOf(connections: readonly ((answer: ServerResponse) => void)[]) {
  const asked: (string | undefined)[] = [];
  const server = createServer((incoming, outgoing) => {
    const after = incoming.headers["last-event-id"];
    asked.push(Array.isArray(after) ? after[0] : after);
    connections[asked.length - 1]?.(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { client: serverClient({ server: `http://127.0.0.1:${port}` }), asked };
}

const streamed =
  (text: string, then: "breaks" | "ends" | "stays") =>
  (answer: ServerResponse): void => {
    answer.writeHead(200, { "content-type": "text/event-stream" });
    answer.write(text, () => {
      if (then === "breaks") answer.destroy();
      else if (then === "ends") answer.end();
    });
  };

const refused = (answer: ServerResponse): void => {
  answer.writeHead(404, { "content-type": "application/problem+json" });
  answer.end(
    JSON.stringify({ code: "plasm-unknown-handle", title: "x", detail: "No schedule w." }),
  );
};

describe("WATCH-04 following a watch", () => {
  it("tells each event once, over connections that break and end, until it is stopped", async () => {
    const { client, asked } = await serverOf([
      streamed(event(1) + event(2), "breaks"),
      streamed(":\n\n", "ends"),
      streamed(`${event(3)}event: appeared\nid: e4\nda`, "breaks"),
      streamed(event(4), "stays"),
    ]);
    const stop = new AbortController();
    const lines: string[] = [];
    const following = followWatch(client, PATH, { after: "e0", signal: stop.signal });
    for await (const { id, line } of following) {
      lines.push(`${id} ${line}`);
      if (id === "e4") stop.abort();
    }
    expect(lines).toEqual([1, 2, 3, 4].map((n) => `e${n} {"n":${n}}`));
    expect(asked).toEqual(["e0", "e2", "e2", "e3"]);
  });

  it("ends with the problem where the watch has been removed", async () => {
    const { client } = await serverOf([streamed(event(1), "ends"), refused]);
    const { signal } = new AbortController();
    const read = async (): Promise<void> => {
      for await (const one of followWatch(client, PATH, { after: null, signal })) void one;
    };
    await expect(read()).rejects.toThrow("No schedule w.");
  });
});
