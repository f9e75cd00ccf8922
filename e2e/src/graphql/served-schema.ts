import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CatalogFromDocument, catalogFromGraphql } from "@plasm/importers";
import { createSchema, createYoga } from "graphql-yoga";
import { caller } from "../engine/engine-under-test.ts";
import { openEngine } from "../engine/open-engine.ts";

/** What answers the fields of a schema, by type and field. */
export type Resolvers = NonNullable<Parameters<typeof createSchema>[0]["resolvers"]>;

/** A schema that a server on loopback answers, and programs on the catalog that it gives. */
export interface ServedSchema {
  readonly made: CatalogFromDocument;
  /** operations that the server was asked, with their variables */
  readonly asked: { readonly query: string; readonly variables: unknown }[];
  /** The text of a run, or of what it failed with. */
  readonly run: (program: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Serves a schema, and opens a session on these entities of its catalog. */
export async function serveSchema(
  typeDefs: string,
  resolvers: Resolvers,
  entities: readonly string[],
): Promise<ServedSchema> {
  const asked: { query: string; variables: unknown }[] = [];
  const yoga = createYoga({
    schema: createSchema({ typeDefs, resolvers }),
    logging: false,
    maskedErrors: false,
    plugins: [
      {
        onParams: ({ params: { query = "", variables } }) => void asked.push({ query, variables }),
      },
    ],
  });
  const server = createServer((request, response) => void yoga(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/graphql`;
  const made = await catalogFromGraphql(typeDefs, { entryId: "served", server: url });
  const root = await mkdtemp(join(tmpdir(), "plasm-schema-"));
  const directory = join(root, "served");
  await mkdir(directory);
  await writeFile(join(directory, "domain.yaml"), made.domain);
  await writeFile(join(directory, "mappings.yaml"), made.mappings);
  const engine = await openEngine({ dataDir: join(root, "data"), catalogs: [directory] });
  const seeds = entities.map((entity) => ({ api: "served", entity }));
  await engine.context(caller(), { intent: "what there is", seeds, notation: "names" });
  return {
    made,
    asked,
    run: async (program) => {
      asked.length = 0;
      try {
        const address = { kind: "ref", ref: "s0" } as const;
        return (await engine.run(caller(), address, { program, force: true, wait: true })).text;
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
