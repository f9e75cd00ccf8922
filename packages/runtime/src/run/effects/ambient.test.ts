import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf, run, type Setting } from "../../testing/fixture-run.ts";
import { planProgram } from "../../testing/run-program.ts";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  depot: { type: entity_ref, target: Depot }
entities:
  Depot:
    id_field: id
    fields: { id: { value_ref: text } }
    relations:
      crates:
        target: Crate
        cardinality: many
        materialize: { kind: query_scoped, capability: crate_query, param: depot }
  Crate:
    id_field: id
    fields: { id: { value_ref: text }, label: { value_ref: text } }
capabilities:
  depot_get: { kind: get, entity: Depot }
  crate_query:
    kind: query
    entity: Crate
    parameters: [{ name: depot, value_ref: depot, role: scope, required: true }]
  crate_get: { kind: get, entity: Crate }
  crate_update:
    kind: update
    entity: Crate
    parameters: [{ name: depot, value_ref: depot }, { name: label, value_ref: text }]
    output: { type: side_effect, description: it is corrected }
  crate_pack:
    kind: action
    entity: Crate
    input_schema:
      input_type:
        type: object
        fields: [{ name: depot, value_ref: depot }, { name: label, value_ref: text }]
    output: { type: side_effect, description: it is packed }
  crate_shift:
    kind: action
    entity: Crate
    parameters: [{ name: depot, value_ref: depot }]
    output: { type: side_effect, description: it is elsewhere }
  crate_weigh:
    kind: action
    entity: Crate
    output: { type: side_effect, description: it is weighed }
`;

const literal = (value: string): string => `{ type: literal, value: ${value} }`;
const variable = (name: string): string => `{ type: var, name: ${name} }`;
const nested = `[${literal("depots")}, ${variable("depot")}, ${literal("crates")}`;

const MAPPINGS = `
depot_get: { method: GET, path: [${literal("depots")}, ${variable("id")}], response: single }
crate_query: { method: GET, path: ${nested}] }
crate_get: { method: GET, path: [${literal("crates")}, ${variable("id")}], response: single }
crate_update:
  method: PATCH
  path: [${literal("crates")}, ${variable("id")}]
  query: { type: object, fields: [[to, ${variable("depot")}]] }
  body: { type: object, fields: [[depot, ${variable("depot")}], [label, ${variable("label")}]] }
crate_pack: { method: POST, path: [${literal("crates")}, ${variable("id")}, ${literal("pack")}], body: ${variable("input")} }
crate_shift:
  method: POST
  path: ${nested}, ${variable("id")}, ${literal("shift")}]
  body: { type: object, fields: [[depot, ${variable("depot")}]] }
crate_weigh: { method: POST, path: ${nested}, ${variable("id")}, ${literal("weigh")}] }
`;

const stores = catalogOf("stores", DOMAIN, MAPPINGS);

let server: TestServer;
let setting: Setting;

beforeAll(async () => {
  server = await startServer(({ method }) =>
    method === "GET"
      ? { json: { results: [{ id: "c1", label: "one" }] } }
      : { status: 204, text: "" },
  );
  setting = { catalogs: [stores], backends: { stores: server.url } };
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

/** The effects a program sends: method and path with query, and body. */
async function sent(program: string): Promise<readonly unknown[]> {
  const { nodes, returns } = planProgram(program, setting.catalogs);
  const outcome = await run(setting, nodes, returns);
  expect([outcome.status, outcome.nodes.map(({ error }) => error)]).toEqual([
    "succeeded",
    outcome.nodes.map(() => null),
  ]);
  return server.log
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, query, body }) => [
      `${method} ${path}${query.size === 0 ? "" : `?${query.toString()}`}`,
      body === "" ? null : JSON.parse(body),
    ]);
}

const rows = 'c = Depot("d1").crates\n';

describe("RUN-010: what the row carries, in an effect", () => {
  test("an optional slot that the caller left out is not filled, in query and body", async () => {
    expect(await sent(`${rows}c => _.update(label="x")`)).toEqual([
      ["PATCH /crates/c1", { label: "x" }],
    ]);
  });

  test("nor as a member of input", async () => {
    expect(await sent(`${rows}c => _.pack(label="x")`)).toEqual([
      ["POST /crates/c1/pack", { label: "x" }],
    ]);
  });

  test("given, it is sent as given", async () => {
    expect(await sent(`${rows}c => _.update(depot=Depot("d2"), label="x")`)).toEqual([
      ["PATCH /crates/c1?to=d2", { depot: "d2", label: "x" }],
    ]);
  });

  test("a path takes it, be the slot required or not; the body still does not", async () => {
    expect(await sent(`${rows}c => _.shift()`)).toEqual([["POST /depots/d1/crates/c1/shift", {}]]);
  });

  test("a path takes the argument before it", async () => {
    expect(await sent(`${rows}c => _.shift(depot=Depot("d2"))`)).toEqual([
      ["POST /depots/d2/crates/c1/shift", { depot: "d2" }],
    ]);
  });

  test("RUN-011 what a path needs and the row carries need not be named", async () => {
    expect(await sent(`${rows}c => _.weigh()`)).toEqual([
      ["POST /depots/d1/crates/c1/weigh", null],
    ]);
    expect(await sent(`one = Depot("d1").crates.limit(1)[id]\none.weigh()`)).toEqual([
      ["POST /depots/d1/crates/c1/weigh", null],
      ["POST /depots/d1/crates/c1/weigh", null],
    ]);
  });

  test("a row that carries nothing needs it named", async () => {
    expect(() => planProgram('Crate("c1").weigh()', setting.catalogs)).toThrow(/argument_missing/);
    expect(await sent('Crate("c1").weigh(depot=d2)')).toEqual([
      ["POST /depots/d2/crates/c1/weigh", null],
    ]);
  });

  test("of one label, too, whatever columns it is left with", async () => {
    expect(await sent(`${rows}one = c.limit(1)[label]\none.update(label="x")`)).toEqual([
      ["PATCH /crates/c1", { label: "x" }],
    ]);
  });
});
