import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answerRequest, capabilityAsked, effectAsked } from "./answer-request.ts";
import type { Asked } from "./exchange.ts";
import type { Capability, Cell, World } from "./model.ts";
import { beginning, type State } from "./state.ts";

/** An API while it is served. */
export interface ServedWorld {
  /** its address */
  readonly base: string;
  /** what it holds now */
  readonly state: State;
  /** every request since the last call */
  takeRequests(): readonly Logged[];
  /** ends it, so that its address answers 404 */
  remove(): void;
}

/** A request that came in. */
export interface Logged {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** what it is for; null for an address that the API has not */
  readonly capability: Capability | null;
  /** the effect that it asks for, or null */
  readonly effect: string | null;
}

/** One server of this process, on a port of its own; worlds stand under paths of theirs. */
export interface Worlds {
  serve(world: World): ServedWorld;
  close(): Promise<void>;
}

interface Mounted {
  readonly state: State;
  readonly base: string;
  readonly requests: Logged[];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

const objectIn = (text: string): Asked["body"] =>
  text === "" ? {} : (JSON.parse(text) as { readonly [name: string]: Cell });

function send(
  response: ServerResponse,
  { state, base, requests }: Mounted,
  request: IncomingMessage,
  text: string,
) {
  const url = new URL(request.url ?? "/", base);
  const path = url.pathname.slice(new URL(base).pathname.length);
  const method = request.method ?? "GET";
  const query = url.searchParams;
  const asked = { method, path, query, body: objectIn(text), base };
  const capability = capabilityAsked(state, asked);
  const effect = effectAsked(state, asked);
  requests.push({ method, path, query, body: text, capability, effect });
  const { status, headers, json } = answerRequest(state, asked);
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (json === undefined) {
    response.end();
    return;
  }
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(json));
}

/** Starts the server of all worlds, on loopback. */
export async function serveWorlds(): Promise<Worlds> {
  const mounted = new Map<string, Mounted>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const world = mounted.get(/^\/([^/?]+)/.exec(request.url ?? "")?.[1] ?? "");
    const text = await bodyOf(request);
    if (world === undefined) {
      response.statusCode = 404;
      response.end();
      return;
    }
    send(response, world, request, text);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      response.statusCode = 500;
      response.end(String(thrown));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    serve: (world) => {
      const base = `http://127.0.0.1:${address.port}/${world.id}`;
      const state = beginning(world);
      const requests: Logged[] = [];
      mounted.set(world.id, { state, base, requests });
      return {
        base,
        state,
        takeRequests: () => requests.splice(0),
        remove: () => void mounted.delete(world.id),
      };
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}
