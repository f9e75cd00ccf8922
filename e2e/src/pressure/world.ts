import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeLedgerCatalog } from "./ledger-catalog.ts";
import { startLedger, type Ledger } from "./ledger.ts";
import { plasmProcess, type PlasmProcess } from "./plasm-process.ts";
import { startCluster, type Cluster } from "./postgres-cluster.ts";

/** `shared` is one data directory that two servers use at the same time. */
export type StoreKind = "sqlite" | "shared" | "postgres";

/** An API, one or two servers on one store, and what stands between them. */
export interface World {
  readonly store: StoreKind;
  readonly directory: string;
  readonly dataDir: string;
  readonly ledger: Ledger;
  readonly servers: readonly PlasmProcess[];
  readonly cluster: Cluster | null;
  end(): Promise<void>;
}

export interface WorldSettings {
  readonly store: StoreKind;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeOptions?: string;
  readonly latency?: number;
  /** where the catalog says that the API is, if not where it is */
  readonly backend?: string;
  /** called with the data directory before anything uses it */
  readonly prepare?: (dataDir: string) => Promise<void>;
}

const LIMITS = { PLASM_OPERATIONS_PER_SESSION: "1000", PLASM_OPERATIONS_PER_TENANT: "1000" };

/** Starts all of it, the servers included. */
export async function startWorld(settings: WorldSettings): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), "pressure-"));
  const dataDir = join(directory, "data");
  mkdirSync(dataDir);
  await settings.prepare?.(dataDir);
  const ledger = await startLedger(directory);
  await ledger.command({ latency: settings.latency ?? 15 });
  const catalog = writeLedgerCatalog(directory, settings.backend ?? ledger.url);
  const cluster = settings.store === "postgres" ? await startCluster() : null;
  const names = settings.store === "sqlite" ? ["one"] : ["one", "two"];
  const servers: PlasmProcess[] = [];
  for (const name of names) {
    const server = await plasmProcess({
      directory,
      catalog,
      name,
      dataDir: cluster === null ? dataDir : join(directory, `data-${name}`),
      env: { ...LIMITS, ...settings.env },
      ...(cluster === null ? {} : { databaseUrl: cluster.url }),
      ...(settings.nodeOptions === undefined ? {} : { nodeOptions: settings.nodeOptions }),
    });
    servers.push(server);
    if (!(await server.start())) throw new Error(`no server: ${server.said()}`);
  }
  return {
    store: settings.store,
    directory,
    dataDir,
    ledger,
    servers,
    cluster,
    end: async () => {
      for (const server of servers) {
        server.signal("SIGCONT");
        await server.kill();
      }
      await ledger.stop();
      await cluster?.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
