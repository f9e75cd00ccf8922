import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { startCountingProxy, type CountingProxy } from "../harness/counting-proxy.ts";
import { startWorld, type World } from "../harness/world.ts";
import { startRedmine } from "../servers/redmine/start-redmine.ts";
import { redmineOracle, type RedmineOracle } from "./redmine-oracle.ts";
import { redmineRecords, type RedmineRecords } from "./redmine-records.ts";

const CATALOG = fileURLToPath(new URL("../../../catalogs/redmine", import.meta.url));

/** A world that reaches a fresh seeded Redmine, through a proxy that counts. */
export interface RedmineWorld {
  readonly world: World;
  readonly proxy: CountingProxy;
  /** Redmine asked directly: its lists, and what effects leave behind */
  readonly oracle: RedmineOracle;
  readonly records: RedmineRecords;
  /** where it is, and an administrator's key */
  readonly redmine: { readonly url: string; readonly adminKey: string };
}

interface Ending {
  (): Promise<unknown>;
}

async function start(endings: Ending[]): Promise<RedmineWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), "redmine-scenario-"));
  endings.push(() => rm(dataDir, { recursive: true, force: true }));
  const redmine = await startRedmine({ dataDir });
  endings.push(() => redmine.close());
  const proxy = await startCountingProxy(redmine.url);
  endings.push(() => proxy.close());
  const env = { PLASM_BACKEND_REDMINE: proxy.url, REDMINE_API_KEY: redmine.adminKey };
  const world = await startWorld({ catalogs: [CATALOG], env });
  endings.push(() => world.close());
  const { url, adminKey } = redmine;
  const oracle = redmineOracle(url, adminKey);
  const records = redmineRecords(url, adminKey);
  return { world, proxy, oracle, records, redmine: { url, adminKey } };
}

/** Starts one for the tests of a file; it is there once they run. */
export function useRedmineWorld(): () => RedmineWorld {
  const endings: Ending[] = [];
  let running: RedmineWorld | undefined;
  beforeAll(async () => {
    running = await start(endings);
  });
  afterAll(async () => {
    for (const end of endings.toReversed()) await end();
  });
  return () => {
    if (running === undefined) throw new Error("The servers have not started");
    return running;
  };
}
