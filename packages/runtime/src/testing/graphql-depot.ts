import type { Catalog, JsonObject } from "@plasm/core";
import { type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf } from "./fixture-run.ts";

const DOMAIN = `
version: 1
http_backend: https://depot.example/api
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
  depot: { type: entity_ref, target: Depot }
entities:
  Depot:
    id_field: id
    fields: { id: { value_ref: text } }
  Crate:
    id_field: id
    fields:
      id: { value_ref: text }
      size: { value_ref: count }
      note: { value_ref: text }
capabilities:
  depot_get: { kind: get, entity: Depot }
  crate_query:
    kind: query
    entity: Crate
    parameters:
      - { name: depot, value_ref: depot, role: scope, required: true }
      - { name: size, value_ref: count }
    provides: [id, size]
  crate_get: { kind: get, entity: Crate, provides: [id, size, note] }
  crate_create:
    kind: create
    entity: Crate
    parameters:
      - { name: size, value_ref: count, required: true }
      - { name: note, value_ref: text }
    provides: [id, size, note]
  crate_update:
    kind: update
    entity: Crate
    parameters: [{ name: note, value_ref: text }]
    provides: [id, size, note]
  crate_seal:
    kind: action
    entity: Crate
    output: { type: side_effect, description: seals it for good }
  crate_delete:
    kind: delete
    entity: Crate
    output: { type: side_effect, description: throws it away }
`;

interface Operation {
  readonly document: string;
  readonly variables: string;
  readonly rest: string;
}

const operation = ({ document, variables, rest }: Operation): string => `
  transport: graphql
  method: POST
  path: [{ type: literal, value: graphql }]
  body:
    type: object
    fields:
      - [query, { type: const, value: "${document}" }]
      - - variables
        - type: object
          fields: [${variables}]
  ${rest}
`;

const ID = "[id, { type: var, name: id }]";

const OPERATIONS: Readonly<Record<string, Operation>> = {
  depot_get: {
    document: "query depot($id: ID!) { depot(id: $id) { id } }",
    variables: ID,
    rest: "response: { items_path: [data, depot] }",
  },
  crate_query: {
    document:
      "query crates($depot: ID!, $size: Int, $first: Int, $after: String) { depot(id: $depot) { crates(size: $size, first: $first, after: $after) { nodes { id size } pageInfo { hasNextPage endCursor } } } }",
    variables: "[depot, { type: var, name: depot }], [size, { type: var, name: size }]",
    rest: `response: { items_path: [data, depot, crates, nodes] }
  pagination:
    location: body
    body_merge_path: [variables]
    response_prefix: [data, depot, crates, pageInfo]
    params: { first: { fixed: 2 }, after: { from_response: endCursor } }
    stop_when: { field: hasNextPage, eq: false }`,
  },
  crate_get: {
    document: "query crate($id: ID!) { crate(id: $id) { id size note } }",
    variables: ID,
    rest: "response: { items_path: [data, crate] }",
  },
  crate_create: {
    document:
      "mutation create($size: Int!, $note: String) { create(size: $size, note: $note) { crate { id size note } } }",
    variables: "[size, { type: var, name: size }], [note, { type: var, name: note }]",
    rest: "response: { items_path: [data, create, crate] }",
  },
  crate_update: {
    document:
      "mutation update($id: ID!, $note: String) { update(id: $id, note: $note) { crate { id size note } } }",
    variables: `${ID}, [note, { type: var, name: note }]`,
    rest: "response: { items_path: [data, update, crate] }",
  },
  crate_seal: {
    document: "mutation seal($id: ID!) { seal(id: $id) { ok } }",
    variables: ID,
    rest: "",
  },
  crate_delete: {
    document: "mutation delete($id: ID!) { delete(id: $id) { ok } }",
    variables: ID,
    rest: "idempotency: { header: Idempotency-Key }",
  },
};

const MAPPINGS = Object.entries(OPERATIONS)
  .map(([name, each]) => `${name}:${operation(each)}`)
  .join("\n");

/** A depot that is asked in GraphQL; a delete carries an idempotency header. */
export const graphqlDepot = (): Catalog => catalogOf("depot", DOMAIN, MAPPINGS);

/** One operation as the server got it. */
export interface Asked {
  readonly name: string;
  readonly variables: JsonObject;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface GraphqlServer {
  readonly server: TestServer;
  readonly asked: Asked[];
}

/** A server that answers each operation by its name and variables; it keeps what it was asked. */
export async function startGraphql(answer: (asked: Asked) => Reply): Promise<GraphqlServer> {
  const asked: Asked[] = [];
  const server = await startServer(({ method, path, body, headers }) => {
    if (method !== "POST" || path !== "/graphql") return { status: 405, json: null };
    const { query, variables } = JSON.parse(body) as {
      readonly query: string;
      readonly variables: JsonObject;
    };
    const [, name = ""] = /^(?:query|mutation) (\w+)/.exec(query) ?? [];
    const one = { name, variables, headers };
    asked.push(one);
    return answer(one);
  });
  return { server, asked };
}
