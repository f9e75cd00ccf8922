import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  box: { type: entity_ref, target: Box }
entities:
  Box:
    id_field: id
    fields: { id: { value_ref: text }, weight: { value_ref: text }, lid: { value_ref: text } }
  Lamp:
    id_field: id
    primary_read: lamp_main
    fields: { id: { value_ref: text }, watt: { value_ref: text }, box: { value_ref: box } }
capabilities:
  box_query: { kind: query, entity: Box, parameters: [{ name: hall, value_ref: text, required: true, role: scope }], provides: [id] }
  box_in_hall: { kind: get, entity: Box, parameters: [{ name: hall, value_ref: text, required: true, role: scope }], provides: [id, weight, lid] }
  box_peek: { kind: get, entity: Box, provides: [id, weight] }
  box_zoom: { kind: get, entity: Box, provides: [id, weight, lid] }
  lamp_get: { kind: get, entity: Lamp }
  lamp_a: { kind: get, entity: Lamp }
  lamp_main: { kind: get, entity: Lamp }
`;

const at = (...path: readonly string[]): string =>
  path
    .map((name) =>
      name.startsWith("$")
        ? `{ type: var, name: ${name.slice(1)} }`
        : `{ type: literal, value: ${name} }`,
    )
    .join(", ");

const MAPPINGS = `
box_query: { method: GET, path: [${at("$hall", "boxes")}] }
box_in_hall: { method: GET, path: [${at("$hall", "boxes", "$id")}], response: single }
box_peek: { method: GET, path: [${at("peek", "$id")}], response: single }
box_zoom: { method: GET, path: [${at("zoom", "$id")}], response: single }
lamp_get: { method: GET, path: [${at("lamps", "get", "$id")}], response: single }
lamp_a: { method: GET, path: [${at("lamps", "a", "$id")}], response: single }
lamp_main: { method: GET, path: [${at("lamps", "main", "$id")}], response: single }
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer(({ path }) => {
    if (path.endsWith("/boxes")) return { json: { results: [{ id: "b1" }] } };
    return {
      json: { id: path.split("/").at(-1), weight: "2 kg", lid: "oak", watt: "9", box: "b2" },
    };
  });
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

async function asked(program: string): Promise<readonly string[]> {
  const catalogs = [catalogOf("boxes", DOMAIN, MAPPINGS)];
  const setting: Setting = { catalogs, backends: { boxes: server.url } };
  const { nodes, returns } = planProgram(program, catalogs);
  const { status } = await run(setting, nodes, returns);
  return [...server.log.map(({ url }) => url), ...(status === "succeeded" ? [] : [status])];
}

describe("RUN-042: the get for an identity", () => {
  test.each([
    ["the one called by label, whatever is wanted", 'Box("b1").peek()[weight]', ["/peek/b1"]],
    ["and of those that fill all alike", 'Lamp("l1").a()', ["/lamps/a/l1"]],
    [
      "by its label though it needs more than the identity",
      'Box("b1").in-hall(hall="h")',
      ["/h/boxes/b1"],
    ],
    [
      "by its label on a row, what it requires said (RUN-016)",
      'b = Box{hall="h"}.limit(1)\nb.in-hall(hall="g")',
      ["/h/boxes", "/g/boxes/b1"],
    ],
    ["else the one that provides most of what is wanted", 'Box("b1")[weight, lid]', ["/zoom/b1"]],
    ["then primary_read", 'Lamp("l1")[watt]', ["/lamps/main/l1"]],
    ["then name order", 'Box("b1")[weight]', ["/peek/b1"]],
    [
      "of all that identity and ambient bind, for fields that a list lacks",
      'Box{hall="h"}[id, lid]',
      ["/h/boxes", "/h/boxes/b1"],
    ],
    [
      "of a reference, whose row has no ambient yet",
      'Lamp("l1").box[lid]',
      ["/lamps/main/l1", "/zoom/b2"],
    ],
  ])("%s: %s", async (_what, program, requests) => {
    expect(await asked(program)).toEqual(requests);
  });
});
