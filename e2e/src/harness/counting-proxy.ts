import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface CountingProxy {
  readonly url: string;
  /** method, path and query of every request, in order of arrival */
  readonly requests: readonly string[];
  forgetRequests(): void;
  close(): Promise<void>;
}

/** What may be done to a request on its way; `request` is method, path and query. */
export interface ProxyHooks {
  /** awaited before a request goes on; one that rejects keeps it from the server */
  readonly arrived?: (request: string) => Promise<void>;
  /** awaited when the server has answered, before the answer goes back */
  readonly answered?: (request: string) => Promise<void>;
}

/** Headers of answers that say something of their rows. */
const PASSED_ON = ["content-type", "link"];

async function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  hooks: ProxyHooks,
) {
  const request = `${incoming.method} ${incoming.url}`;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  await hooks.arrived?.(request);
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    name === "host" || name === "connection" || typeof value !== "string"
      ? []
      : [[name, value] as [string, string]],
  );
  const response = await fetch(new URL(incoming.url ?? "/", target), {
    method: incoming.method ?? "GET",
    headers,
    redirect: "manual",
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  });
  const told = PASSED_ON.flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const answer = Buffer.from(await response.arrayBuffer());
  await hooks.answered?.(request);
  outgoing.writeHead(response.status, Object.fromEntries(told));
  outgoing.end(answer);
}

/** Stands before a server that keeps no account of its requests, and counts them. */
export async function startCountingProxy(
  target: string,
  hooks: ProxyHooks = {},
): Promise<CountingProxy> {
  const requests: string[] = [];
  const server = createServer({ keepAliveTimeout: 75_000 }, (incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    forward(target, incoming, outgoing, hooks).catch((error: unknown) => {
      outgoing.writeHead(502).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    forgetRequests: () => void requests.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
