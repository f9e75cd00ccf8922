import type { Agent, Dispatcher } from "undici";
import type {
  HeaderPair,
  Transport,
  TransportFailure,
  TransportOutcome,
  TransportRequest,
} from "../ports.ts";
import type { AgentPool } from "./agent-pool.ts";
import { decompress } from "./decompress.ts";
import { transportFailure } from "./transport-failure.ts";

type ResponseData = Dispatcher.ResponseData;

const fail = (kind: TransportFailure["kind"], detail: string): TransportOutcome => ({
  ok: false,
  failure: { kind, sent: true, detail },
});

function headerPairs(headers: ResponseData["headers"]): HeaderPair[] {
  return Object.entries(headers).flatMap(([name, value]): HeaderPair[] => {
    if (value === undefined) return [];
    return (Array.isArray(value) ? value : [value]).map((one) => [name, one]);
  });
}

/** Reads a body up to a size; null when it is larger. */
async function readCapped(
  body: ResponseData["body"],
  maxBytes: number,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) {
      body.destroy();
      return null;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

async function readResponse(data: ResponseData, maxBytes: number): Promise<TransportOutcome> {
  const raw = await readCapped(data.body, maxBytes);
  if (raw === null) return fail("too_large", `more than ${maxBytes} bytes`);
  const headers = headerPairs(data.headers);
  const encoding = headers
    .filter(([name]) => name === "content-encoding")
    .map(([, value]) => value)
    .join(",");
  const plain = await decompress(raw, encoding, maxBytes);
  if (!plain.ok) return fail(plain.reason, plain.detail);
  return { ok: true, response: { status: data.statusCode, headers, body: plain.body } };
}

async function sendOnce(agent: Agent, request: TransportRequest): Promise<TransportOutcome> {
  const url = new URL(request.url);
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort("timeout"), request.timeoutMs);
  const cancel = (): void => abort.abort("aborted");
  request.signal?.addEventListener("abort", cancel, { once: true });
  if (request.signal?.aborted === true) cancel();
  try {
    const data = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: request.headers.flatMap(([name, value]) => [name, value]),
      body: request.body,
      signal: abort.signal,
    });
    return await readResponse(data, request.maxResponseBytes);
  } catch (error) {
    if (abort.signal.reason === "timeout") return fail("timeout", `${request.timeoutMs} ms`);
    if (abort.signal.reason === "aborted") return fail("aborted", "cancelled");
    return { ok: false, failure: transportFailure(error) };
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", cancel);
  }
}

/** The client is loaded with the first request: a server is asked for its tools long before. */
async function openPool(): Promise<AgentPool> {
  const { openAgentPool } = await import("./agent-pool.ts");
  return openAgentPool();
}

/**
 * The HTTP transport: one attempt, no redirects, no cookies, TLS verified, private addresses
 * refused at connect time unless the request allows them (RUN-024, RUN-028, RUN-140, RUN-141).
 */
export function createHttpTransport(): Transport {
  let pool: Promise<AgentPool> | null = null;
  return Object.freeze({
    send: async (request: TransportRequest) => {
      pool ??= openPool();
      const agents = await pool;
      return sendOnce(agents.get(request), request);
    },
    close: async () => (await pool)?.close(),
  });
}
