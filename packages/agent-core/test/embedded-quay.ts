import { fixtureCatalogDir } from "@plasm/testkit";
import { openPlasm, type Plasm } from "../src/embed/open-plasm.ts";
import { boatsApi, type BoatsApi } from "./boats-api.ts";
import { testStore } from "./test-store.ts";

/** An embedded engine with quay on offer, its API in memory. */
export async function embeddedQuay(): Promise<Plasm & { readonly api: BoatsApi }> {
  const api = boatsApi();
  const plasm = await openPlasm({
    catalogs: [fixtureCatalogDir("quay")],
    store: testStore(),
    env: {},
    ports: { transport: api.transport },
  });
  return { ...plasm, api };
}
