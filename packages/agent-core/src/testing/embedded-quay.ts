import { fixtureCatalogDir } from "@plasm/testkit";
import { openPlasm, type Plasm } from "../embed/open-plasm.ts";
import { boatsApi, type BoatsApi } from "./boats-api.ts";
import { memoryStore } from "./memory-store.ts";

/** An embedded engine with quay on offer, its API in memory. */
export async function embeddedQuay(): Promise<Plasm & { readonly api: BoatsApi }> {
  const api = boatsApi();
  const plasm = await openPlasm({
    catalogs: [fixtureCatalogDir("quay")],
    store: memoryStore(),
    env: {},
    ports: { transport: api.transport },
  });
  return { ...plasm, api };
}
