import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@plasm/agent-core";
import type { CatalogFromDocument } from "@plasm/importers";
import { caller } from "./engine-under-test.ts";
import { openEngine } from "./open-engine.ts";

const ENTRY = "served";
const FIRST = { kind: "ref", ref: "s0" } as const;

/** An API on loopback, the catalog that its document gives, and a session on its entities. */
export interface ServedCatalog {
  readonly engine: Engine;
  readonly made: CatalogFromDocument;
  /** what the session was taught */
  readonly taught: string;
  /** What a run answers; rejects where the run fails. */
  readonly outcome: (program: string) => ReturnType<Engine["run"]>;
  /** The text of a run, or of what it failed with. */
  readonly run: (program: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

export interface ToServe {
  readonly listener: RequestListener;
  /** Makes the catalog of the API at an address, under a name. */
  readonly make: (options: {
    readonly entryId: string;
    readonly server: string;
  }) => Promise<CatalogFromDocument>;
  /** whose rows the session is taught; all of them by default */
  readonly entities?: readonly string[];
}

const entitiesOf = (domain: string): readonly string[] =>
  [...domain.matchAll(/^ {2}([A-Z]\w+):$/gm)].map(([, name = ""]) => name);

/** Serves an API, imports it, and opens a session on it in names. */
export async function serveCatalog({ listener, make, entities }: ToServe): Promise<ServedCatalog> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const made = await make({ entryId: ENTRY, server: `http://127.0.0.1:${port}` });
  const root = await mkdtemp(join(tmpdir(), "plasm-served-"));
  const directory = join(root, ENTRY);
  await mkdir(directory);
  await writeFile(join(directory, "domain.yaml"), made.domain);
  await writeFile(join(directory, "mappings.yaml"), made.mappings);
  const engine = await openEngine({ dataDir: join(root, "data"), catalogs: [directory] });
  const named = entities ?? entitiesOf(made.domain);
  const seeds = named.map((entity) => ({ api: ENTRY, entity }));
  const opened = await engine.context(caller(), { intent: "it all", seeds, notation: "names" });
  const outcome: ServedCatalog["outcome"] = (program) =>
    engine.run(caller(), FIRST, { program, force: true, wait: true });
  return {
    engine,
    made,
    taught: opened.text,
    outcome,
    run: async (program) => {
      try {
        return (await outcome(program)).text;
      } catch (thrown) {
        return engine.problemOf(thrown).text;
      }
    },
    close: async () => {
      await engine.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(root, { recursive: true, force: true });
    },
  };
}
