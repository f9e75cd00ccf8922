import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import { createDatabase } from "@plasm/testkit/postgres";
import type { PlasmOptions } from "../harness/plasm-command.ts";
import { type PlasmServer, startPlasmServer } from "../harness/plasm-server.ts";

/** Replicas on a PostgreSQL database of their own, and the sample APIs that only they call. */
export interface Stage {
  readonly apis: SampleApis;
  readonly count: number;
  /** Where a replica answers now. */
  url(index: number): string;
  /** What a replica has written so far. */
  said(index: number): string;
  /** Ends a replica by SIGKILL and starts it again, on another port. */
  crash(index: number): Promise<void>;
  close(): Promise<void>;
}

const CATALOGS = [fixtureCatalogDir("quay"), fixtureCatalogDir("yard")];

export async function startStage(postgresUrl: string, count: number): Promise<Stage> {
  const dir = await mkdtemp(join(tmpdir(), "plasm-stage-"));
  const ports = { quay: 0, yard: 0 };
  const [apis, database] = await Promise.all([
    startSampleApis({ dataDir: join(dir, "apis"), ports }),
    createDatabase(postgresUrl),
  ]);
  const env = {
    PLASM_BACKEND_QUAY: apis.quay.url,
    PLASM_BACKEND_YARD: apis.yard.url,
    PLASM_DATABASE_URL: database.url,
  };
  const optionsOf = (index: number): PlasmOptions => ({
    dataDir: join(dir, `replica-${index}`),
    catalogs: CATALOGS,
    env,
  });
  const start = (index: number) => startPlasmServer(optionsOf(index));
  const servers = await Promise.all(Array.from({ length: count }, (_, index) => start(index)));
  const at = (index: number): PlasmServer => {
    const server = servers[index];
    if (server === undefined) throw new Error(`There is no replica ${index}`);
    return server;
  };
  return {
    apis,
    count,
    url: (index) => at(index).url,
    said: (index) => at(index).said(),
    crash: async (index) => {
      await at(index).kill();
      servers[index] = await start(index);
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await Promise.all([apis.close(), database.drop()]);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
