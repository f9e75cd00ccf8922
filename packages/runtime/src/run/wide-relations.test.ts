import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf, type Setting } from "../testing/fixture-run.ts";
import { runText } from "../testing/run-text.ts";

/** More than may be arguments of a call. */
const COUNT = 140_000;
const PAGE = 70_000;

const LIMITS = { requests: 100, rows: 10_000_000, pages: 100, bytes: 4_000_000_000, wall: 600 };

let server: TestServer;
let setting: Setting;

const text = { value_ref: "text" };
const literal = (value: string) => ({ type: "literal", value });

const domain = (backend: string): string =>
  JSON.stringify({
    version: 1,
    http_backend: backend,
    values: { text: { type: "string", string_semantics: "short" } },
    entities: {
      Street: {
        id_field: "id",
        fields: { id: { ...text, required: true } },
        relations: {
          doors: {
            target: "Door",
            cardinality: "many",
            materialize: { kind: "query_scoped", capability: "door_query", param: "street" },
          },
        },
      },
      Door: { id_field: "id", fields: { id: { ...text, required: true }, color: text } },
    },
    capabilities: {
      street_query: { kind: "query", entity: "Street" },
      door_query: {
        kind: "query",
        entity: "Door",
        parameters: [{ name: "street", value_ref: "text", required: true, role: "scope" }],
      },
    },
  });

const MAPPINGS = JSON.stringify({
  street_query: { method: "GET", path: [literal("streets")], response: { items: "items" } },
  door_query: {
    method: "GET",
    path: [literal("streets"), { type: "var", name: "street" }, literal("doors")],
    response: { items: "items" },
    pagination: { params: { page: { counter: 1 } } },
  },
});

/** A page of the doors of a street. */
function doorsOf(street: string, page: number) {
  const count = street === "s1" ? COUNT : 3;
  const from = (page - 1) * PAGE;
  return Array.from({ length: Math.max(0, Math.min(PAGE, count - from)) }, (_none, at) => ({
    id: `${street}-${from + at}`,
    color: (from + at) % 2 === 0 ? "red" : "blue",
  }));
}

beforeAll(async () => {
  server = await startServer(({ path, query }) => {
    const [, , street] = path.split("/");
    if (street === undefined) return { json: { items: [{ id: "s1" }, { id: "s2" }] } };
    return { json: { items: doorsOf(street, Number(query.get("page") ?? "1")) } };
  });
  setting = {
    catalogs: [catalogOf("town", domain(server.url), MAPPINGS)],
    backends: {},
    limits: LIMITS,
  };
});
afterAll(() => server.close());

test.each([
  "Street.doors.group_by(color, n=count)",
  "Street.doors.sort(id).group_by(color, n=count)",
])(
  "26.10 %s follows a relation to more rows than may be arguments of a call",
  async (program) => {
    const { results, nodes } = await runText(setting, program);
    expect(nodes.map(({ error }) => error)).toEqual(nodes.map(() => null));
    expect(results[0]?.rows.map(({ values }) => values)).toEqual([
      { color: "red", n: COUNT / 2 + 2 },
      { color: "blue", n: COUNT / 2 + 1 },
    ]);
  },
  120_000,
);
