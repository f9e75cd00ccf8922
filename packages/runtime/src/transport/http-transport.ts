import type { Transport, TransportFailure, TransportOutcome, TransportRequest } from "../ports.ts";
import type { AgentPool } from "./agent-pool.ts";
import { Cancels } from "./cancels.ts";
import { decompress } from "./decompress.ts";
import { type Received, ReceivedAnswer } from "./received-answer.ts";
import { transportFailure } from "./transport-failure.ts";

/** What sends the requests of a process. */
interface Client {
  readonly agents: AgentPool;
  readonly cancels: Cancels;
}

/** A timer that is so late, in ms, was held up with all else, as on a machine that was suspended. */
const STOOD_STILL_MS = 1_000;

const fail = (kind: TransportFailure["kind"], detail: string): TransportOutcome => ({
  ok: false,
  failure: { kind, sent: true, detail },
});

/** How long an answer was waited for, and how much of it came, if any. */
const lateBy = (ms: number, bytes: number | null): string =>
  bytes === null ? `${ms} ms` : `${ms} ms, ${bytes} bytes`;

/** Sends a request and takes its answer, or gives it up when its time is over or its caller says so. */
function exchange(
  { agents, cancels }: Client,
  url: URL,
  request: TransportRequest,
): Promise<Received> {
  const { signal, method, body } = request;
  const agent = agents.get(url, request);
  return new Promise((resolve) => {
    let over = (): void => undefined;
    const answer = new ReceivedAnswer(request.maxResponseBytes, (received) => {
      clearTimeout(timer);
      over();
      resolve(received);
    });
    const giveUp = (): void => answer.giveUp("timeout");
    const due = performance.now() + request.timeoutMs;
    let timer = setTimeout(() => {
      // Where this process stood still, an answer may have come that it has not looked at yet.
      if (performance.now() - due < STOOD_STILL_MS) return giveUp();
      timer = setTimeout(giveUp, STOOD_STILL_MS);
    }, request.timeoutMs);
    const cancel = (): void => answer.giveUp("aborted");
    if (signal?.aborted === true) return cancel();
    if (signal !== undefined) over = cancels.add(signal, cancel);
    const path = url.pathname + url.search;
    const headers = request.headers.flat();
    agent.dispatch({ origin: url.origin, path, method, headers, body }, answer);
  });
}

async function sendOnce(client: Client, request: TransportRequest): Promise<TransportOutcome> {
  const url = new URL(request.url);
  const until = performance.now() + request.timeoutMs;
  const received = await exchange(client, url, request);
  switch (received.kind) {
    case "timeout":
      return fail("timeout", lateBy(request.timeoutMs, received.bytes));
    case "aborted":
      return fail("aborted", "cancelled");
    case "too_large":
      return fail("too_large", `more than ${request.maxResponseBytes} bytes`);
    case "failed":
      return { ok: false, failure: transportFailure(received.error) };
    case "whole":
      return decoded(client, received, request, until);
  }
}

/**
 * An answer with its body as it was before it was encoded for the way; that takes of the request's own time, and ends with
 * its signal.
 */
async function decoded(
  { cancels }: Client,
  { status, headers, body }: Extract<Received, { kind: "whole" }>,
  { maxResponseBytes, timeoutMs, signal }: TransportRequest,
  until: number,
): Promise<TransportOutcome> {
  const encodings = headers.filter(([name]) => name === "content-encoding");
  if (encodings.length === 0) return { ok: true, response: { status, headers, body } };
  const encoding = encodings.map(([, value]) => value).join(",");
  return new Promise((resolve, reject) => {
    let over = (): void => undefined;
    const end = (outcome: TransportOutcome): void => {
      clearTimeout(timer);
      over();
      resolve(outcome);
    };
    const timedOut = (): void => end(fail("timeout", `${timeoutMs} ms`));
    const timer = setTimeout(timedOut, Math.max(0, until - performance.now()));
    if (signal?.aborted === true) return end(fail("aborted", "cancelled"));
    if (signal !== undefined) over = cancels.add(signal, () => end(fail("aborted", "cancelled")));
    decompress(body, encoding, maxResponseBytes).then(
      (plain) =>
        end(
          plain.ok
            ? { ok: true, response: { status, headers, body: plain.body } }
            : fail(plain.reason, plain.detail),
        ),
      reject,
    );
  });
}

/** The client is loaded with the first request: a server is asked for its tools long before. */
async function openClient(): Promise<Client> {
  const { openAgentPool } = await import("./agent-pool.ts");
  return { agents: openAgentPool(), cancels: new Cancels() };
}

/**
 * The HTTP transport: one attempt, no redirects, no cookies, TLS verified, private addresses
 * refused at connect time unless the request allows them (RUN-024, RUN-028, RUN-140, RUN-141).
 */
export function createHttpTransport(): Transport {
  let client: Promise<Client> | null = null;
  return Object.freeze({
    send: async (request: TransportRequest) => {
      client ??= openClient();
      return sendOnce(await client, request);
    },
    close: async () => (await client)?.agents.close(),
  });
}
