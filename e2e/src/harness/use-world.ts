import { afterAll, beforeAll } from "vitest";
import { startWorld, type World, type WorldOptions } from "./world.ts";

/** A world for the tests of one file, started before the first and ended after the last. */
export function useWorld(options: () => WorldOptions = () => ({})): () => World {
  let world: World | undefined;
  beforeAll(async () => {
    world = await startWorld(options());
  });
  afterAll(() => world?.close());
  return () => {
    if (world === undefined) throw new Error("The world has not started");
    return world;
  };
}
