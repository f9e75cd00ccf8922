import { afterEach, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { effect, effectNode, lit } from "../../testing/effect-nodes.ts";
import { catalogOf, run } from "../../testing/fixture-run.ts";
import { boats } from "../../testing/nodes.ts";

const DOMAIN = (url: string) => `
version: 1
http_backend: ${url}
values:
  text: { type: string, string_semantics: short }
entities:
  Boat:
    id_field: id
    fields:
      id: { value_ref: text }
      name: { value_ref: text }
capabilities:
  boat_query: { kind: query, entity: Boat }
  boat_update:
    kind: update
    entity: Boat
    parameters: [{ name: name, value_ref: text }]
    provides: [id, name]
  boat_delete: { kind: delete, entity: Boat, output: { type: side_effect, description: gone } }
`;

const MAPPINGS = `
boat_query: { method: GET, path: [{ type: literal, value: boats }], response: { items: data } }
boat_update:
  method: PATCH
  path: [{ type: literal, value: boats }, { type: var, name: id }]
  body: { type: var, name: input }
  response: single
boat_delete: { method: DELETE, path: [{ type: literal, value: boats }, { type: var, name: id }] }
`;

let server: TestServer | undefined;
afterEach(() => server?.close());

async function setting(json: unknown) {
  server = await startServer(() => ({ json }));
  return { catalogs: [catalogOf("quay", DOMAIN(server.url), MAPPINGS)], backends: {} };
}

async function answered(kind: "update" | "delete", json: unknown) {
  const args = kind === "update" ? { name: lit("x") } : {};
  const outcome = await run(
    await setting(json),
    [effectNode("n1", 0, effect(kind, "b1", args, kind))],
    [{ label: "it", node: "n1", page_size: null }],
  );
  return [outcome.effects[0]?.status, outcome.diagnostics.map(({ code }) => code)];
}

test.each([
  [{ status: "error", message: "in use" }, "failed", []],
  [{ code: 403, msg: "denied" }, "failed", []],
  [{ success: "false" }, "failed", []],
  [{ code: 1001, msg: "denied", data: null }, "done", ["answer_unread"]],
  [{ message: "Cannot be done: in use" }, "done", ["answer_unread"]],
])("RUN-041: an effect that is answered %j without a row is %s", async (json, status, codes) => {
  expect(await answered("update", json)).toEqual([status, codes]);
  await server?.close();
  expect(await answered("delete", json)).toEqual([status, codes]);
});

test.each([
  { deleted: true },
  { message: "Boat deleted" },
  { id: "b1", name: "x", status: "error" },
  {},
])("RUN-041: %j says nothing against it", async (json) => {
  expect(await answered("delete", json)).toEqual(["done", []]);
});

test.each([
  [{ code: 1001, msg: "not allowed", data: null }, "collection_null", '"msg":"not allowed"'],
  [{ code: 0, msg: "success", data: null }, null, "nothing at data"],
  [{ data: null }, null, "nothing at data"],
])("RUN-030: a list that is answered %j is partial: %s", async (json, partial, says) => {
  const { results, diagnostics } = await run(await setting(json), [boats()]);
  expect(results[0]?.partial).toBe(partial);
  expect(diagnostics[0]?.detail).toContain(says);
});
