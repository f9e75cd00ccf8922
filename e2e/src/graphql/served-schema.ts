import { type CatalogFromDocument, catalogFromGraphql } from "@plasm/importers";
import { createSchema, createYoga } from "graphql-yoga";
import { serveCatalog } from "../engine/served-catalog.ts";

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
  const served = await serveCatalog({
    listener: (request, response) => void yoga(request, response),
    make: ({ entryId, server }) =>
      catalogFromGraphql(typeDefs, { entryId, server: `${server}/graphql` }),
    entities,
  });
  return {
    made: served.made,
    asked,
    run: (program) => {
      asked.length = 0;
      return served.run(program);
    },
    close: served.close,
  };
}
