import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from "undici";
import type { TransportRequest } from "../ports.ts";
import { AddressRefusedError } from "./address-refused-error.ts";
import {
  guardedLookup,
  ipLiteral,
  isPrivateAddress,
  isPrivateHost,
  publicAddressOf,
} from "./addresses.ts";
import type { OutboundProxies } from "./outbound-proxies.ts";

/**
 * The agents of one transport, by whether private addresses may be reached, connections are kept, by connect time, and by
 * whether a proxy is asked.
 */
export interface AgentPool {
  /** The agent for a request, whose URL is `url`. */
  get(url: URL, request: TransportRequest): Dispatcher;
  /** what a proxy would not judge of a request: whether its host is a private address; null where nothing is to be judged */
  judge(url: URL, request: TransportRequest): Promise<void> | null;
  close(): Promise<void>;
}

/** The answer for the host that was asked about last: requests of a run go to one, mostly. */
function rememberedHost(judge: (host: string) => boolean): (host: string) => boolean {
  let last = "";
  let answer = judge(last);
  return (host) => {
    if (host !== last) [last, answer] = [host, judge(host)];
    return answer;
  };
}

/** A name that nobody here knows is for the proxy to look up; one that leads to private addresses alone is refused. */
async function refusePrivate(host: string): Promise<void> {
  try {
    await publicAddressOf(host);
  } catch (error) {
    if (error instanceof AddressRefusedError) throw error;
  }
}

/** So long a verdict on a name holds: where outer names are not known, each look-up may take seconds. */
const JUDGED_MS = 300_000;
const MOST_JUDGED = 1_000;

/** Refuses names as {@link refusePrivate} does, each looked up once in a while. */
function rememberedNames(): (host: string) => Promise<void> {
  const names = new Map<string, { readonly verdict: Promise<void>; readonly until: number }>();
  return (host) => {
    const now = performance.now();
    const known = names.get(host);
    if (known !== undefined && known.until > now) return known.verdict;
    if (names.size >= MOST_JUDGED) names.clear();
    const verdict = refusePrivate(host);
    names.set(host, { verdict, until: now + JUDGED_MS });
    return verdict;
  };
}

/** Makes an empty pool; this machine and private addresses are never asked by way of a proxy. */
export function openAgentPool(proxies: OutboundProxies | null): AgentPool {
  const agents = new Map<string, Dispatcher>();
  const isPrivate = rememberedHost(isPrivateHost);
  const judgeName = rememberedNames();
  const isProxied = ({ hostname }: URL): boolean => proxies !== null && !isPrivate(hostname);
  return {
    judge: (url, { allowPrivate }) =>
      isProxied(url) && allowPrivate !== "named" ? judgeName(url.hostname) : null,
    get(url, request) {
      const { hostname } = url;
      const proxied = isProxied(url) ? proxies : null;
      const { allowPrivate, connectTimeoutMs, freshConnection } = request;
      // Of a catalog's own backend a public name never reaches a private address (rebinding).
      const open = allowPrivate === "named" || (allowPrivate && isPrivate(hostname));
      const key = `${open} ${freshConnection} ${connectTimeoutMs} ${proxied !== null}`;
      const known = agents.get(key);
      if (known !== undefined) return known;
      const connector = open ? openConnector : guardedConnector;
      const connect = connector(connectTimeoutMs);
      const options = freshConnection ? { connect, pipelining: 0 } : { connect };
      const agent = proxied === null ? new Agent(options) : proxyAgent(proxied, options);
      agents.set(key, agent);
      return agent;
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
      agents.clear();
    },
  };
}

/** An agent that asks proxies, but for the hosts that are excepted, which are guarded as ever. */
const proxyAgent = (
  { http: httpProxy, https: httpsProxy, except: noProxy }: OutboundProxies,
  options: Agent.Options,
): Dispatcher => new EnvHttpProxyAgent({ ...options, httpProxy, httpsProxy, noProxy });

/**
 * A connector that refuses private addresses after name resolution, at connect time: literals
 * before connecting (a `lookup` never sees them), names inside the lookup (RUN-140).
 */
function guardedConnector(connectTimeoutMs: number): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    lookup: guardedLookup(),
  });
  return (options, callback) => {
    const literal = ipLiteral(options.hostname);
    if (literal !== null && isPrivateAddress(literal)) {
      callback(new AddressRefusedError(options.hostname), null);
      return;
    }
    connect(options, callback);
  };
}

/** A connector for the one origin that may be private: an effective backend that is so itself. */
function openConnector(connectTimeoutMs: number): buildConnector.connector {
  return buildConnector({ timeout: connectTimeoutMs, allowH2: false });
}
