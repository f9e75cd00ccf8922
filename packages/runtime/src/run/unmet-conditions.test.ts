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
entities:
  Boat:
    id_field: id
    fields:
      id: { value_ref: text }
      state: { value_ref: state }
      sold: { value_ref: flag }
      name: { value_ref: text }
      size: { value_ref: count }
capabilities:
  boat_query:
    kind: query
    entity: Boat
    parameters:
      - { name: state, value_ref: state }
      - { name: sold, value_ref: flag }
      - { name: name, value_ref: text }
      - { name: size, value_ref: count }
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
  response: { items: boats }
`;

let server: TestServer | undefined;
afterEach(() => server?.close());

async function read(args: Record<string, { lit: string | boolean | number }>) {
  const rows = [
    { id: "b1", state: "moored", sold: 0, name: "Alma", size: 3 },
    { id: "b2", state: "lost", sold: 1, name: "Bora", size: 4 },
    { id: "b3" },
  ];
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

test("RUN-111: what text and numbers mean, the API knows alone", async () => {
  const { results } = await read({ name: { lit: "Al" }, size: { lit: 50 } });
  expect(results[0]?.partial).toBeNull();
});
