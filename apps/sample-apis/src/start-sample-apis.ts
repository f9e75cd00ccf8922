import { join } from "node:path";
import { apiApp } from "./http/api-app.ts";
import { listen, type Listening } from "./http/listen.ts";
import { addQuay } from "./quay/quay-api.ts";
import { isQuayData, type QuayData } from "./quay/data.ts";
import { seedQuay } from "./quay/seed.ts";
import type { RecordedRequest, RequestHook, SampleApiName } from "./request-log.ts";
import { openJsonFile } from "./storage/json-file.ts";
import type { JsonStore } from "./storage/json-store.ts";
import { addYard, isYardData, seedYard, type YardData } from "./yard/yard-api.ts";

/** Where the sample APIs listen unless told otherwise; the quay and yard catalogs name these. */
export const defaultPorts = { quay: 4801, yard: 4802 } as const;

export interface SampleApisOptions {
  /** Directory of quay.json and yard.json; made and seeded if missing, used as it is otherwise. */
  readonly dataDir: string;
  /** 0 lets the system choose. Default: `defaultPorts`. */
  readonly ports?: { readonly quay?: number; readonly yard?: number };
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** How many of the newest requests to keep. Default 10,000; 0 keeps none. */
  readonly keepRequests?: number;
  readonly onRequest?: RequestHook;
}

export interface SampleApis {
  readonly quay: { readonly url: string };
  readonly yard: { readonly url: string };
  /** Requests to both, in order of arrival; the same list, still growing, at every look. */
  readonly requests: readonly RecordedRequest[];
  /** Empties `requests` and nothing else. */
  forgetRequests(): void;
  /** Puts the first data back and empties `requests`. */
  reset(): Promise<void>;
  /** Ends both servers; resolves when the last change is on disk and every connection closed. */
  close(): Promise<void>;
}

interface Stores {
  readonly quay: JsonStore<QuayData>;
  readonly yard: JsonStore<YardData>;
}

const openStores = async (dataDir: string): Promise<Stores> => ({
  quay: await openJsonFile({
    file: join(dataDir, "quay.json"),
    seed: seedQuay,
    accepts: isQuayData,
  }),
  yard: await openJsonFile({
    file: join(dataDir, "yard.json"),
    seed: seedYard,
    accepts: isYardData,
  }),
});

const recorder = (requests: RecordedRequest[], options: SampleApisOptions): RequestHook => {
  const { keepRequests = 10_000, onRequest } = options;
  return (request) => {
    requests.push(request);
    if (requests.length > keepRequests) requests.shift();
    return onRequest?.(request);
  };
};

const listenBoth = async (
  stores: Stores,
  options: SampleApisOptions,
  hook: RequestHook,
): Promise<Readonly<Record<SampleApiName, Listening>>> => {
  const { ports = {}, host = "127.0.0.1" } = options;
  const quayApp = apiApp("quay", hook);
  addQuay(quayApp, stores.quay);
  const yardApp = apiApp("yard", hook);
  addYard(yardApp, stores.yard);
  const quay = await listen(quayApp, { name: "quay", host, port: ports.quay ?? defaultPorts.quay });
  try {
    const port = ports.yard ?? defaultPorts.yard;
    return { quay, yard: await listen(yardApp, { name: "yard", host, port }) };
  } catch (error) {
    await quay.close();
    throw error;
  }
};

/**
 * Starts quay and yard, the APIs of the specification's conformance fixture, as two HTTP servers.
 * Throws StartError if the data directory cannot be used or a port is taken; then none is running.
 */
export const startSampleApis = async (options: SampleApisOptions): Promise<SampleApis> => {
  const requests: RecordedRequest[] = [];
  const stores = await openStores(options.dataDir);
  const servers = await listenBoth(stores, options, recorder(requests, options));
  const forgetRequests = (): void => void requests.splice(0);
  return {
    quay: { url: servers.quay.url },
    yard: { url: servers.yard.url },
    requests,
    forgetRequests,
    reset: async () => {
      await Promise.all([stores.quay.reset(), stores.yard.reset()]);
      forgetRequests();
    },
    close: async () => {
      await Promise.all([servers.quay.close(), servers.yard.close()]);
      await Promise.all([stores.quay.settled(), stores.yard.settled()]);
    },
  };
};
