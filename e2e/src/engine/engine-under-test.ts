import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Caller, type Engine } from "@plasm/agent-core";
import type { Policy } from "@plasm/core";
import {
  createHttpTransport,
  envSecrets,
  loadCatalogDirectory,
  systemClock,
  systemIds,
} from "@plasm/runtime";
import { openSqliteStore } from "@plasm/store";
import { fixtureCatalogDir } from "@plasm/testkit";

export const START = Date.UTC(2026, 0, 5, 10, 0, 0);

/** An engine on its own data directory, whose clock the test moves. */
export interface EngineUnderTest {
  readonly engine: Engine;
  readonly dataDir: string;
  setNow(ms: number): void;
  /** ends this engine and opens another on the same data, as a restart does */
  restart(): Promise<Engine>;
  dispose(): Promise<void>;
}

export const caller = (over: Partial<Caller> = {}): Caller => ({
  scope: "t1",
  subject: "ann",
  connection: null,
  ...over,
});

/** An engine over the quay and yard catalogs; programs that only plan need no server. */
export async function engineUnderTest(
  backends: ReadonlyMap<string, string> = new Map(),
  policy: Policy = {},
): Promise<EngineUnderTest> {
  const dataDir = mkdtempSync(join(tmpdir(), "plasm-engine-"));
  const loaded = await loadCatalogDirectory([fixtureCatalogDir("quay"), fixtureCatalogDir("yard")]);
  let now = START;
  const open = async (): Promise<Engine> => {
    const entries = loaded.list().map((entry) => ({
      catalog: entry.catalog,
      domain: entry.domain,
      mappings: entry.mappings,
      credentials: true,
    }));
    const byId = new Map(entries.map((entry) => [entry.catalog.entryId, entry]));
    return createEngine({
      store: await openSqliteStore({ dataDir, now: () => now }),
      registry: { list: () => entries, get: (id) => byId.get(id) },
      backends,
      policies: { policyOf: () => policy },
      ports: {
        transport: createHttpTransport(),
        secrets: envSecrets({}),
        clock: systemClock,
        ids: systemIds,
        functions: new Map(),
      },
    });
  };
  let engine = await open();
  return {
    get engine() {
      return engine;
    },
    dataDir,
    setNow: (ms) => {
      now = ms;
    },
    restart: async () => {
      await engine.close();
      engine = await open();
      return engine;
    },
    dispose: async () => {
      await engine.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
