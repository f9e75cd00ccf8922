import { createEngine, type Engine, type Store } from "@plasm/agent-core";
import type { Policy } from "@plasm/core";
import {
  createHttpTransport,
  envSecrets,
  loadCatalogDirectory,
  type Ports,
  systemClock,
  systemIds,
} from "@plasm/runtime";
import { openSqliteStore } from "@plasm/store";
import { fixtureCatalogDir } from "@plasm/testkit";

export interface FixtureEngineOptions {
  readonly dataDir: string;
  /** the store's clock */
  readonly now?: () => number;
  readonly backends?: ReadonlyMap<string, string>;
  readonly policy?: Policy;
  /** directories of catalogs, quay and yard by default */
  readonly catalogs?: readonly string[];
  /** ports other than the real ones */
  readonly ports?: Partial<Ports>;
  /** stands between the engine and its store */
  readonly around?: (store: Store) => Store;
}

const SAMPLES = [fixtureCatalogDir("quay"), fixtureCatalogDir("yard")];

/** An engine with everything real but for what is asked for. */
export async function openEngine(options: FixtureEngineOptions): Promise<Engine> {
  const { dataDir, now, backends = new Map(), policy = {}, catalogs = SAMPLES } = options;
  const functions = [...(options.ports?.functions?.keys() ?? [])];
  const loaded = await loadCatalogDirectory(catalogs, { functions });
  const entries = loaded.list().map((entry) => ({
    catalog: entry.catalog,
    domain: entry.domain,
    mappings: entry.mappings,
    credentials: true,
  }));
  const byId = new Map(entries.map((entry) => [entry.catalog.entryId, entry]));
  const store = await openSqliteStore({ dataDir, ...(now === undefined ? {} : { now }) });
  return createEngine({
    store: options.around?.(store) ?? store,
    registry: { list: () => entries, get: (id) => byId.get(id) },
    backends,
    policies: { policyOf: () => policy },
    ports: {
      transport: createHttpTransport(),
      secrets: envSecrets({}),
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
      ...options.ports,
    },
  });
}
