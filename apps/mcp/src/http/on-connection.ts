import { scopeOfConnection, type Caller } from "@plasm/agent-core";

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
