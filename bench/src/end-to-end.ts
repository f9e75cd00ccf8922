import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOCAL, type Engine, type SessionAddress } from "@plasm/agent-core";
import { openHost } from "@plasm/host";
import { startSampleApis, type RecordedRequest, type SampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import type { Pair } from "./pair.ts";

export interface EndToEnd {
  readonly pairs: readonly Pair[];
  /** Ends the servers and removes what they kept. */
  close(): Promise<void>;
}

/** Programs by how many requests they make. */
const PROGRAMS = [
  { name: "one request", program: 'Boat("b1")', requests: 1 },
  { name: "ten requests", program: "Boat.limit(9)[id, name, note]", requests: 10 },
] as const;

const fetchJson = async (url: string): Promise<unknown> => (await fetch(url)).json();

/** What a program without Plasm does: the list first, since the others follow from it, then all the others. */
async function fetchAll([first, ...rest]: readonly string[]): Promise<readonly unknown[]> {
  if (first === undefined) return [];
  const list = await fetchJson(first);
  return [list, ...(await Promise.all(rest.map(fetchJson)))];
}

const urlOf = (apis: SampleApis, { api, path, query }: RecordedRequest): string => {
  const url = new URL(path, apis[api].url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
};

async function openSession(engine: Engine): Promise<SessionAddress> {
  const seeds = [{ api: "quay", entity: "Boat" }];
  await engine.context(LOCAL, { intent: "benchmark", seeds });
  return { kind: "ref", ref: "s0" };
}

/** A pair of one program; it is run once to learn the URLs, and must make as many requests as it says. */
async function pairOf(
  engine: Engine,
  apis: SampleApis,
  { name, program, requests }: (typeof PROGRAMS)[number],
): Promise<Pair> {
  const address = await openSession(engine);
  const run = () => engine.run(LOCAL, address, { program, force: true, wait: true });
  apis.forgetRequests();
  await run();
  const urls = apis.requests.map((request) => urlOf(apis, request));
  if (urls.length !== requests) {
    throw new Error(`${program} made ${urls.length} requests, not ${requests}`);
  }
  return {
    name: `end to end, ${name}`,
    ours: { what: "run a program, its rows kept in SQLite", run },
    base: { what: "fetch the same URLs", run: () => fetchAll(urls) },
  };
}

/** Whole runs, in process, with the embedded store and the sample APIs on loopback. */
export async function endToEndPairs(): Promise<EndToEnd> {
  const dir = await mkdtemp(join(tmpdir(), "plasm-bench-"));
  const ports = { quay: 0, yard: 0 };
  const apis = await startSampleApis({ dataDir: join(dir, "apis"), ports, keepRequests: 50 });
  const host = await openHost({
    dataDir: join(dir, "data"),
    catalogs: [fixtureCatalogDir("quay")],
    env: { PLASM_BACKEND_QUAY: apis.quay.url },
  });
  const close = async (): Promise<void> => {
    await host.close();
    await apis.close();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const pairs: Pair[] = [];
    for (const one of PROGRAMS) pairs.push(await pairOf(host.engine, apis, one));
    return { pairs, close };
  } catch (error) {
    await close();
    throw error;
  }
}
