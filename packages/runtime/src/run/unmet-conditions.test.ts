import { afterEach, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf, run } from "../testing/fixture-run.ts";
import { boats, compute } from "../testing/nodes.ts";

const DOMAIN = (url: string) => `
version: 1
http_backend: ${url}
values:
  text: { type: string, string_semantics: short }
  flag: { type: boolean }
  count: { type: integer }
  state: { type: select, allowed_values: [moored, lost, all] }
  owner: { type: entity_ref, target: Person }
  day: { type: date, value_format: iso8601_date }
  people: { type: array, items: { type: entity_ref, target: Person } }
  harbour: { type: entity_ref, target: Harbour }
entities:
  Harbour:
    abstract: true
    id_field: id
    fields:
      id: { value_ref: text }
      within: { value_ref: harbour }
  Person:
    abstract: true
    id_field: login
    fields:
      login: { value_ref: text }
  Boat:
    id_field: id
    fields:
      id: { value_ref: text }
      state: { value_ref: state }
      sold: { value_ref: flag }
      name: { value_ref: text }
      size: { value_ref: count }
      crew: { value_ref: count }
      owner: { value_ref: owner }
      owners: { value_ref: people }
      harbour: { value_ref: harbour }
      built: { value_ref: day }
capabilities:
  boat_query:
    kind: query
    entity: Boat
    parameters:
      - { name: state, value_ref: state }
      - { name: sold, value_ref: flag }
      - { name: name, value_ref: text }
      - { name: size, value_ref: count }
      - { name: crew, value_ref: count }
      - { name: owner, value_ref: owner }
      - { name: harbour, value_ref: harbour }
      - { name: built, value_ref: day }
`;

const MAPPINGS = `
boat_query:
  method: GET
  path: [{ type: literal, value: boats }]
  query:
    type: object
    fields:
      - [state, { type: var, name: state }]
      - [sold, { type: var, name: sold }]
      - [name, { type: var, name: name }]
      - [size, { type: var, name: size }]
      - [crew, { type: var, name: crew }]
      - [owner, { type: var, name: owner }]
      - [harbour, { type: var, name: harbour }]
      - [built, { type: var, name: built }]
  response: { items: boats }
`;

let server: TestServer | undefined;
afterEach(() => server?.close());

const ROWS = [
  { id: "b1", state: "moored", sold: 0, name: "Alma", size: 3 },
  { id: "b2", state: "lost", sold: 1, name: "Bora", size: 4 },
  { id: "b3" },
];

async function read(
  args: Record<string, { lit: string | boolean | number }>,
  rows: readonly object[] = ROWS,
) {
  server = await startServer(() => ({ json: { boats: rows } }));
  const catalogs = [catalogOf("quay", DOMAIN(server.url), MAPPINGS)];
  const source = boats({ args });
  const count = compute(
    "n2",
    "n1",
    { aggregate: [{ as: "n", fn: "count", path: null }] },
    { result: source.result },
  );
  return run({ catalogs, backends: {} }, [source, count]);
}

test.each([
  ["an option", { state: { lit: "moored" } }, "boat_query: state=moored was sent"],
  ["truth", { sold: { lit: true } }, "boat_query: sold=true was sent"],
])(
  "RUN-111: rows that show another value than %s that was sent are told",
  async (_what, args, says) => {
    const { results, diagnostics } = await read(args);
    expect(results[0]?.partial).toBe("condition_unmet");
    expect(results[0]?.presented).toMatchObject([{ column: "n", as: "of_rows_read" }]);
    expect(diagnostics).toMatchObject([{ code: "condition_unmet", count: 1 }]);
    expect(diagnostics[0]?.detail).toContain(says);
  },
);

test("RUN-111: an option that asks for all rows is met by each", async () => {
  const { results } = await read({ state: { lit: "all" } });
  expect(results[0]?.partial).toBeNull();
});

test("RUN-111: what text and sizes of pages mean, the API knows alone", async () => {
  const { results } = await read({ name: { lit: "Al" }, size: { lit: 50 } });
  expect(results[0]?.partial).toBeNull();
});

const column = (name: string, ...cells: readonly unknown[]) =>
  cells.map((cell, at) => ({ id: `b${at}`, [name]: cell }));

test.each([
  ["owner", "ann", ["ann", "bob"], "owner=ann was sent"],
  ["owner", "ann", ["bob", "bob", "cyd"], "owner=ann was sent"],
  ["crew", 4, ["5", 4], "crew=4 was sent"],
  ["name", "Sea Star", ["Alma", "Bora"], 'name="Sea Star" was sent'],
  ["name", "b-1", ["b-1", "b-2"], 'name="b-1" was sent'],
  ["built", "2020-01-31", ["2020-01-31", "2021-01-31"], 'built="2020-01-31" was sent'],
])("RUN-111: %s=%s is not met by each of %j", async (name, lit, cells, says) => {
  const { results, diagnostics } = await read({ [name]: { lit } }, column(name, ...cells));
  expect(results[0]?.partial).toBe("condition_unmet");
  const count = cells.filter((cell) => String(cell) !== String(lit)).length;
  expect(diagnostics).toMatchObject([{ code: "condition_unmet", count }]);
  expect(diagnostics[0]?.detail).toContain(says);
});

test.each([
  ["one other name of what was sent", "owner", "me", ["ann", "ann", null]],
  ["what asks for all", "owner", "any", ["ann", "bob"]],
  ["a language of the API's own", "name", "Al*,Bo*", ["Alma", "Bora"]],
  ["other forms of the word, accents and case", "name", "boats", ["Boat", "Böat", "BOATING"]],
  ["a part of the text", "name", "al ma", ["Alma, maid", "Tallma"]],
  ["days of moments", "built", "2020-01-31", ["2020-01-31T08:00Z", "2020-01-31T09:00Z"]],
])("RUN-111: rows that may be %s are not told", async (_what, name, lit, cells) => {
  const { results } = await read({ [name]: { lit } }, column(name, ...cells));
  expect(results[0]?.partial).toBeNull();
});

test("RUN-111: a row that lists what was sent beside the first of several is not told; one that lists others is", async () => {
  const owned = (owner: string, ...owners: readonly string[]) => ({ id: owner, owner, owners });
  const rows = [owned("ann", "ann"), owned("bob", "bob", "ann")];
  expect((await read({ owner: { lit: "ann" } }, rows)).results[0]?.partial).toBeNull();
  await server?.close();
  const { diagnostics } = await read({ owner: { lit: "ann" } }, [
    ...rows,
    owned("cyd", "cyd", "bob"),
  ]);
  expect(diagnostics).toMatchObject([{ code: "condition_unmet", count: 1 }]);
});

test("RUN-111: rows of what stands below the one that was asked for are not told", async () => {
  const { results } = await read({ harbour: { lit: "h1" } }, column("harbour", "h1", "h2", "h3"));
  expect(results[0]?.partial).toBeNull();
});
