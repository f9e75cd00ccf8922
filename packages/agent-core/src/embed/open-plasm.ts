import type { CatalogDiagnostic } from "@plasm/core";
import {
  createHttpTransport,
  createTokenCache,
  credentialIsPresent,
  effectiveBackends,
  envSecrets,
  loadCatalogDirectory,
  type Plugin,
  type Ports,
  type RegisteredPlugins,
  registerPlugins,
  type Registry,
  type SkippedCatalog,
  systemClock,
  systemIds,
  outboundProxies,
} from "@plasm/runtime";
import { createEngine } from "../create-engine.ts";
import type { EngineOptions } from "../engine-context.ts";
import type { Engine } from "../engine.ts";
import type { Caller } from "../identity/caller.ts";
import type { CatalogRegistry } from "../ports.ts";
import { type HasCredential, registeredCatalog } from "../registry/live-registry.ts";
import { type AgentSession, createAgentSession } from "./agent-session.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What an embedded engine is opened with; policies, limits and the like are createEngine's. */
export interface PlasmOptions extends Omit<
  EngineOptions,
  "registry" | "ports" | "backends" | "pluginGeneration"
> {
  /** paths, each of a catalog or of a directory of catalogs; or catalogs that are loaded already */
  readonly catalogs: readonly string[] | Registry;
  /** where the secrets that catalogs name, and `PLASM_BACKEND_<ENTRY_ID>`, are looked up; process.env if not given */
  readonly env?: Environment;
  /** entry id → the API's address, before the environment's and the catalog's own (RUN-004) */
  readonly backends?: Readonly<Record<string, string>>;
  /** functions that catalogs call by name (RUN-105) */
  readonly plugins?: readonly Plugin[];
  /** ports other than the network, the system's clock and secrets of the environment */
  readonly ports?: Partial<Ports>;
}

/** An engine that this process embeds. */
export interface Plasm {
  readonly engine: Engine;
  /** ids of the catalogs on offer */
  readonly catalogs: readonly string[];
  /** Starts a conversation: of the one local user, or of the user of a tenant. */
  session(caller?: Omit<Caller, "connection">): AgentSession;
  /** Cancels what runs, waits for it to end, and closes the store (OPS-16). */
  close(): Promise<void>;
}

const placeOf = ({ file, line, column, code, message }: CatalogDiagnostic): string =>
  `${file}:${line}:${column} ${code} ${message}`;

function refuseBroken([broken]: readonly SkippedCatalog[]): void {
  if (broken === undefined) return;
  const errors = broken.diagnostics.filter(({ severity }) => severity === "error");
  const lines = errors.map((error) => `  ${placeOf(error)}`);
  throw new Error([`The catalog at ${broken.path} does not load:`, ...lines].join("\n"));
}

async function loaded(
  catalogs: PlasmOptions["catalogs"],
  { functionNames }: RegisteredPlugins,
): Promise<Registry> {
  const registry =
    "list" in catalogs
      ? catalogs
      : await loadCatalogDirectory(catalogs, { functions: functionNames });
  refuseBroken(registry.skipped);
  return registry;
}

function onOffer(registry: Registry, hasCredential: HasCredential): CatalogRegistry {
  const entries = registry.list().map((entry) => registeredCatalog(entry, hasCredential));
  const byId = new Map(entries.map((entry) => [entry.catalog.entryId, entry]));
  return { list: () => entries, get: (entryId) => byId.get(entryId) };
}

/**
 * Opens an engine inside this process, on catalogs and a store: what an agent needs that has no use for a
 * server. Throws where a catalog does not load, naming the place of each error (RUN-180).
 */
export async function openPlasm(options: PlasmOptions): Promise<Plasm> {
  const { catalogs, env = process.env, backends = {}, plugins = [], ports, ...rest } = options;
  const registered = registerPlugins(plugins);
  const registry = await loaded(catalogs, registered);
  const ids = registry.list().map(({ catalog }) => catalog.entryId);
  const secretsAtHand = {
    env: (name: string) => env[name],
    hosted: () => undefined,
    now: () => systemClock.now(),
  };
  const hasCredential: HasCredential = (catalog, scope = { tenant: "" }) =>
    credentialIsPresent(catalog, scope, secretsAtHand);
  const engine = createEngine({
    ...rest,
    registry: onOffer(registry, hasCredential),
    backends: new Map([...effectiveBackends(ids, env), ...Object.entries(backends)]),
    pluginGeneration: registered.generation,
    ports: {
      transport: ports?.transport ?? createHttpTransport(outboundProxies(env)),
      secrets: envSecrets(env),
      clock: systemClock,
      ids: systemIds,
      functions: registered.functions,
      tokens: createTokenCache(),
      ...ports,
    },
  });
  return Object.freeze<Plasm>({
    engine,
    catalogs: ids,
    session: (caller) => createAgentSession(engine, caller, { store: options.store }),
    close: () => engine.close(),
  });
}
