import { startServer, type TestServer } from "@plasm/testkit/servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalogOf, run } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  seconds: { type: date, value_format: unix_sec }
  millis: { type: date, value_format: unix_ms }
  moment: { type: date, value_format: rfc3339 }
entities:
  Tide:
    id_field: id
    fields:
      id: { value_ref: text }
      low: { value_ref: seconds }
      high: { value_ref: millis }
      seen: { value_ref: moment }
    relations: {}
capabilities:
  tide_query: { kind: query, entity: Tide, provides: [id, low, high, seen] }
`;
const MAPPINGS = `
tide_query:
  method: GET
  path: [{ type: literal, value: tides }]
  response: { items: rows }
`;

/** The same moments as three formats write them, and half a second more. */
const ROWS = [
  { id: "a", low: 1767225600, high: 1767225600000, seen: "2026-01-01T05:00:00+05:00" },
  { id: "b", low: 1767312000, high: 1767312000500, seen: "2026-01-02T23:30:00-05:00" },
  { id: "c", low: null, high: null, seen: null },
];

const tides = catalogOf("tides", DOMAIN, MAPPINGS);
let server: TestServer;

beforeAll(async () => {
  server = await startServer(() => ({ json: { rows: ROWS } }));
});
afterAll(() => server.close());

async function rowsOf(text: string) {
  const { nodes, returns } = planProgram(text, [tides]);
  const { results } = await run(
    { catalogs: [tides], backends: { tides: server.url } },
    nodes,
    returns,
  );
  return results[0]?.rows.map((row) => row.values);
}

describe("LANG-048: dates are compared and computed with whatever their format on the wire is", () => {
  test.each([
    ["low < high", ["b"]],
    ["low = high", ["a", "c"]],
    ["seen > low", ["b"]],
    ["low in [high, 2026-01-02]", ["a", "b"]],
    ["high in [low]", ["a"]],
    ["_.low in [2026-01-01]", ["a"]],
    ["low + 1d > 2026-01-02", ["b"]],
    ["date(low) = 2026-01-01", ["a"]],
  ])("Tide{%s}", async (condition, expected) => {
    expect(await rowsOf(`Tide{${condition}}[id]`)).toEqual(expected.map((id) => ({ id })));
  });

  test.each<[string, readonly unknown[]]>([
    ["max(t.low) - _.low", [1, 0, null]],
    ["_.low in t.low", [true, true, false]],
    ["min(t.high)", ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"]],
    ["_.seen - _.low", [0, 1.1875, null]],
    ["_.low = _.high", [true, false, true]],
    ["_.low[:10]", ["2026-01-01", "2026-01-02", null]],
  ])("t => {x: %s}", async (value, expected) => {
    expect(await rowsOf(`t = Tide\nt => {x: ${value}}`)).toEqual(expected.map((x) => ({ x })));
  });
});
