/** The sample APIs without servers: what answers a request where there is no network, in a page. */
import { apiApp } from "../http/api-app.ts";
import { addQuay } from "../quay/quay-api.ts";
import { seedQuay } from "../quay/seed.ts";
import type { RequestHook, SampleApiName } from "../request-log.ts";
import { JsonStore } from "../storage/json-store.ts";
import { addYard, seedYard } from "../yard/yard-api.ts";

/** Quay and yard as functions from request to answer, on data that ends with the page. */
export interface InPageApis {
  readonly fetch: Readonly<Record<SampleApiName, (request: Request) => Promise<Response>>>;
  /** Puts the first data back. */
  reset(): Promise<void>;
}

function inMemory<Data>(seed: () => Data): JsonStore<Data> {
  return new JsonStore({ data: seed(), seed, keep: () => Promise.resolve() });
}

/** Opens both APIs with their first data; `onRequest` sees each request before it is answered. */
export function openInPageApis(onRequest: RequestHook = () => undefined): InPageApis {
  const [quayStore, yardStore] = [inMemory(seedQuay), inMemory(seedYard)];
  const [quay, yard] = [apiApp("quay", onRequest), apiApp("yard", onRequest)];
  addQuay(quay, quayStore);
  addYard(yard, yardStore);
  return {
    fetch: {
      quay: async (request) => quay.fetch(request),
      yard: async (request) => yard.fetch(request),
    },
    reset: async () => {
      await Promise.all([quayStore.reset(), yardStore.reset()]);
    },
  };
}
