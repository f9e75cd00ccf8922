import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { goOn } from "../testing/fixture-run.ts";
import { runView, valuesOf } from "../testing/run-view.ts";

let server: TestServer;
/** rows of every depot, two a page */
let count = 3;

beforeAll(async () => {
  server = await startServer(({ query }) => {
    const from = (Number(query.get("page")) - 1) * 2;
    const rows = Array.from({ length: count }, (_none, n) => ({ id: `p${n + 1}`, weight: n }));
    return { json: { results: rows.slice(from, from + 2) } };
  });
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

const COUNT = "Today{depot=a}[count]";

describe("RUN-100: lists to the end, at most ten pages", () => {
  test("nineteen rows end on the tenth page", async () => {
    count = 19;
    const outcome = await runView(server.url, {}, COUNT);
    expect(valuesOf(outcome)).toEqual([{ count: 19 }]);
    expect(outcome.results[0]?.partial).toBeNull();
    expect(server.log).toHaveLength(10);
  });

  test("of more the count is a lower bound, and the row partial", async () => {
    count = 41;
    const { results } = await runView(server.url, {}, COUNT);
    expect(results[0]?.rows[0]?.values).toEqual({ count: 20 });
    expect(results[0]?.partial).toBe("view_cut");
    expect(results[0]?.cursor).toBeNull();
    expect(results[0]?.diagnostics).toMatchObject([
      { code: "view_cut", node: "n1", detail: expect.stringContaining("open: more than 10 pages") },
    ]);
    expect(server.log).toHaveLength(10);
  });
});

describe("PLAN-050, PLAN-051: budgets", () => {
  test.each([
    ["requests", 2, 4],
    ["pages", 2, 4],
    ["rows", 3, 3],
  ] as const)(
    "%s: the row is made of what is in hand, partial by that name",
    async (name, most, rows) => {
      count = 9;
      const limits = { [name]: most };
      const { results, status, stopped } = await runView(server.url, {}, COUNT, { limits });
      expect([status, stopped]).toEqual(["succeeded", null]);
      expect(results[0]?.partial).toBe(name);
      expect(results[0]?.rows[0]?.values).toEqual({ count: rows });
    },
  );

  test("under a fresh budget the view answers anew and whole", async () => {
    count = 9;
    const limits = { requests: 2 };
    const { results, setting } = await runView(server.url, {}, COUNT, { limits });
    const { cursor } = results[0] ?? {};
    if (cursor === null || cursor === undefined) throw new Error("no cursor");
    expect(cursor.kind).toBe("whole");
    const rest = await goOn({ ...setting, limits: {} }, cursor);
    if (rest.status === "failed") throw new Error(rest.error.message);
    expect(rest.result.rows[0]?.values).toEqual({ count: 9 });
    expect([rest.result.partial, rest.result.cursor]).toEqual([null, null]);
  });

  test.each([
    ['Today("a")[count]', [{ count: 9 }]],
    ['Today("a").parcels.aggregate(n=count)', [{ n: 9 }]],
    ['Today{depot in ["a"]}[count]', [{ count: 9 }]],
  ])("so does what is made of it: %s", async (text, rows) => {
    count = 9;
    const relations =
      "[{ relation: parcels, target: Parcel, cardinality: many, binding: { kind: node_all_rows, node: open } }]";
    const limits = { requests: 2 };
    const { results, setting } = await runView(server.url, { relations }, text, { limits });
    expect(results[0]?.partial).toBe("requests");
    const { cursor } = results[0] ?? {};
    if (cursor === null || cursor === undefined) throw new Error("no cursor");
    const rest = await goOn({ ...setting, limits: {} }, cursor);
    if (rest.status === "failed") throw new Error(rest.error.message);
    expect(rest.result.rows.map(({ values }) => values)).toEqual(rows);
    expect(rest.result.partial).toBeNull();
  });

  test("a node that could not start leaves no row", async () => {
    count = 3;
    const nodes = `[{ id: open, capability: parcel_query, bind: { depot: { kind: scope, param: depot } } }, { id: behind, capability: parcel_get, bind: { id: { kind: node_field, node: open, field: id } } }]`;
    const output = "{ count: { kind: node_row_count, node: open } }";
    const limits = { requests: 2 };
    const { results, stopped } = await runView(server.url, { nodes, output }, COUNT, { limits });
    expect(stopped).toBe("requests");
    expect(results[0]).toMatchObject({ rows: [], partial: "requests" });
  });

  test("a cancelled run sends nothing more", async () => {
    count = 3;
    const { status, stopped } = await runView(server.url, {}, COUNT, {
      signal: AbortSignal.abort(),
    });
    expect([status, stopped]).toEqual(["failed", "cancelled"]);
    expect(server.log).toEqual([]);
  });
});

describe("LANG-076: what is cut feeds no effect", () => {
  test("a view cut at ten pages counts as partial", async () => {
    count = 41;
    const { results } = await runView(server.url, {}, "Today{depot=a}.limit(1)[depot,count]");
    expect(results[0]?.partial).toBe("view_cut");
  });
});
