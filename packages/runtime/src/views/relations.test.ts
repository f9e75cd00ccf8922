import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { runView, valuesOf } from "../testing/run-view.ts";
import type { ViewParts } from "../testing/view-catalog.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startServer(({ path, query }) => {
    if (path !== "/parcels") return { json: { id: path.split("/").at(-1), label: "L" } };
    const all = ["p1", "p2", "p3"].map((id, n) => ({
      id,
      stage: n === 1 ? "sent" : "packed",
      weight: n,
    }));
    const rows = query.get("depot") === "one" ? all.slice(0, 1) : all;
    return { json: { results: query.get("page") === "1" ? rows.slice(0, 2) : rows.slice(2) } };
  });
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

const live = (parts: ViewParts, text: string) => runView(server.url, parts, text);
const asked = (): readonly string[] => server.log.splice(0).map(({ url }) => url);
const PAGES = [1, 2].map((page) => `/parcels?depot=main&page=${page}&size=2`);

const many = (binding: string) =>
  `[{ relation: parcels, target: Parcel, cardinality: many, binding: { node: open, ${binding} } }]`;
const one = (binding: string) =>
  `[{ relation: first, target: Parcel, cardinality: one, binding: { node: open, ${binding} } }]`;
const where = (kind: string, field: string, equals: string) =>
  `kind: ${kind}, where_field: ${field}, equals: ${equals}`;

describe("RUN-100: relation outputs hold rows, followed without requests", () => {
  test.each([
    ["kind: node_all_rows", ["p1", "p2", "p3"]],
    [where("node_rows_where", "stage", "packed"), ["p1", "p3"]],
    [where("node_rows_where", "weight", '"1"'), ["p2"]],
    [where("node_rows_where", "stage", "lost"), []],
    [where("first_node_row_where", "stage", "packed"), ["p1"]],
  ])("many by %s", async (binding, ids) => {
    const outcome = await live({ relations: many(binding) }, "Today{depot=main}.parcels[id]");
    expect(valuesOf(outcome)).toEqual(ids.map((id) => ({ id })));
    expect(asked()).toEqual(PAGES);
  });

  test.each([
    [where("first_node_row_where", "stage", "sent"), [{ id: "p2", weight: 1 }]],
    [where("first_node_row_where", "stage", "lost"), []],
    [where("node_rows_where", "stage", "sent"), [{ id: "p2", weight: 1 }]],
  ])("one by %s", async (binding, rows) => {
    const text = "Today{depot=main}.first[id,weight]";
    expect(valuesOf(await live({ relations: one(binding) }, text))).toEqual(rows);
    expect(asked()).toEqual(PAGES);
  });

  test("a single row is exactly one", async () => {
    const parts = { relations: one("kind: node_single_row") };
    expect(valuesOf(await live(parts, "Today{depot=one}.first[id]"))).toEqual([{ id: "p1" }]);
    const { nodes } = await live(parts, "Today{depot=main}");
    expect(nodes[0]?.error).toMatchObject({ code: "singleton_count" });
    expect(nodes[0]?.error?.message).toBe(
      "Node open of view today gave 3 rows, where first takes one.",
    );
  });

  test("a relation to one row never drops others in silence", async () => {
    const { nodes } = await live({ relations: one("kind: node_all_rows") }, "Today{depot=main}");
    expect(nodes[0]?.error).toMatchObject({ code: "singleton_count" });
  });

  test("its reference is a column of the row", async () => {
    const relations = one(where("first_node_row_where", "stage", "sent"));
    expect(valuesOf(await live({ relations }, "Today{depot=main}[first]"))).toEqual([
      { first: "p2" },
    ]);
    expect(asked()).toEqual(PAGES);
  });

  test("what the rows in hand lack is read when it is wanted, and only then (RUN-057)", async () => {
    const relations = many(where("node_rows_where", "stage", "sent"));
    const outcome = await live({ relations }, "Today{depot=main}.parcels[id,label]");
    expect(valuesOf(outcome)).toEqual([{ id: "p2", label: "L" }]);
    expect(asked()).toEqual([...PAGES, "/parcels/p2"]);
    expect(outcome.plan.summary.bill.nodes["n2"]).toMatchObject({ hydration: "possible" });
  });

  test("RUN-054 per row of a list: each row's own view", async () => {
    const text = "Today{depot in [main, one]}.parcels[id]";
    const outcome = await live({ relations: many("kind: node_all_rows") }, text);
    expect(valuesOf(outcome)).toEqual(["p1", "p2", "p3"].map((id) => ({ id })));
  });
});
