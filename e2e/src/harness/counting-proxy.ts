import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface CountingProxy {
  readonly url: string;
  /** method, path and query of every request, in order of arrival */
  readonly requests: readonly string[];
  forgetRequests(): void;
  close(): Promise<void>;
}

async function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
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
  const type = response.headers.get("content-type");
  outgoing.writeHead(response.status, type === null ? {} : { "content-type": type });
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

/** Stands before a server that keeps no account of its requests, and counts them. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const requests: string[] = [];
  const server = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    forward(target, incoming, outgoing).catch((error: unknown) => {
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
