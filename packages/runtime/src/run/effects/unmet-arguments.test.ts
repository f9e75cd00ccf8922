import { afterEach, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { effect, effectNode, lit } from "../../testing/effect-nodes.ts";
import { catalogOf, run } from "../../testing/fixture-run.ts";

const DOMAIN = (url: string) => `
version: 1
http_backend: ${url}
values:
  text: { type: string, string_semantics: short }
  metres: { type: number }
  day: { type: date, value_format: iso8601_date }
  state: { type: select, allowed_values: [moored, lost] }
  owner: { type: entity_ref, target: Boat }
entities:
  Boat:
    id_field: id
    fields:
      id: { value_ref: text }
      note: { value_ref: text }
      length: { value_ref: metres }
      built: { value_ref: day }
      state: { value_ref: state }
      owner: { value_ref: owner }
capabilities:
  boat_update:
    kind: update
    entity: Boat
    parameters:
      - { name: note, value_ref: text }
      - { name: length, value_ref: metres }
      - { name: built, value_ref: day }
      - { name: state, value_ref: state }
      - { name: owner, value_ref: owner }
    provides: [id, note, length, built, state, owner]
`;

const MAPPINGS = `
boat_update:
  method: PATCH
  path: [{ type: literal, value: boats }, { type: var, name: id }]
  body: { type: var, name: input }
  response: single
`;

let server: TestServer | undefined;
afterEach(() => server?.close());

async function updated(args: Record<string, string | number | null>, answer: object) {
  server = await startServer(() => ({ json: { id: "b1", ...answer } }));
  const values = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, lit(value)]),
  );
  const outcome = await run(
    { catalogs: [catalogOf("quay", DOMAIN(server.url), MAPPINGS)], backends: {} },
    [effectNode("n1", 0, effect("update", "b1", values, "update"))],
    [{ label: "it", node: "n1", page_size: null }],
  );
  return {
    status: outcome.effects[0]?.status,
    told: outcome.diagnostics.map(({ detail }) => detail),
  };
}

test.each([
  [
    { note: "painted" },
    { note: "old" },
    "update: note=painted was sent, and the answer has note=old",
  ],
  [{ note: "painted" }, { note: null }, "note=painted was sent, and the answer has note=null"],
  [{ note: null }, { note: "old" }, "note=null was sent, and the answer has note=old"],
  [
    { length: 12.345 },
    { length: "12.35" },
    "length=12.345 was sent, and the answer has length=12.35",
  ],
  [{ state: "lost" }, { state: "MOORED" }, "state=lost was sent, and the answer has state=moored"],
  [{ built: "2020-01-31" }, { built: "2020-02-01" }, 'built="2020-01-31" was sent'],
])("RUN-040: an answer that contradicts %j is told: %j", async (args, answer, says) => {
  const { status, told } = await updated(args, answer);
  expect(status).toBe("done");
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(says);
});

test.each([
  [{ note: " Painted  red " }, { note: "painted red" }],
  [{ note: "a, b" }, { note: "<p>a, b</p>" }],
  [{ note: "painted red in May" }, { note: "painted red" }],
  [{ note: "painted" }, {}],
  [{ length: 12.5 }, { length: "12.50" }],
  [{ state: "lost" }, { state: "LOST" }],
  [{ built: "2020-01-31" }, { built: "2020-01-30T23:00:00Z" }],
  [{ owner: "ann" }, { owner: "7" }],
])("RUN-040: %j may be what the answer shows: %j", async (args, answer) => {
  expect(await updated(args, answer)).toEqual({ status: "done", told: [] });
});
