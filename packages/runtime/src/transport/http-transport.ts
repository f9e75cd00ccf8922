import { Readable } from "node:stream";
import {
  type FileTaker,
  FileNotKeptError,
  type HeaderPair,
  type Transport,
  type TransportFailure,
  type TransportOutcome,
  type TransportRequest,
} from "../ports.ts";
import type { AgentPool } from "./agent-pool.ts";
import { AddressRefusedError } from "./address-refused-error.ts";
import { decodedFile, FileCutError } from "./file-bytes.ts";
import type { OutboundProxies } from "./outbound-proxies.ts";
import { decompress, type Received, ReceivedAnswer } from "./received-answer.ts";

type Cancel = () => void;

/** The requests under way of one caller, which hears of its giving up once for all of them. */
interface Watched {
  readonly requests: Set<Cancel>;
  readonly listener: () => void;
}

/**
 * Who is to be told when a caller gives up. Requests of one caller share a listener: adding and removing one
 * costs more the more signals a signal is made of.
 */
export class Cancels {
  readonly #watched = new WeakMap<AbortSignal, Watched>();

  /** Has a request told of an abort until it is over, which is what the answer says. */
  add(signal: AbortSignal, cancel: Cancel): () => void {
    const { requests } = this.#watched.get(signal) ?? this.#watch(signal);
    requests.add(cancel);
    return () => {
      requests.delete(cancel);
      if (requests.size === 0) this.#leave(signal);
    };
  }

  #watch(signal: AbortSignal): Watched {
    const requests = new Set<Cancel>();
    const listener = (): void => {
      for (const cancel of requests) cancel();
    };
    signal.addEventListener("abort", listener, { once: true });
    const watched = { requests, listener };
    this.#watched.set(signal, watched);
    return watched;
  }

  /** A signal that nobody listens to may be forgotten with those that it is made of. */
  #leave(signal: AbortSignal): void {
    const watched = this.#watched.get(signal);
    if (watched !== undefined) signal.removeEventListener("abort", watched.listener);
    this.#watched.delete(signal);
  }
}

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
  const { signal, method, stream } = request;
  const agent = agents.get(url, request);
  return new Promise((resolve) => {
    let over = (): void => undefined;
    const answer = new ReceivedAnswer(request, (received) => {
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
    // Its length is known, and not every server takes a body of unknown length.
    if (stream !== undefined) headers.push("Content-Length", String(stream.size));
    const body = stream === undefined ? request.body : Readable.from(stream.open());
    agent.dispatch({ origin: url.origin, path, method, headers, body }, answer);
  });
}

async function sendOnce(client: Client, request: TransportRequest): Promise<TransportOutcome> {
  const url = new URL(request.url);
  const until = performance.now() + request.timeoutMs;
  const judging = client.agents.judge(url, request);
  if (judging !== null) {
    try {
      await judging;
    } catch (error) {
      return { ok: false, failure: transportFailure(error) };
    }
  }
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
    case "whole": {
      const { status, headers, body } = received;
      return headers.some(([name]) => name === "content-encoding")
        ? decoded(client, received, request, until)
        : { ok: true, response: { status, headers, body } };
    }
    case "file":
      return request.file === undefined
        ? fail("malformed", "nobody takes this file")
        : takenFile(client, received, request, request.file);
  }
}

const encodingOf = (headers: readonly HeaderPair[]): string =>
  headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .map(([, value]) => value.trim().toLowerCase())
    .join(",");

/** An answer whose body is a file, taken as its bytes come; a silence that is too long ends it (VAL-01). */
async function takenFile(
  { cancels }: Client,
  { status, headers, content }: Extract<Received, { kind: "file" }>,
  { timeoutMs, signal }: TransportRequest,
  taker: FileTaker,
): Promise<TransportOutcome> {
  let cut: FileCutError | null = null;
  const end = (kind: TransportFailure["kind"], detail: string): void => {
    cut ??= new FileCutError(kind, detail);
    content.fail(cut);
  };
  const silence = setTimeout(() => end("timeout", `${timeoutMs} ms`), timeoutMs);
  const whole = setTimeout(() => end("timeout", `${taker.timeoutMs} ms`), taker.timeoutMs);
  content.onBytes = () => silence.refresh();
  const over =
    signal === undefined ? () => undefined : cancels.add(signal, () => end("aborted", "cancelled"));
  if (signal?.aborted === true) end("aborted", "cancelled");
  try {
    const plain = decodedFile(content, encodingOf(headers), taker.maxBytes);
    const file = await taker.take(headers, plain);
    return { ok: true, response: { status, headers, body: new Uint8Array(), file } };
  } catch (error) {
    const found: unknown = cut ?? error;
    if (found instanceof FileCutError) return fail(found.kind, found.message);
    if (!(found instanceof FileNotKeptError))
      return { ok: false, failure: transportFailure(found) };
    const { message, fix } = found;
    return { ok: false, failure: { kind: "unkept", sent: true, detail: message, fix } };
  } finally {
    clearTimeout(silence);
    clearTimeout(whole);
    over();
  }
}

/**
 * An answer with its body as it was before it was encoded for the way; that takes of the request's own time, and ends with
 * its signal.
 */
function decoded(
  { cancels }: Client,
  { status, headers, body }: Extract<Received, { kind: "whole" }>,
  { maxResponseBytes, timeoutMs, signal }: TransportRequest,
  until: number,
): Promise<TransportOutcome> {
  const encoding = encodingOf(headers);
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
async function openClient(proxies: OutboundProxies | null): Promise<Client> {
  const { openAgentPool } = await import("./agent-pool.ts");
  return { agents: openAgentPool(proxies), cancels: new Cancels() };
}

/**
 * The HTTP transport: one attempt, no redirects, no cookies, TLS verified, private addresses
 * refused at connect time unless the request allows them (RUN-024, RUN-028, RUN-140, RUN-141). By way of proxies where they are given
 * (RUN-196).
 */
export function createHttpTransport(proxies: OutboundProxies | null = null): Transport {
  let opening: Promise<Client> | null = null;
  let client: Client | null = null;
  return Object.freeze({
    streams: true,
    send: async (request: TransportRequest) => {
      client ??= await (opening ??= openClient(proxies));
      return sendOnce(client, request);
    },
    close: async () => (await opening)?.agents.close(),
  });
}

type Kind = TransportFailure["kind"];

/** Node's and undici's error codes for a connection that never stood: nothing was sent. */
const CONNECT_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Whether a proxy opened no tunnel, which the library says in words alone. */
const isRefusedTunnel = ({ message }: Error): boolean => message.startsWith("Proxy response (");

const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;
const MALFORMED_CODES = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_INVALID_ARG)/;
const TIMEOUT_CODES = /^(UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|ETIMEDOUT)$/;

/** The error and its causes, outermost first; AggregateError counts by its first member. */
function chain(error: unknown): Error[] {
  const found: Error[] = [];
  let current: unknown = error;
  while (current instanceof Error && found.length < 8) {
    found.push(current);
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return found;
}

function kindOf(errors: readonly Error[]): { kind: Kind; code: string } {
  for (const error of errors) {
    if (error instanceof AddressRefusedError) return { kind: "address_refused", code: "" };
    const code = "code" in error ? String(error.code) : "";
    if (CONNECT_CODES.has(code)) return { kind: "connect", code };
    if (code.startsWith("UND_ERR_PRX_") || isRefusedTunnel(error)) return { kind: "connect", code };
    if (TLS_CODES.test(code)) return { kind: "tls", code };
    if (TIMEOUT_CODES.test(code)) return { kind: "timeout", code };
    if (code === "HPE_INVALID_EOF_STATE") return { kind: "lost", code };
    const malformed = MALFORMED_CODES.test(code) || error.name === "HTTPParserError";
    if (malformed) return { kind: "malformed", code };
  }
  return { kind: "lost", code: errors.map((e) => ("code" in e ? String(e.code) : "")).join("") };
}

/** Names what went wrong with an attempt, by error code only: messages may hold addresses and data. */
function transportFailure(error: unknown): TransportFailure {
  const { kind, code } = kindOf(chain(error));
  const sent = kind === "lost" || kind === "timeout" || kind === "malformed";
  return Object.freeze({ kind, sent, detail: code === "" ? kind : code });
}
