import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { runView, valuesOf } from "../testing/run-view.ts";
import type { ViewParts } from "../testing/view-catalog.ts";

let server: TestServer;
/** milliseconds before a path with this depot or id answers */
let delays: ReadonlyMap<string, number> = new Map();

beforeAll(async () => {
  server = await startServer(({ path, query }) => {
    const name = query.get("depot") ?? path.split("/").at(-1) ?? "";
    const delay = delays.get(name) ?? 0;
    if (name.startsWith("bad")) return { status: 500, delay, json: { message: `no ${name}` } };
    if (path !== "/parcels") return { delay, json: { id: name, sender: `of-${name}` } };
    const rows = [1, 2, 3].map((n) => ({ id: `${name}${n}`, stage: "sent", weight: n }));
    const page = Number(query.get("page"));
    return { delay, json: { results: rows.slice((page - 1) * 2, page * 2) } };
  });
});
afterEach(() => {
  server.log.splice(0);
  delays = new Map();
});
afterAll(() => server.close());

const live = (parts: ViewParts, text = "Today{depot=a}") => runView(server.url, parts, text);
const asked = (): readonly string[] => server.log.splice(0).map(({ url }) => url);

const list = (id: string, bind: string) =>
  `{ id: ${id}, capability: parcel_query, bind: { ${bind} } }`;
const literal = (value: string) => `{ kind: literal, value: ${value} }`;
const computed = (template: string) => `{ kind: computed, template: ${JSON.stringify(template)} }`;
const fieldOf = (node: string, field: string) =>
  `{ kind: node_field, node: ${node}, field: ${field} }`;
const SCOPE = "depot: { kind: scope, param: depot }";

describe("RUN-100, RUN-101: what nodes are called with", () => {
  test.each([
    ["a scope parameter", list("x", SCOPE), "depot=a"],
    ["a literal", list("x", `depot: ${literal("b")}, weight: ${literal("7")}`), "depot=b&weight=7"],
    ["text where a number goes", list("x", `weight: ${computed("{{ 3 + 4 }}")}`), "weight=7"],
    [
      "a template over the scope",
      list("x", `depot: ${computed("{{ depot | upper }}-1")}`),
      "depot=A-1",
    ],
  ])("%s", async (_name, node, query) => {
    await live({ nodes: `[${node}]`, output: `{ ${SCOPE} }` });
    expect(asked()[0]).toContain(query);
  });

  test("a template sees earlier nodes' first rows, and all their rows in `nodes`", async () => {
    const template = "{{ one.id }}.{{ nodes.one | length }}.{{ nodes.one[2].id }}";
    const nodes = `[${list("one", SCOPE)}, ${list("two", `depot: ${computed(template)}`)}]`;
    await live({ nodes, output: `{ ${SCOPE} }` });
    expect(asked().map((url) => new URL(url, "http://x").searchParams.get("depot"))).toEqual([
      "a",
      "a",
      "a1.3.a3",
      "a1.3.a3",
    ]);
  });

  test("a scope parameter that is not given is not sent, and none in templates", async () => {
    const scope = "[{ name: depot, value_ref: text }, { name: stage, value_ref: stage }]";
    const parameters = ", { name: stage, value_ref: stage }";
    const bind = `${SCOPE}, stage: { kind: scope, param: stage }`;
    const output = `{ depot: { kind: scope, param: depot }, text: ${computed("{{ stage is none }}")} }`;
    const parts = { scope, parameters, nodes: `[${list("x", bind)}]`, output };
    expect(valuesOf(await live(parts, "Today{depot=a}[text]"))).toEqual([{ text: "true" }]);
    expect(asked()[0]).toBe("/parcels?depot=a&page=1&size=2");
    expect(valuesOf(await live(parts, "Today{depot=a,stage=sent}[text]"))).toEqual([
      { text: "false" },
    ]);
    expect(asked()[0]).toBe("/parcels?depot=a&stage=sent&page=1&size=2");
  });

  test("a get takes its identity from a bind", async () => {
    const nodes = `[{ id: x, capability: parcel_get, bind: { id: { kind: scope, param: depot } } }]`;
    const output = `{ ${SCOPE}, text: ${fieldOf("x", "sender")} }`;
    expect(valuesOf(await live({ nodes, output }, "Today{depot=p9}[text]"))).toEqual([
      { text: "of-p9" },
    ]);
    expect(asked()).toEqual(["/parcels/p9"]);
  });

  test("a node of a list without rows gives null, which no condition may silently become", async () => {
    const empty = await startServer(() => ({ json: { results: [] } }));
    const nodes = `[${list("one", SCOPE)}, ${list("two", `weight: ${fieldOf("one", "weight")}`)}]`;
    const { nodes: ended } = await runView(
      empty.url,
      { nodes, output: `{ ${SCOPE} }` },
      "Today{depot=a}",
    );
    await empty.close();
    expect(ended[0]?.error).toMatchObject({ code: "null_value" });
    expect(ended[0]?.error?.message).toContain("Node two of view today");
    expect(empty.log).toHaveLength(1);
  });
});

/** Four nodes: two alone, one behind the first, one behind both. */
const DIAMOND: ViewParts = {
  nodes: `[${[
    list("left", `depot: ${literal("l")}`),
    list("right", `depot: ${literal("r")}`),
    `{ id: behind, capability: parcel_get, bind: { id: ${fieldOf("left", "id")} } }`,
    list("last", `depot: ${computed("{{ behind.sender }}{{ right.id }}")}`),
  ].join(", ")}]`,
  output: `{ ${[
    SCOPE,
    "count: { kind: node_row_count, node: last }",
    `text: ${fieldOf("last", "id")}`,
    "more: { kind: node_field_histogram_json, node: right, field: id }",
  ].join(", ")} }`,
};

describe("RUN-100: independent nodes run concurrently", () => {
  test("nodes that need nothing start together, the others once theirs have ended", async () => {
    delays = new Map([
      ["l", 40],
      ["r", 40],
    ]);
    const outcome = await live(DIAMOND);
    expect(valuesOf(outcome)).toMatchObject([{ count: 3, text: "of-l1r11" }]);
    expect(server.mostOpen()).toBeGreaterThanOrEqual(2);
    const order = asked();
    expect(order.slice(0, 2).toSorted()).toEqual([
      "/parcels?depot=l&page=1&size=2",
      "/parcels?depot=r&page=1&size=2",
    ]);
    expect(order.at(-1)).toBe("/parcels?depot=of-l1r1&page=2&size=2");
  });

  test("RUN-002: a row does not depend on which answer comes first", async () => {
    const names = ["l", "r", "l1", "of-l1r1"];
    const times = fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), fc.nat(12))));
    const expected = (await live(DIAMOND)).results[0]?.rows;
    await fc.assert(
      fc.asyncProperty(times, async (pairs) => {
        delays = new Map(pairs);
        const { results, diagnostics } = await live(DIAMOND);
        expect(results[0]?.rows).toEqual(expected);
        expect(diagnostics).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  test("of several failures the first node's is told, whichever came first", async () => {
    const nodes = `[${list("one", `depot: ${literal("bad1")}`)}, ${list("two", `depot: ${literal("bad2")}`)}]`;
    for (const slow of ["bad1", "bad2"]) {
      delays = new Map([[slow, 30]]);
      const { nodes: ended, status } = await live({ nodes, output: `{ ${SCOPE} }` });
      expect(status).toBe("failed");
      expect(ended[0]?.error).toMatchObject({ code: "upstream_error", request: { status: 500 } });
      expect(ended[0]?.error?.message).toContain("Node one of view today: ");
      expect(ended[0]?.error?.message).toContain("no bad1");
    }
  });

  test("what needs a failed node does not run", async () => {
    const nodes = `[${list("one", `depot: ${literal("bad")}`)}, ${list("two", `depot: ${fieldOf("one", "id")}`)}]`;
    await live({ nodes, output: `{ ${SCOPE} }` });
    expect(new Set(asked())).toEqual(new Set(["/parcels?depot=bad&page=1&size=2"]));
  });
});

describe("views within views", () => {
  test("an inner view is a node like any other; its row is in hand", async () => {
    const output = `{ ${SCOPE}, count: { kind: node_row_count, node: open }, text: ${fieldOf("open", "id")} }`;
    const outcome = await live({ output }, "w = Week{depot=a}\nw.days[count], w[depot,count,text]");
    expect(outcome.results.map(({ rows }) => rows[0]?.values)).toEqual([
      { count: 3 },
      { depot: "a", count: 3, text: "a1" },
    ]);
    expect(asked()).toHaveLength(2);
    expect(outcome.plan.summary.bill.nodes["n1"]?.requests).toEqual({ max: 10 });
  });

  test("a failure names the way to it", async () => {
    const { nodes } = await live({}, "Week{depot=bad}");
    expect(nodes[0]?.error?.message).toMatch(/^Node day of view week: Node open of view today: /);
  });
});
