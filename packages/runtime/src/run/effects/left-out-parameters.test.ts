import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf, run, type Setting } from "../../testing/fixture-run.ts";
import { planProgram } from "../../testing/run-program.ts";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
entities:
  Ticket:
    id_field: code
    fields: { code: { value_ref: text }, name: { value_ref: text }, id: { value_ref: text } }
  Seat:
    key_vars: [row, no]
    id_field: no
    fields: { row: { value_ref: text }, no: { value_ref: text }, name: { value_ref: text } }
capabilities:
  ticket_get:
    kind: get
    entity: Ticket
    parameters: [{ name: id, value_ref: text }]
  ticket_update:
    kind: update
    entity: Ticket
    parameters: [{ name: name, value_ref: text }, { name: id, value_ref: text }, { name: code, value_ref: text }]
    output: { type: side_effect, description: it is corrected }
  ticket_void:
    kind: action
    entity: Ticket
    parameters: [{ name: id, value_ref: text }]
    output: { type: side_effect, description: it is void }
  ticket_delete:
    kind: delete
    entity: Ticket
    parameters: [{ name: id, value_ref: text }]
  ticket_stamp:
    kind: action
    entity: Ticket
    parameters: [{ name: id, value_ref: text }]
    output: { type: side_effect, description: it is stamped }
  seat_update:
    kind: update
    entity: Seat
    parameters: [{ name: name, value_ref: text }, { name: row, value_ref: text }, { name: no, value_ref: text }]
    output: { type: side_effect, description: it is corrected }
`;

const literal = (value: string): string => `{ type: literal, value: ${value} }`;
const variable = (name: string): string => `{ type: var, name: ${name} }`;
const object = (...names: readonly string[]): string =>
  `{ type: object, fields: [${names.map((name) => `[${name}, ${variable(name)}]`).join(", ")}] }`;
const ticket = `[${literal("tickets")}, ${variable("code")}]`;

const MAPPINGS = `
ticket_get: { method: GET, path: ${ticket}, query: ${object("id")}, response: single }
ticket_update: { method: PATCH, path: ${ticket}, body: ${object("name", "id", "code")} }
ticket_void: { method: POST, path: ${ticket}, query: ${object("id")}, headers: { type: object, fields: [[X-Id, ${variable("id")}]] } }
ticket_delete: { method: DELETE, path: ${ticket}, query: ${object("id")} }
ticket_stamp: { method: POST, path: [${literal("stamp")}], body: ${object("id")} }
seat_update: { method: PATCH, path: [${literal("rows")}, ${variable("row")}], body: ${object("name", "row", "no")} }
`;

let server: TestServer;
let setting: Setting;

beforeAll(async () => {
  server = await startServer(({ method }) =>
    method === "GET" ? { json: { code: "k0", name: "x" } } : { status: 204, text: "" },
  );
  setting = {
    catalogs: [catalogOf("tickets", DOMAIN, MAPPINGS)],
    backends: { tickets: server.url },
  };
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

async function sent(program: string): Promise<readonly unknown[]> {
  const { nodes, returns } = planProgram(program, setting.catalogs);
  const outcome = await run(setting, nodes, returns);
  expect(outcome.status).toBe("succeeded");
  return server.log.map(({ method, url, body, headers }) => [
    `${method} ${url}`,
    body === "" ? null : JSON.parse(body),
    headers["x-id"] ?? null,
  ]);
}

test.each<[string, string, readonly unknown[]]>([
  ["of an update", 'Ticket("k0").update(name="n")', ["PATCH /tickets/k0", { name: "n" }, null]],
  ["of an action", 'Ticket("k0").void()', ["POST /tickets/k0", null, null]],
  ["of a delete", 'Ticket("k0").delete()', ["DELETE /tickets/k0", null, null]],
  ["of a get", 'Ticket("k0")', ["GET /tickets/k0", null, null]],
])(
  "17.3 RUN-010: an optional parameter %s that was not given is not the row's key",
  async (_, program, request) => {
    expect(await sent(program)).toEqual([request]);
  },
);

test("RUN-010: given, it is sent beside the key", async () => {
  expect(await sent('Ticket("k0").update(name="n", id="i", code="k1")')).toEqual([
    ["PATCH /tickets/k0", { name: "n", id: "i", code: "k1" }, null],
  ]);
  expect(await sent('Ticket("k0").void(id="i")')).toContainEqual([
    "POST /tickets/k0?id=i",
    null,
    "i",
  ]);
});

test("RUN-011: where nothing else sends the key, it names the row", async () => {
  expect(await sent('Ticket("k0").stamp()')).toEqual([["POST /stamp", { id: "k0" }, null]]);
});

test("RUN-011: a part of a key that the path does not have is sent, the other is not", async () => {
  expect(await sent('Seat(row="a", no="1").update(name="n")')).toEqual([
    ["PATCH /rows/a", { name: "n", no: "1" }, null],
  ]);
});
