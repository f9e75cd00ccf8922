import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { githubApp, type RequestHook } from "./app.ts";
import type { Data } from "./data/data.ts";
import { type RateLimits, RateLimiter } from "./http/rate-limit.ts";
import type { LoggedRequest } from "./http/request-log.ts";
import { seedData } from "./seed/seed-data.ts";

export interface GitHubShapedOptions {
  /** 0, the usual, lets the system choose */
  readonly port?: number;
  /** makes what it knows at first, anew at every call; usual: `seedData` */
  readonly seed?: () => Data;
  /**
   * How it calls itself in bodies and `Link` headers, without a final slash: `https://api.github.com` for
   * clients that read names from addresses. Usual: its own origin
   */
  readonly publicOrigin?: string;
  readonly rateLimits?: RateLimits;
  /** milliseconds since the epoch; usual: the system's */
  readonly now?: () => number;
  /** Sees every request first; a response it returns is the answer. */
  readonly onRequest?: RequestHook;
}

export interface GitHubShaped {
  /** origin without a final slash, on 127.0.0.1 */
  readonly url: string;
  readonly data: Data;
  /** a token that acts as this person */
  tokenOf(login: string): string;
  /** in order of arrival; the same list, still growing, at every look */
  readonly requests: readonly LoggedRequest[];
  forgetRequests(): void;
  /** Puts the first data back, forgets requests, what of limits is used too, and intercepts nothing more. */
  reset(): void;
  /** From now on this sees requests first; undefined: nobody does. */
  intercept(hook: RequestHook | undefined): void;
  close(): Promise<void>;
}

/** As long as servers in front of APIs keep a connection that nobody uses. */
const KEPT_MS = 75_000;

const listening = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });

function refill(data: Data, fresh: Data): void {
  data.accounts.splice(0, data.accounts.length, ...fresh.accounts);
  data.teams.splice(0, data.teams.length, ...fresh.teams);
  data.repositories.splice(0, data.repositories.length, ...fresh.repositories);
  data.nextId = fresh.nextId;
}

/**
 * Starts a server that behaves as GitHub's REST API does, on data of its own: who may see and change what,
 * status codes, faults of a request, pages, search, rate limits. Throws if the port is taken.
 */
export async function startGitHubShaped(options: GitHubShapedOptions = {}): Promise<GitHubShaped> {
  const { seed = seedData, rateLimits = {}, now = () => Date.now() } = options;
  const data = seed();
  const limiter = new RateLimiter(rateLimits, now);
  const requests: LoggedRequest[] = [];
  let hook = options.onRequest;
  let url = "";
  const app = githubApp({
    data,
    origin: () => options.publicOrigin ?? url,
    nowMs: now,
    limiter,
    log: (request) => void requests.push(request),
    onRequest: (request) => hook?.(request),
  });
  const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(
    { keepAliveTimeout: KEPT_MS },
    (incoming, outgoing) => void handle(incoming, outgoing),
  );
  url = `http://127.0.0.1:${await listening(server, options.port ?? 0)}`;
  return {
    url,
    data,
    tokenOf: (login) => {
      const found = Object.entries(data.tokens).find(([, each]) => each === login);
      if (found === undefined) throw new Error(`nobody gave ${login} a token`);
      return found[0];
    },
    requests,
    forgetRequests: () => void requests.splice(0),
    reset: () => {
      refill(data, seed());
      requests.splice(0);
      limiter.reset();
      hook = options.onRequest;
    },
    intercept: (next) => {
      hook = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
