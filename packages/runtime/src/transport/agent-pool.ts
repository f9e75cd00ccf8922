import { Agent } from "undici";
import type { TransportRequest } from "../ports.ts";
import { guardedConnector, openConnector } from "./guarded-connector.ts";
import { isPrivateHost } from "./private-address.ts";

/**
 * The agents of one transport, by whether private addresses may be reached, connections are kept, and
 * by connect time.
 */
export interface AgentPool {
  get(request: TransportRequest): Agent;
  close(): Promise<void>;
}

/** Makes an empty pool. */
export function openAgentPool(): AgentPool {
  const agents = new Map<string, Agent>();
  return {
    get(request) {
      // A public name never reaches a private address, the backend's own included (rebinding).
      const open = request.allowPrivate && isPrivateHost(new URL(request.url).hostname);
      const { connectTimeoutMs, freshConnection } = request;
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
