import type { Catalog } from "@plasm/core";
import { type Received, type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf } from "./fixture-run.ts";

/** What the two reads of a grove declare to fill; null: nothing is declared. */
export interface GroveProvides {
  readonly list: readonly string[] | null;
  readonly get: readonly string[] | null;
}

const provides = (fields: readonly string[] | null): string =>
  fields === null ? "" : `, provides: [${fields.join(", ")}]`;

const domain = ({ list, get }: GroveProvides, hasGet: boolean): string => `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
  grove: { type: entity_ref, target: Grove }
entities:
  Grove:
    id_field: id
    fields: { id: { value_ref: text }, name: { value_ref: text }, size: { value_ref: count }, paths: { value_ref: count } }
    relations:
      trees:
        target: Tree
        cardinality: many
        materialize: { kind: from_parent_get, path: [{ key: trees }, { wildcard: true }] }
      paths:
        target: Tree
        cardinality: many
        materialize: { kind: from_parent_get, path: [{ key: path_list }, { wildcard: true }] }
      warden:
        target: Warden
        cardinality: one
        materialize: { kind: from_parent_get, path: [{ key: warden }] }
      owner: { target: Warden, cardinality: one }
  Tree:
    abstract: true
    id_field: id
    fields: { id: { value_ref: text }, kind: { value_ref: text }, grove: { value_ref: grove } }
  Warden:
    id_field: id
    fields: { id: { value_ref: text }, name: { value_ref: text } }
  Ranger:
    id_field: id
    fields: { id: { value_ref: text }, name: { value_ref: text } }
    relations:
      groves:
        target: Grove
        cardinality: many
        materialize: { kind: query_scoped, capability: grove_of, param: ranger }
capabilities:
  grove_query: { kind: query, entity: Grove${provides(list)} }
  grove_search:
    kind: search
    entity: Grove
    parameters: [{ name: q, value_ref: text, role: search, required: true }]
    ${list === null ? "" : `provides: [${list.join(", ")}]`}
  grove_of:
    kind: query
    entity: Grove
    parameters: [{ name: ranger, value_ref: text, role: scope, required: true }]
    ${list === null ? "" : `provides: [${list.join(", ")}]`}
${hasGet ? `  grove_get: { kind: get, entity: Grove${provides(get)} }` : ""}
  ranger_get: { kind: get, entity: Ranger }
  warden_get: { kind: get, entity: Warden }
`;

const mappings = (hasGet: boolean): string => `
grove_query:
  method: GET
  path: [{ type: literal, value: groves }]
  response: { items: rows }
  pagination: { params: { after: { from_response: next } } }
grove_search:
  method: GET
  path: [{ type: literal, value: search }]
  query: { type: object, fields: [[q, { type: var, name: q }]] }
  response: { items: rows }
grove_of:
  method: GET
  path: [{ type: literal, value: rangers }, { type: var, name: ranger }, { type: literal, value: groves }]
  response: { items: rows }
${
  hasGet
    ? `grove_get:
  method: GET
  path: [{ type: literal, value: groves }, { type: var, name: id }]
  response: single`
    : ""
}
ranger_get: { method: GET, path: [{ type: literal, value: rangers }, { type: var, name: id }], response: single }
warden_get: { method: GET, path: [{ type: literal, value: wardens }, { type: var, name: id }], response: single }
`;

/** Groves whose trees and warden stand in the answer of their get alone. */
export const groves = (
  declared: GroveProvides = { list: ["id", "name", "size"], get: ["id", "name", "size"] },
  hasGet = true,
): Catalog => catalogOf("groves", domain(declared, hasGet), mappings(hasGet));

/** Grove `gN` has N % 3 trees, so that every third has none. */
const treesOf = (n: number): readonly object[] =>
  Array.from({ length: n % 3 }, (_none, at) => ({
    id: `t${n}-${at}`,
    kind: at === 0 ? "oak" : "ash",
  }));

const short = (n: number): object => ({ id: `g${n}`, name: `Grove ${n}`, size: n * 10, paths: 1 });

const full = (n: number): object => ({
  ...short(n),
  trees: treesOf(n),
  path_list: [{ id: `p${n}` }],
  warden: { id: `w${n}`, name: `Warden ${n}` },
  owner: { id: `w${n + 1}` },
});

function page(numbers: readonly number[], { query }: Received): Reply {
  const from = numbers.findIndex((n) => `g${n}` === query.get("after")) + 1;
  const rows = numbers.slice(from, from + 2);
  const last = rows.at(-1);
  const more = last !== undefined && last !== numbers.at(-1);
  return { json: { rows: rows.map(short), next: more ? `g${last}` : null } };
}

/** Lists `count` groves by pages of two, without their trees; `before` may answer in its place. */
export function startGroves(
  count: number,
  before: (request: Received) => Reply | null = () => null,
): Promise<TestServer> {
  const numbers = Array.from({ length: count }, (_none, at) => at + 1);
  return startServer((request) => {
    const own = before(request);
    if (own !== null) return own;
    const [kind, id, sub] = request.path.slice(1).split("/");
    if (kind === "groves" && id === undefined) return page(numbers, request);
    const n = numbers.find((each) => `g${each}` === id);
    if (kind === "groves" && n !== undefined) return { json: full(n) };
    if (kind === "search") return { json: { rows: [short(2), short(1)] } };
    if (kind === "rangers" && sub === "groves") return { json: { rows: [short(1), short(2)] } };
    if (kind === "rangers") return { json: { id, name: `Ranger ${id}` } };
    if (kind === "wardens") return { json: { id, name: `Warden ${id}` } };
    return { status: 404, json: { message: "no such thing" } };
  });
}
