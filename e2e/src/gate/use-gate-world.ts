import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { openGateWorld, type GateCatalog, type GateWorld } from "./gate-world.ts";

/** A gate's world for the tests of one file, or a new one for each of them. */
export function useGateWorld({
  per = "file",
  catalogs,
}: {
  readonly per?: "file" | "test";
  readonly catalogs?: readonly GateCatalog[];
} = {}): () => GateWorld {
  let world: GateWorld | undefined;
  const [before, after] = per === "file" ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    world = await openGateWorld(catalogs);
  });
  after(() => world?.close());
  return () => {
    if (world === undefined) throw new Error("The gate's world has not started");
    return world;
  };
}
