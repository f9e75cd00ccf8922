import { afterAll, beforeAll } from "vitest";
import { startWorld, type World, type WorldOptions } from "./world.ts";

const START_MS = 60_000;

/** A world for the tests of one file, started before the first and ended after the last. */
export function useWorld(options: () => WorldOptions = () => ({})): () => World {
  let world: World | undefined;
  beforeAll(async () => {
    world = await startWorld(options());
  }, START_MS);
  afterAll(() => world?.close(), START_MS);
  return () => {
    if (world === undefined) throw new Error("The world has not started");
    return world;
  };
}
