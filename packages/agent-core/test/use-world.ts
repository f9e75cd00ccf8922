import { afterEach, beforeEach } from "vitest";
import type { Policy } from "@plasm/core";
import type { Engine } from "../src/engine.ts";
import { boatsApi, type BoatsApi } from "./boats-api.ts";
import { agentOn, engineOn, type Agent } from "./engine-on.ts";
import { testStore } from "./test-store.ts";
import type { MemoryStore } from "../src/memory-store/memory-store.ts";

/** An agent, its engine, and the store and the API that the engine has. */
interface World {
  readonly store: MemoryStore;
  readonly api: BoatsApi;
  readonly engine: Engine;
  readonly agent: Agent;
}

/** Every read that may be large is reviewed (PLAN-054). */
export const READS_REVIEWED: Policy = { unreviewed_reads: { requests: 0 } };

/** A world for each test of a file, ended after it; its API has so many boats. */
export function useWorld(boats?: number, policy: Policy = {}): () => World {
  let world: World | undefined;
  beforeEach(async () => {
    const [store, api] = [testStore(), boatsApi(boats)];
    const engine = engineOn({ store, api, policy });
    world = { store, api, engine, agent: await agentOn(engine) };
  });
  afterEach(() => world?.engine.close());
  return () => {
    if (world === undefined) throw new Error("The world has not started");
    return world;
  };
}
