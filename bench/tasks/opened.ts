import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentSession, createAgentSession } from "@plasm/agent-core";
import type { Notation } from "@plasm/core";
import { openHost } from "@plasm/host";
import { serveWorld, type WorldServer } from "@plasm/sample-apis/shop";
import type { TaskWorld } from "./worlds.ts";

/** A conversation about a world, whose server runs in this process. */
export interface OpenedWorld {
  readonly server: WorldServer;
  readonly session: AgentSession;
  /** what the call that opened it answered: contract and table */
  readonly table: string;
  /** what a model is told of a failure */
  told(thrown: unknown): string;
  close(): Promise<void>;
}

/** Serves a world and opens a session that knows all of its entities. */
export async function openWorld(world: TaskWorld, notation: Notation): Promise<OpenedWorld> {
  const server = await serveWorld(world.collections);
  const dataDir = await mkdtemp(join(tmpdir(), "plasm-tasks-"));
  const host = await openHost({
    dataDir,
    catalogs: [world.catalog],
    env: { [`PLASM_BACKEND_${world.name.toUpperCase()}`]: server.url },
  });
  const close = async (): Promise<void> => {
    await host.close();
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const session = createAgentSession(host.engine);
    const seeds = world.entities.map((entity) => ({ api: world.name, entity }));
    const { text: table } = await session.context({ intent: world.intent, seeds, notation });
    const told = (thrown: unknown): string => host.engine.problemOf(thrown).text;
    return { server, session, table, told, close };
  } catch (error) {
    await close();
    throw error;
  }
}
