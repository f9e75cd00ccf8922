import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf, run } from "../../testing/fixture-run.ts";
import { planProgram } from "../../testing/run-program.ts";

const pier = catalogOf(
  "pier",
  `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  boat: { type: entity_ref, target: Boat }
entities:
  Boat:
    id_field: id
    fields: { id: { value_ref: text }, twin: { value_ref: boat }, note: { value_ref: text } }
    relations: {}
capabilities:
  boat_query: { kind: query, entity: Boat, provides: [id, twin, note] }
  boat_get: { kind: get, entity: Boat }
  boat_send:
    kind: action
    entity: Boat
    parameters:
      - { name: boat, value_ref: boat, required: true }
      - { name: note, value_ref: text, required: true }
    output: { type: side_effect, description: sent }
`,
  `
boat_query: { method: GET, path: [{ type: literal, value: boats }], response: { items: rows } }
boat_get: { method: GET, path: [{ type: literal, value: boats }, { type: var, name: id }] }
boat_send:
  method: POST
  path: [{ type: literal, value: boats }, { type: var, name: boat }, { type: literal, value: send }]
  body: { type: object, fields: [[note, { type: var, name: note }]] }
`,
);

let server: TestServer;
let rows: readonly object[] = [];

beforeAll(async () => {
  server = await startServer(({ method }) => ({ json: method === "GET" ? { rows } : {} }));
});
beforeEach(() => server.log.splice(0));
afterAll(() => server.close());

async function sent(program: string) {
  const { nodes, returns } = planProgram(program, [pier]);
  const outcome = await run({ catalogs: [pier], backends: { pier: server.url } }, nodes, returns);
  const error = outcome.nodes.find((node) => node.error !== null)?.error ?? null;
  const posts = server.log.filter(({ method }) => method === "POST").map(({ path }) => path);
  return { error, posts };
}

describe("17.12 RUN-010: an argument that turns out to say another row", () => {
  test("is refused before the first effect is sent", async () => {
    rows = [
      { id: "b1", twin: "b1", note: "x" },
      { id: "b2", twin: "b3", note: "x" },
    ];
    const { error, posts } = await sent("Boat => Boat(_.id).send(boat=_.twin, note=_.note)");
    expect(error).toMatchObject({ code: "argument_invalid", row: 1 });
    expect(error?.message).toBe("boat is b3, but send is called on Boat:b2.");
    expect(posts).toEqual([]);
  });

  test("the same row is no other one", async () => {
    rows = [{ id: "b1", twin: "b1", note: "x" }];
    const { error, posts } = await sent("Boat => Boat(_.id).send(boat=_.twin, note=_.note)");
    expect(error).toBeNull();
    expect(posts).toEqual(["/boats/b1/send"]);
  });
});

describe("17.12 LANG-045: rows in hand are looked through before the first effect", () => {
  test.each<[string, object, string]>([
    ["a null key", { id: "b2", twin: null, note: "x" }, "null_value"],
    ["a null argument", { id: "b2", twin: "b2", note: null }, "null_value"],
  ])("%s", async (_name, row, code) => {
    rows = [{ id: "b1", twin: "b1", note: "x" }, row];
    const { error, posts } = await sent("Boat => Boat(_.twin).send(boat=_.twin, note=_.note)");
    expect(error).toMatchObject({ code, row: 1 });
    expect(posts).toEqual([]);
  });
});
