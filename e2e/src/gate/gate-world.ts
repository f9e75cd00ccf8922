import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, LOCAL, type Caller, type KeyRole } from "@plasm/agent-core";
import {
  approvalsIn,
  auditIn,
  setAsideOperationsIn,
  keysIn,
  type Approvals,
  type KeyRing,
} from "@plasm/agent-core/internal";
import type { JsonObject, Policy } from "@plasm/core";
import { createHttpApp } from "@plasm/http";
import { connectionsIn } from "@plasm/host";
import { createMcpHandler } from "@plasm/mcp";
import { loadCatalogDirectory, systemClock, systemIds } from "@plasm/runtime";
import { openSqliteStore } from "@plasm/store";
import { fixtureCatalogDir } from "@plasm/testkit";
import { boatTransport } from "./boat-transport.ts";
import {
  gateAgent,
  requestOf,
  type Fetch,
  type GateAgent,
  type GateSurface,
} from "./gate-agent.ts";

/** Both surfaces on one engine, whose policy and clock the test sets, and whose API counts requests. */
export interface GateWorld {
  readonly keys: KeyRing;
  readonly approvals: Approvals;
  /** requests to the API since the last look */
  sent(): readonly string[];
  setPolicy(policy: Policy): void;
  advance(ms: number): void;
  /** what serves a caller: HTTP, with MCP at /mcp */
  fetchAs(caller: Caller): Fetch;
  /** the same for whoever is at this machine */
  readonly fetch: Fetch;
  /** an agent in the session of this intent; in a new one without */
  agent(surface: GateSurface, intent?: string, caller?: Caller): Promise<GateAgent>;
  /** the key of somebody in a tenant */
  key(subject: string, role?: KeyRole, tenant?: string): Promise<string>;
  /** the answer of a route of operators */
  ask(
    method: "GET" | "POST",
    path: string,
    key?: string,
  ): Promise<{ status: number; body: JsonObject }>;
  close(): Promise<void>;
}

/** Catalogs that a world may have; its API is quay's. */
export type GateCatalog = "quay" | "yard";

async function registryOf(names: readonly GateCatalog[]) {
  const loaded = await loadCatalogDirectory(names.map((name) => fixtureCatalogDir(name)));
  const entries = loaded.list().map((entry) => {
    const { catalog, domain, mappings } = entry;
    return { catalog, domain, mappings, credentials: true };
  });
  const get = (id: string) => entries.find(({ catalog }) => catalog.entryId === id);
  return { list: () => entries, get };
}

export async function openGateWorld(
  catalogs: readonly GateCatalog[] = ["quay"],
): Promise<GateWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), "plasm-gate-"));
  let now = Date.UTC(2026, 0, 5, 10);
  let policy: Policy = {};
  let intents = 0;
  const store = await openSqliteStore({ dataDir, now: () => now });
  const { transport, sent } = boatTransport();
  const engine = createEngine({
    // A sweep takes expired refs at a time of its own: here they are asked for when they have expired.
    store: {
      ...store,
      insert: (kind, scope, id, value) =>
        kind === "sweep" ? Promise.resolve(false) : store.insert(kind, scope, id, value),
    },
    registry: await registryOf(catalogs),
    policies: { policyOf: () => policy },
    // Modes are told apart by their answers: a handle is one at once.
    answerHoldMs: 0,
    ports: {
      transport,
      secrets: { env: () => undefined, hosted: async () => undefined },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
  });
  const nothingSet = async (): Promise<never> => {
    throw new Error("Nobody reads settings of this world");
  };
  const [keys, approvals] = [keysIn(store), approvalsIn(store)];
  const connections = connectionsIn(store);
  const fetchAs = (caller: Caller): Fetch => {
    const mcp = createMcpHandler({ engine, connections, caller });
    const app = createHttpApp({
      engine,
      operators: {
        keys,
        approvals,
        setAside: setAsideOperationsIn(store),
        audit: auditIn(store),
        settings: { read: nothingSet, catalog: nothingSet },
      },
      mcp,
      caller,
    });
    return async (request) => app.fetch(request);
  };
  const local = fetchAs(LOCAL);
  const callerOf = (n: number): Caller =>
    n < 10 ? LOCAL : { ...LOCAL, subject: `agent ${Math.floor(n / 10)}` };
  const ask: GateWorld["ask"] = async (method, path, key) => {
    const headers = key === undefined ? {} : { "x-api-key": key };
    const response = await local(requestOf(method, path, undefined, headers));
    return { status: response.status, body: (await response.json()) as JsonObject };
  };
  return {
    keys,
    approvals,
    sent: () => sent.splice(0),
    setPolicy: (next) => void (policy = next),
    advance: (ms) => void (now += ms),
    fetchAs,
    fetch: local,
    // A caller of its own for each ten: so many plans of one caller may not wait as all cells have.
    agent: (surface, intent = `intent ${(intents += 1)}`, caller = callerOf(intents)) =>
      gateAgent(surface, caller === LOCAL ? local : fetchAs(caller), intent),
    key: async (subject, role = "operator", tenant = LOCAL.scope) =>
      (await keys.add({ tenant, subject, role })).key,
    ask,
    close: async () => {
      await engine.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
