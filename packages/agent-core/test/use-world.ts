import { afterEach, beforeEach } from "vitest";
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

/** A world for each test of a file, ended after it; its API has so many boats. */
export function useWorld(boats?: number): () => World {
  let world: World | undefined;
  beforeEach(async () => {
    const [store, api] = [testStore(), boatsApi(boats)];
    const engine = engineOn({ store, api });
    world = { store, api, engine, agent: await agentOn(engine) };
  });
  afterEach(() => world?.engine.close());
  return () => {
    if (world === undefined) throw new Error("The world has not started");
    return world;
  };
}
