import { Agent, buildConnector } from "undici";
import type { TransportRequest } from "../ports.ts";
import { AddressRefusedError } from "./address-refused-error.ts";
import { guardedLookup, ipLiteral, isPrivateAddress, isPrivateHost } from "./addresses.ts";

/**
 * The agents of one transport, by whether private addresses may be reached, connections are kept, and
 * by connect time.
 */
export interface AgentPool {
  /** The agent for a request, whose URL is `url`. */
  get(url: URL, request: TransportRequest): Agent;
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

/** Makes an empty pool. */
export function openAgentPool(): AgentPool {
  const agents = new Map<string, Agent>();
  const isPrivate = rememberedHost(isPrivateHost);
  return {
    get({ hostname }, request) {
      const { allowPrivate, connectTimeoutMs, freshConnection } = request;
      // Of a catalog's own backend a public name never reaches a private address (rebinding).
      const open = allowPrivate === "named" || (allowPrivate && isPrivate(hostname));
      const key = `${open} ${freshConnection} ${connectTimeoutMs}`;
      const known = agents.get(key);
      if (known !== undefined) return known;
      const connector = open ? openConnector : guardedConnector;
      const connect = connector(connectTimeoutMs);
      const agent = new Agent(freshConnection ? { connect, pipelining: 0 } : { connect });
      agents.set(key, agent);
      return agent;
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
      agents.clear();
    },
  };
}

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
