import { type Received, type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import type { SecretProvider } from "../ports.ts";
import { crates, depot } from "./depot-catalog.ts";
import { run, type Setting } from "./fixture-run.ts";

/** The token endpoint is asked by POST here; everything else is the API. */
export const TOKEN_PATH = "/oauth/token";

/** A depot whose API and token endpoint are one loopback server. */
export interface GuardedDepot {
  readonly server: TestServer;
  /** requests of the API alone */
  readonly asked: () => readonly Received[];
  /** token requests, their forms parsed */
  readonly tokens: () => readonly { form: URLSearchParams; headers: Received["headers"] }[];
  /** Lists crates once with this `auth` (YAML of the catalog). */
  list(top: string, setting?: Partial<Setting>): ReturnType<typeof run>;
}

export interface GuardedReplies {
  readonly api?: (request: Received) => Reply;
  readonly token?: (form: URLSearchParams, request: Received) => Reply | Promise<Reply>;
}

const ROWS: Reply = { json: { items: [{ id: "c1", size: 3 }] } };

/** Starts it; `withDepot` ends it. */
async function startDepot({ api = () => ROWS, token }: GuardedReplies): Promise<GuardedDepot> {
  const server = await startServer((request) => {
    if (request.path !== TOKEN_PATH) return api(request);
    return token?.(new URLSearchParams(request.body), request) ?? { status: 404, json: {} };
  });
  const isToken = ({ path }: Received): boolean => path === TOKEN_PATH;
  return {
    server,
    asked: () => server.log.filter((one) => !isToken(one)),
    tokens: () =>
      server.log.filter(isToken).map(({ body, headers }) => ({
        form: new URLSearchParams(body),
        headers,
      })),
    list: (top, setting = {}) => {
      const backend = server.url;
      const catalog = depot({ backend, top, list: "response: { items: items }" });
      return run({ catalogs: [catalog], backends: {}, ...setting }, [crates()]);
    },
  };
}

/** A depot for the time of a test. */
export async function withDepot<T>(
  replies: GuardedReplies,
  work: (place: GuardedDepot) => Promise<T>,
): Promise<T> {
  const place = await startDepot(replies);
  try {
    return await work(place);
  } finally {
    await place.server.close();
  }
}

/** Secrets in memory, by variable and by hosted key; what is kept can be looked at. */
export function memorySecrets(
  env: Readonly<Record<string, string>>,
  hosted: Readonly<Record<string, string>> = {},
): SecretProvider & { readonly stored: Map<string, string> } {
  const stored = new Map(Object.entries(hosted));
  return {
    stored,
    env: (name) => env[name],
    hosted: (key, { principal }) =>
      Promise.resolve(stored.get(principal === undefined ? key : `${principal} ${key}`)),
    keepHosted: (key, _scope, before, value) => {
      if (stored.get(key) === before) stored.set(key, value);
      return Promise.resolve();
    },
  };
}
