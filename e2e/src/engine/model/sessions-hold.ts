import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresStore, openSqliteStore } from "@plasm/store";
import { servedProperty, type Property } from "@plasm/testkit";
import { createDatabase, startPostgres } from "@plasm/testkit/postgres";
import fc from "fast-check";
import { testStore } from "../../../../packages/agent-core/test/test-store.ts";
import { lastLook } from "./last-look.ts";
import { play } from "./play.ts";
import { type Ground, Replicas } from "./replicas.ts";
import { steps } from "./steps.ts";
import { worldOn } from "./world.ts";

/** A store in memory, which outlives the engines on it. */
async function memoryGround(): Promise<Ground> {
  const store = testStore();
  return {
    apart: false,
    open: async (now) => {
      store.advance(now() - store.now());
      return { ...store, close: async () => undefined };
    },
    advance: (ms) => store.advance(ms),
    close: () => store.close(),
  };
}

/** A SQLite file, which each opening reads anew. Both replicas are of one process. */
async function sqliteGround(): Promise<Ground> {
  const dataDir = mkdtempSync(join(tmpdir(), "plasm-model-"));
  return {
    apart: false,
    open: (now) => openSqliteStore({ dataDir, now }),
    close: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

/** A database on a server, to which each replica has connections of its own. */
export async function postgresGround(serverUrl: string): Promise<Ground> {
  const database = await createDatabase(serverUrl);
  return {
    apart: true,
    open: (now) => openPostgresStore({ url: database.url, now, connections: 4 }),
    close: () => database.drop(),
  };
}

/** The same on a server of its own. */
async function servedPostgres(): Promise<Ground> {
  const server = await startPostgres();
  const ground = await postgresGround(server.url);
  return {
    ...ground,
    close: async () => {
      await ground.close();
      await server.stop();
    },
  };
}

interface Started {
  readonly replicas: Replicas;
  worlds: number;
}

/**
 * Eight clients, two replicas, twenty steps of concurrent calls, kills, failing connections and time: what
 * sessions promise holds at each moment without calls, and once more when all processes have died.
 */
export const sessionsHoldOn = (
  store: string,
  runs: number,
  ground: () => Promise<Ground>,
): Property =>
  servedProperty<readonly [Parameters<typeof play>[1][]], Started>({
    key: `P6-${store}`,
    says: `sessions on ${store} keep P1 to P7, P9 and P25 whatever is called at the same time and whatever dies`,
    runs,
    start: async () => ({ replicas: await Replicas.on(await ground()), worlds: 0 }),
    end: ({ replicas }) => replicas.close(),
    holds: (started) =>
      fc.asyncProperty(steps, async (all) => {
        const world = worldOn(started.replicas, (started.worlds += 1));
        for (const step of all) await play(world, step);
        await lastLook(world);
      }),
  });

export const onMemory = sessionsHoldOn("memory", 6, memoryGround);
export const onSqlite = sessionsHoldOn("sqlite", 3, sqliteGround);

/** Proved at length; the store in memory is for tests only. */
export const properties = [onSqlite, sessionsHoldOn("postgres", 1, servedPostgres)];
