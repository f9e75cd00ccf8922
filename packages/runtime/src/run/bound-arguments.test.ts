import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf } from "../testing/fixture-run.ts";
import { runText } from "../testing/run-text.ts";

const domain = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  shop: { type: entity_ref, target: Shop }
  repo: { type: entity_ref, target: Repo }
entities:
  Shop:
    id_field: id
    fields: { id: { value_ref: text }, name: { value_ref: text } }
    relations:
      items: { target: Item, cardinality: many, materialize: { kind: query_scoped, capability: item_of, param: shop } }
      named: { target: Item, cardinality: many, materialize: { kind: query_scoped_bindings, capability: item_of, bindings: { shop: id, name: name } } }
  Item:
    id_field: id
    fields: { id: { value_ref: text }, name: { value_ref: text }, shop: { value_ref: shop }, size: { value_ref: text } }
  Repo:
    key_vars: [owner, name]
    id_field: name
    fields: { owner: { value_ref: text }, name: { value_ref: text } }
    relations:
      issues: { target: Issue, cardinality: many, materialize: { kind: query_scoped, capability: issue_of, param: repo } }
      tags: { target: Tag, cardinality: many, materialize: { kind: query_scoped, capability: tag_of, param: repo } }
      runs: { target: Run, cardinality: many, materialize: { kind: query_scoped, capability: run_of, param: repo } }
  Issue:
    id_field: id
    fields: { id: { value_ref: text }, title: { value_ref: text } }
  Tag:
    id_field: id
    fields: { id: { value_ref: text } }
  Run:
    id_field: id
    fields: { id: { value_ref: text } }
capabilities:
  shop_query: { kind: query, entity: Shop }
  item_of:
    kind: query
    entity: Item
    parameters:
      - { name: shop, value_ref: shop, role: scope, required: true }
      - { name: id, value_ref: text }
      - { name: name, value_ref: text }
    provides: [id, name]
  item_get:
    kind: get
    entity: Item
    parameters: [{ name: name, value_ref: text }, { name: shop, value_ref: text }]
  repo_query: { kind: query, entity: Repo }
  issue_of:
    kind: query
    entity: Issue
    parameters:
      - { name: repo, value_ref: repo, role: scope, required: true }
      - { name: name, value_ref: text }
      - { name: owner, value_ref: text }
  tag_of:
    kind: query
    entity: Tag
    parameters:
      - { name: repo, value_ref: repo, role: scope, required: true }
      - { name: name, value_ref: text }
      - { name: owner, value_ref: text }
  run_of:
    kind: query
    entity: Run
    parameters: [{ name: repo, value_ref: repo, role: scope, required: true }]
`;

const query = (...names: readonly string[]): string =>
  `{ type: object, fields: [${names.map((name) => `[${name}, { type: var, name: ${name} }]`).join(", ")}] }`;
const path = (...parts: readonly string[]): string =>
  `[${parts.map((each) => (each.startsWith("$") ? `{ type: var, name: ${each.slice(1)} }` : `{ type: literal, value: ${each} }`)).join(", ")}]`;

const mappings = `
shop_query: { method: GET, path: ${path("shops")}, response: { items: rows } }
item_of: { method: GET, path: ${path("shops", "$shop", "items")}, query: ${query("id", "name")}, response: { items: rows } }
item_get: { method: GET, path: ${path("items", "$id")}, query: ${query("name", "shop")}, response: single }
repo_query: { method: GET, path: ${path("repos")}, response: { items: rows } }
issue_of: { method: GET, path: ${path("repos", "$owner", "$name", "issues")}, query: ${query("name", "owner")}, response: { items: rows } }
tag_of: { method: GET, path: ${path("tags")}, query: ${query("owner", "name")}, response: { items: rows } }
run_of: { method: GET, path: ${path("runs")}, query: ${query("owner", "name")}, response: { items: rows } }
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer(({ path: at }) => {
    if (at === "/shops") return { json: { rows: [{ id: "s1", name: "One" }] } };
    if (at === "/repos") return { json: { rows: [{ owner: "o", name: "r" }] } };
    if (at.startsWith("/items/")) return { json: { id: "i1", size: "xl" } };
    return { json: { rows: [{ id: "i1", name: "Bolt" }] } };
  });
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

const running = (text: string) =>
  runText(
    { catalogs: [catalogOf("shops", domain, mappings)], backends: { shops: server.url } },
    text,
  );
const last = (): string | undefined => server.log.at(-1)?.url;

describe("17.3 RUN-010, RUN-044: what a row carries is no value of a parameter that may be left out", () => {
  test.each([
    ["a list of one row's", "Shop.items", "/shops/s1/items"],
    ["an anchored one", 'Shop("s1").items', "/shops/s1/items"],
    ["what the program says is sent", "Shop.items{name=Bolt}", "/shops/s1/items?name=Bolt"],
    ["a binding that is declared is sent", "Shop.named", "/shops/s1/items?name=One"],
    ["a get that completes rows", "Shop.items[id, size]", "/items/i1"],
    ["parts of a compound key, which the path has", "Repo.issues", "/repos/o/r/issues"],
    [
      "those of a reference that is written",
      'Issue{repo=Repo(owner="o", name="r")}',
      "/repos/o/r/issues",
    ],
    ["beside them what the program says", "Repo.issues{name=x}", "/repos/o/r/issues?name=x"],
    ["parts that are all that is sent of a reference", "Repo.tags", "/tags?owner=o&name=r"],
    ["parts that nobody declares", "Repo.runs", "/runs?owner=o&name=r"],
  ])("%s", async (_name, text, url) => {
    const { status, results } = await running(text);
    expect(status).toBe("succeeded");
    expect(results[0]?.rows).toHaveLength(1);
    expect(last()).toBe(url);
  });
});
