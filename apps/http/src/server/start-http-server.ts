import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, isIPv4, isIPv6 } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Engine } from "@plasm/agent-core";
import { type Authenticator, fail, noAuthentication, problem } from "@plasm/agent-core/internal";
import {
  type Accounts,
  type CallLog,
  type Connect,
  type Console,
  LOOPBACK_HOSTS,
  problemResponse,
} from "@plasm/host";
import type { Hono } from "hono";
import { createHttpApp, type MountedMcp } from "../create-http-app.ts";
import type { Administrators, Operators } from "../routes/route.ts";
import { answerMalformed, answerTooManyHeaders, countServedTime } from "./node-server.ts";
import { Guesses, type GuessLimits } from "./guesses.ts";

/** Why the server cannot listen, in words for the person who started it. */
export class ServerStartError extends Error {
  override readonly name = "ServerStartError";
}

/** What connections may take of a server. Times in ms. */
export interface ServerLimits {
  /** until all headers of a request are there, from the connection's start or the end of the answer before; of both limits, time in which the server itself stood still is left out */
  readonly headersMs: number;
  /** until all of a request is there */
  readonly requestMs: number;
  /** how often connections are looked at for these */
  readonly checkEveryMs: number;
  /** connections at a time, idle ones and streams included; others are closed at once */
  readonly connections: number;
  /** headers of a request */
  readonly headers: number;
}

export const SERVER_LIMITS: ServerLimits = Object.freeze({
  headersMs: 10_000,
  requestMs: 120_000,
  checkEveryMs: 2_000,
  connections: 5_000,
  headers: 100,
});

/** What a server shares with the handler of /mcp. */
export interface SharedWithMcp {
  readonly engine: Engine;
  readonly auth: Authenticator;
  readonly origin: string | undefined;
  /** hostnames that the headers Host and Origin may name */
  readonly hosts: readonly string[];
  readonly log: CallLog | undefined;
  readonly warn: ((what: string, cause: unknown) => void) | undefined;
  /** aborts when the server stops: streams that nothing else ends do then */
  readonly stopping: AbortSignal;
}

/** What a server serves, and where it listens. */
export interface HttpServerOptions {
  readonly engine: Engine;
  /** makes what answers at /mcp */
  readonly mcp: (shared: SharedWithMcp) => MountedMcp;
  /** who decides on plans that wait; without them nobody does (OPS-36) */
  readonly operators?: Operators | undefined;
  /** who changes policies; without them nobody does (SURF-16) */
  readonly administrators?: Administrators | undefined;
  /** the pages on which people sign in to APIs; links lead to the origin, or to where this listens (RUN-128) */
  readonly connect?: Connect | undefined;
  /** what callers are connected to (RUN-186) */
  readonly accounts?: Accounts | undefined;
  /** the page on which people look at what agents do, and decide (SURF-31) */
  readonly console?: Pick<Console, "fetch" | "authorize"> | undefined;
  /** how callers prove who they are; not at all without it (SURF-23) */
  readonly auth?: Authenticator | undefined;
  /** address to listen on; only loopback unless callers prove who they are, or `open` says otherwise (SESS-8) */
  readonly host: string;
  /** serves other machines though nobody proves who they are */
  readonly open?: boolean | undefined;
  /** further hostnames that may stand in Host and Origin */
  readonly hostnames?: readonly string[] | undefined;
  /** where clients meet this server, if not at the address it listens on */
  readonly origin?: string | undefined;
  /** 0 lets the system choose */
  readonly port: number;
  /** what an operator should know of: requests that no protocol understands */
  readonly warn?: ((what: string, cause: unknown) => void) | undefined;
  readonly log?: CallLog | undefined;
  readonly limits?: ServerLimits | undefined;
  /** how guessing is held; `GUESS_LIMITS` without it */
  readonly guesses?: GuessLimits | undefined;
}

/** A server that listens. */
export interface HttpServer {
  readonly url: string;
  /**
   * Says that it is not ready, then stops accepting, lets calls under way end, cancels the runs that have not ended after 5 s, sends
   * every answer, then closes every connection.
   */
  close(): Promise<void>;
}

/**
 * Longer than clients and load balancers keep an idle connection, 60 s as a rule: whoever closes it first should
 * be the one who sends, or a call meets a connection that was closed under it.
 */
const KEEP_ALIVE_MS = 75_000;
const GRACE_MS = 5_000;
const IDLE_CHECK_MS = 50;
/** What a client has to read its answer after its call has ended. */
const FLUSH_MS = 1_000;

function explain(error: NodeJS.ErrnoException, { host, port }: HttpServerOptions): Error {
  const place = `${urlHost(host)}:${port}`;
  if (error.code === "EADDRINUSE") {
    return new ServerStartError(
      `${place} is taken by another program. End it, or choose another port with --port.`,
    );
  }
  return new ServerStartError(
    `Cannot listen on ${place}: ${error.message}. Choose another address with --host and --port.`,
  );
}

/** A server that nobody holds up: what is slow, too much or too many ends on its own. */
function serverWithin(limits: ServerLimits, handle: RequestListener): Server {
  const { checkEveryMs, connections, headers } = limits;
  const settings = {
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: checkEveryMs,
  };
  const server = createServer(settings, (incoming, outgoing) => {
    // Node's own limit leaves out what is beyond it, and says nothing.
    if (incoming.rawHeaders.length / 2 > headers) answerTooManyHeaders(incoming, headers);
    else handle(incoming, outgoing);
  });
  countServedTime(server, limits);
  server.maxHeadersCount = 0;
  server.maxConnections = connections;
  answerMalformed(server);
  return server;
}

/** Connections that wait to be accepted, as far as the system allows: a crowd that comes at once is not left to retry. */
const BACKLOG = 4_096;

const listen = (server: Server, options: HttpServerOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", (error) => reject(explain(error, options)));
    const { port, host } = options;
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });

/** Who asks for health or readiness at least twice within so long is a balancer, which sends nobody here once it is told. */
const ASKED_WITHIN_MS = 15_000;
/** What a balancer has to ask once more, and to act on what it is told. */
const ASK_MS = 5_000;
const ACT_MS = 1_000;

/** Whether a server is ready for calls, as those who spread them ask: not from when it is told to stop (SESS-33). */
class Readiness {
  #stopping = false;
  #asked: number[] = [];
  #told: (() => void) | null = null;

  /** The engine as health and readiness ask it. */
  over(engine: Engine): Engine {
    return {
      ...engine,
      ping: async () => {
        this.#asked = [...this.#asked.slice(-1), performance.now()];
        if (this.#stopping) {
          this.#told?.();
          throw fail("plasm-store-unavailable", "The server is being stopped.");
        }
        await engine.ping();
      },
    };
  }

  /** Says no from now on; resolves when whoever asks regularly has heard it and acted on it, while calls are served. */
  async end(): Promise<void> {
    this.#stopping = true;
    const [first = -Infinity, second = -Infinity] = this.#asked;
    const isAsked = Math.min(first, second) > performance.now() - ASKED_WITHIN_MS;
    if (!isAsked) return;
    const over = new AbortController();
    const told = new Promise<void>((resolve) => (this.#told = resolve));
    const late = delay(ASK_MS, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([told, late]);
    over.abort();
    await delay(ACT_MS);
  }
}

/** A connection that ends its answer after the server stopped accepting is idle, and in the way. */
async function drain(server: Server, engine: Engine): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  let flush: NodeJS.Timeout | undefined;
  void engine.drain(GRACE_MS).then(() => {
    flush = setTimeout(() => server.closeAllConnections(), FLUSH_MS);
  });
  await closed;
  clearInterval(idle);
  clearTimeout(flush);
}

const listenerOf = (app: Hono, engine: Engine) =>
  getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: (error) =>
      error instanceof RequestError
        ? problemResponse(problem("plasm-bad-request", `${error.message}.`))
        : problemResponse(engine.problemOf(error)),
  });

/**
 * Serves HTTP and MCP on one address. Throws ServerStartError if the address may not be served or
 * cannot be had; then nothing is listening.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const {
    accounts,
    operators,
    administrators,
    connect,
    console: page,
    host,
    origin,
    log,
    warn,
  } = options;
  const readiness = new Readiness();
  const engine = readiness.over(options.engine);
  const { auth = noAuthentication(), hostnames = [], open = false } = options;
  if (!isLoopback(host) && auth.mode === "off" && !open) {
    throw new ServerStartError(
      `--host ${host} is not a loopback address. Without authentication only this machine may call: use 127.0.0.1, ::1 or localhost, or --auth required.`,
    );
  }
  const own = [urlHost(host), ...hostnames].map((name) => name.toLowerCase());
  const hosts = [...new Set([...LOOPBACK_HOSTS, ...own])];
  const stop = new AbortController();
  const common = { engine, auth, origin, hosts, log };
  const mcp = options.mcp({ ...common, warn, stopping: stop.signal });
  const guesses = new Guesses(options.guesses);
  const app = createHttpApp({
    ...common,
    operators,
    administrators,
    connect,
    accounts,
    console: page,
    mcp,
    guesses,
  });
  const handle = listenerOf(app, engine);
  const server = serverWithin(options.limits ?? SERVER_LIMITS, (incoming, outgoing) => {
    void handle(incoming, outgoing);
  });
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const url = `http://${urlHost(host)}:${port}`;
  // Where other machines call, only the operator knows by which address.
  if (origin !== undefined || isLoopback(host)) connect?.serveAt(origin ?? url);
  return {
    url,
    close: async () => {
      await readiness.end();
      stop.abort();
      await drain(server, engine);
      await mcp.close();
    },
  };
}

/** Whether an address to listen on is this machine's own: localhost, 127.0.0.0/8 or ::1. */
export const isLoopback = (host: string): boolean =>
  host.toLowerCase() === "localhost" ||
  (isIPv4(host) && host.startsWith("127.")) ||
  (isIPv6(host) && host === "::1");

/** An address as it stands in a URL. */
const urlHost = (host: string): string => (isIPv6(host) ? `[${host}]` : host);
