import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf } from "../testing/fixture-run.ts";
import { runText } from "../testing/run-text.ts";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  item: { type: entity_ref, target: Item }
entities:
  Item:
    id_field: id
    fields: { id: { value_ref: text }, name: { value_ref: text }, mate_id: { value_ref: text }, lead: { value_ref: item } }
    relations:
      twin: { target: Item, cardinality: one }
      first: { target: Item, cardinality: one, materialize: { kind: from_parent_get, path: [{ key: first }] } }
      parts: { target: Item, cardinality: many, materialize: { kind: from_parent_get, path: [{ key: parts }, { wildcard: true }] } }
      mate: { target: Item, cardinality: one, materialize: { kind: get_scoped_bindings, capability: item_get, bindings: { id: mate_id } } }
capabilities:
  item_query: { kind: query, entity: Item, provides: [id, name] }
  item_get: { kind: get, entity: Item }
`;
const MAPPINGS = `
item_query: { method: GET, path: [{ type: literal, value: items }], response: { items: rows } }
item_get: { method: GET, path: [{ type: literal, value: items }, { type: var, name: id }], response: single }
`;

let extra: object = {};
let server: TestServer;
beforeAll(async () => {
  server = await startServer(({ path }) => {
    const [, , id] = path.split("/");
    const rows = ["a", "b"].map((key) => ({ id: key, name: key }));
    return { json: id === undefined ? { rows } : { id, name: id, ...extra } };
  });
});
afterEach(() => {
  extra = {};
  server.log.splice(0);
});
afterAll(() => server.close());

const results = async (text: string) => {
  const setting = {
    catalogs: [catalogOf("shelf", DOMAIN, MAPPINGS)],
    backends: { shelf: server.url },
  };
  const outcome = await runText(setting, text);
  expect(outcome.status).toBe("succeeded");
  return outcome.results[0];
};

test.each([
  ["a reference of one row", 'Item("b").lead'],
  ["a reference of rows that the list has without it", "Item.lead"],
  ["a one-relation", 'Item("b").twin'],
  ["a one-relation of a list's rows", "Item.twin"],
  ["a one-relation whose row stands in the answer", 'Item("b").first'],
  ["the same of a list's rows", "Item.first"],
  ["a field that a relation is bound to", "Item.mate"],
  ["a condition over a reference", 'Item{lead.name="x"}'],
  ["a condition over a bound relation", 'Item{mate.name="x"}'],
  ["a condition over a one-relation", 'Item{twin.name="x"}'],
])(
  "17.1 RUN-035: %s that the row's get leaves out is null, nothing is missing",
  async (_, text) => {
    expect(await results(text)).toMatchObject({ rows: [], partial: null });
  },
);

test("17.1: rows that no answer has are missing", async () => {
  expect(await results("Item.parts")).toMatchObject({ rows: [], partial: "edge_missing" });
});

test.each([
  ["of one row", 'Item("b").twin'],
  ["of a list's rows", "Item.twin"],
])("RUN-036: a value that is no reference is not null, %s", async (_, text) => {
  extra = { twin: ["x"] };
  expect(await results(text)).toMatchObject({ rows: [], partial: "edge_missing" });
});
