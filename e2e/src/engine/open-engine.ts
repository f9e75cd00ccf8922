import { createEngine, type Engine, type OperationQueue, type Store } from "@plasm/agent-core";
import type { Policy } from "@plasm/core";
import {
  createHttpTransport,
  envSecrets,
  type FileRules,
  loadCatalogDirectory,
  type Limits,
  type Ports,
  systemClock,
  systemIds,
} from "@plasm/runtime";
import { openPostgresQueue, openPostgresStore, openSqliteStore } from "@plasm/store";
import { fixtureCatalogDir } from "@plasm/testkit";

export interface FixtureEngineOptions {
  readonly dataDir: string;
  /** of the PostgreSQL that replicas share; a SQLite file in the data directory without it */
  readonly databaseUrl?: string;
  /** how often it looks for what others have left, in ms */
  readonly lookEveryMs?: number;
  /** the store's clock */
  readonly now?: () => number;
  readonly backends?: ReadonlyMap<string, string>;
  readonly policy?: Policy;
  readonly limits?: Limits;
  /** which files programs may name */
  readonly files?: FileRules;
  /** directories of catalogs, quay and yard by default */
  readonly catalogs?: readonly string[];
  /** ports other than the real ones */
  readonly ports?: Partial<Ports>;
  /** stands between the engine and its store */
  readonly around?: (store: Store) => Store;
}

interface Opened {
  readonly store: Store;
  readonly queue: OperationQueue | null;
}

async function openStore({
  dataDir,
  databaseUrl,
  ...options
}: FixtureEngineOptions): Promise<Opened> {
  const clock = options.now === undefined ? {} : { now: options.now };
  if (databaseUrl === undefined) {
    return { store: await openSqliteStore({ dataDir, ...clock }), queue: null };
  }
  const store = await openPostgresStore({ url: databaseUrl, ...clock });
  return { store, queue: await openPostgresQueue({ url: databaseUrl }) };
}

const SAMPLES = [fixtureCatalogDir("quay"), fixtureCatalogDir("yard")];

/** An engine with everything real but for what is asked for. */
export async function openEngine(options: FixtureEngineOptions): Promise<Engine> {
  const { backends = new Map(), policy = {}, catalogs = SAMPLES } = options;
  const functions = [...(options.ports?.functions?.keys() ?? [])];
  const loaded = await loadCatalogDirectory(catalogs, { functions });
  const entries = loaded.list().map((entry) => ({
    catalog: entry.catalog,
    domain: entry.domain,
    mappings: entry.mappings,
    credentials: true,
  }));
  const byId = new Map(entries.map((entry) => [entry.catalog.entryId, entry]));
  const { store, queue } = await openStore(options);
  return createEngine({
    store: options.around?.(store) ?? store,
    ...(queue === null ? {} : { queue }),
    registry: { list: () => entries, get: (id) => byId.get(id) },
    backends,
    ...(options.lookEveryMs === undefined ? {} : { lookEveryMs: options.lookEveryMs }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.files === undefined ? {} : { files: options.files }),
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
