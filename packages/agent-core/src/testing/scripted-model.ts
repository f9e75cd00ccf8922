import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A turn of a scripted model: tools that it calls, or what it says at the end. */
export type Turn =
  | { readonly say: string }
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> };

/** The turns of a model that answers one question with a context, a plan and a run (SURF-2). */
export const PLAN_AND_RUN: readonly Turn[] = Object.freeze([
  {
    call: "plasm_context",
    args: { intent: "which boats are moored", seeds: [{ api: "quay", entity: "Boat" }] },
  },
  { call: "plasm", args: { logical_session_ref: "s0", program: "Boat.limit(2)[id]" } },
  {
    call: "plasm_run",
    args: { logical_session_ref: "s0", program: "Boat.limit(2)[id]", plan_commit_ref: "pc0" },
  },
  { call: "plasm_run", args: { logical_session_ref: "s0", programm: "Boat" } },
  { say: "b1 and b2" },
]);

/** A server that answers each request with the next turn, and remembers what it was asked. */
export interface ScriptedModel {
  readonly url: string;
  /** bodies of requests, in their order */
  readonly asked: readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
}

/** Serves turns in the form that `write` gives them, the last one over and over. */
export async function scriptedModel(
  turns: readonly Turn[],
  write: (turn: Turn, n: number) => object,
): Promise<ScriptedModel> {
  const asked: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      asked.push(await bodyOf(request));
      const n = Math.min(asked.length, turns.length);
      const turn = turns[n - 1];
      if (turn === undefined) throw new Error("a model of no turns");
      response.setHeader("content-type", "application/json");
      // A connection that is kept open may be closed just as the next turn is asked for.
      response.setHeader("connection", "close");
      response.end(JSON.stringify(write(turn, n)));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
