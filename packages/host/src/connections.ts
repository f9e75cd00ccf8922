import { randomBytes } from "node:crypto";
import type { Caller, StoreOps } from "@plasm/agent-core";
import { noteConnectionUsed, principalOf, scopeOfConnection } from "@plasm/agent-core/internal";

/** What the client of a connection can do. */
export interface ConnectionClient {
  /** it leads people to addresses that it is given: elicitation of mode url (RUN-131) */
  readonly leadsToUrls?: boolean;
  /** it shows cards of tools to its person (SURF-45) */
  readonly showsCards?: boolean;
}

/** The names of HTTP connections: `MCP-Session-Id`s that were issued, and to whom (SURF-1). */
export interface Connections {
  /** Issues a name of 128 random bits and keeps it with its principal. */
  issue(caller: Caller, client?: ConnectionClient): Promise<string>;
  /** What the client on a caller's connection can do; nothing without one. */
  clientOf(caller: Caller): Promise<ConnectionClient>;
  /** Whether this name was issued to this caller's principal; unknown and foreign are alike. */
  isOf(caller: Caller, name: string): Promise<boolean>;
}

const NAME = /^[0-9a-f]{32}$/;

/** Connection names kept in the store, in the scope of the principal they were issued to. */
export const connectionsIn = (store: StoreOps): Connections => ({
  issue: async (caller, { leadsToUrls = false, showsCards = false } = {}) => {
    const id = randomBytes(16).toString("hex");
    const record = {
      id,
      lastUsedAt: store.now(),
      ...(leadsToUrls ? { leadsToUrls } : {}),
      ...(showsCards ? { showsCards } : {}),
    };
    await store.insert("connection", principalOf(caller), id, record);
    return id;
  },
  clientOf: async (caller) => {
    const { connection } = caller;
    if (typeof connection !== "string") return {};
    const found = await store.get("connection", principalOf(caller), connection);
    const { leadsToUrls = false, showsCards = false } = found?.value ?? {};
    return { leadsToUrls, showsCards };
  },
  isOf: async (caller, name) => {
    const scope = principalOf(caller);
    const found = NAME.test(name) ? await store.get("connection", scope, name) : null;
    if (found === null) return false;
    await noteConnectionUsed(store, scope, found);
    return true;
  },
});

/**
 * A caller on its connection, if it has one. One that proved nothing is told from others by that, and has a
 * scope of its own there (SESS-8).
 */
export function onConnection(caller: Caller, connection: string | null): Caller {
  if (connection === null) return caller;
  const { anonymous, ...known } = caller;
  if (anonymous !== true) return { ...caller, connection };
  return { ...known, scope: scopeOfConnection(connection), connection };
}
