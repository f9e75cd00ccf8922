import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openCatalog, type Policy } from "@plasm/core";
import { afterEach } from "vitest";
import { createHttpTransport, systemClock, systemIds } from "@plasm/runtime";
import { createEngine } from "../src/create-engine.ts";
import { type Agent, agentOf } from "./engine-on.ts";
import { testStore } from "./test-store.ts";

/** What a server of a test answers; `body` as it is where it is text, else as JSON. */
export interface Served {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An agent on a catalog of its own, whose API is a real server. */
export interface ServedAgent extends Agent {
  /** method and address of every request, in order */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/**
 * Serves a catalog's API over HTTP and opens a session on some of its entities. `BACKEND` in the domain stands
 * for the server's address.
 */
export async function serveCatalog(
  files: {
    readonly domain: string;
    readonly mappings: string;
    readonly entity: string | readonly string[];
    readonly policy?: Policy;
  },
  answer: (method: string, url: string) => Served,
): Promise<ServedAgent> {
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { method = "GET", url = "/" } = request;
    asked.push(`${method} ${url}`);
    request.resume();
    const { status = 200, headers = {}, body } = answer(method, url);
    const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(text);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  const domain = files.domain.replace("BACKEND", `http://127.0.0.1:${port}`);
  const { mappings, entity, policy = {} } = files;
  const { catalog, diagnostics } = openCatalog({
    entryId: "served",
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (catalog === null) throw new Error(JSON.stringify(diagnostics));
  const entry = { catalog, domain, mappings, credentials: true };
  const transport = createHttpTransport();
  const engine = createEngine({
    store: testStore(),
    policies: { policyOf: () => policy },
    registry: { list: () => [entry], get: (id) => (id === "served" ? entry : undefined) },
    ports: {
      transport,
      secrets: { env: () => undefined, hosted: async () => undefined },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
  });
  let closed: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await engine.close();
    await transport.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  const seeds = [entity].flat().map((each) => ({ api: "served", entity: each }));
  const agent = await agentOf(engine, seeds);
  return {
    ...agent,
    asked,
    close: () => (closed ??= close()),
  };
}

/** Serves catalogs to the tests of a file, one at a time: each ends with its test or with the next one. */
export function useServedCatalog(): typeof serveCatalog {
  let served: ServedAgent | null = null;
  afterEach(() => served?.close());
  return async (files, answer) => {
    await served?.close();
    served = await serveCatalog(files, answer);
    return served;
  };
}
