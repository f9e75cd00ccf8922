import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { runView, valuesOf } from "../testing/run-view.ts";
import type { ViewParts } from "../testing/view-catalog.ts";

const PARCELS = [
  { id: "p1", stage: "packed", weight: 5, sender: "ann" },
  { id: "p2", stage: "sent", weight: 12, sender: "bob" },
  { id: "p3", stage: "packed", weight: null, sender: { login: "ann", name: "Ann" } },
];

let server: TestServer;

beforeAll(async () => {
  server = await startServer(({ path, query }) => {
    if (path !== "/parcels") return { json: { id: path.split("/").at(-1), label: "L" } };
    const page = Number(query.get("page"));
    const rows = query.get("depot") === "empty" ? [] : PARCELS;
    return { json: { results: rows.slice((page - 1) * 2, page * 2) } };
  });
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

const live = (parts: ViewParts, text: string) => runView(server.url, parts, text);

const rowsOf = async (parts: ViewParts, text: string) => valuesOf(await live(parts, text));

const scope = "depot: { kind: scope, param: depot }";
const field = (name: string) => `{ kind: node_field, node: open, field: ${name} }`;
const computed = (template: string) => `{ kind: computed, template: ${JSON.stringify(template)} }`;

describe("RUN-100: outputs", () => {
  const any = (name: string, equals: string) =>
    `{ kind: node_any_row_field_equals, node: open, field: ${name}, equals: ${equals} }`;

  test.each([
    ["count: { kind: node_row_count, node: open }", "main", { count: 3 }],
    ["count: { kind: node_row_count, node: open }", "empty", { count: 0 }],
    ["some: { kind: node_row_count_positive, node: open }", "main", { some: true }],
    ["some: { kind: node_row_count_positive, node: open }", "empty", { some: false }],
    [`count: ${field("weight")}`, "main", { count: 5 }],
    [`count: ${field("weight")}`, "empty", { count: null }],
    [`text: ${field("sender")}`, "main", { text: "ann" }],
    [`some: ${any("stage", "sent")}`, "main", { some: true }],
    [`some: ${any("stage", "lost")}`, "main", { some: false }],
    [`some: ${any("weight", "12")}`, "main", { some: true }],
    [`some: ${any("weight", '"12"')}`, "main", { some: true }],
    [`some: ${any("sender", "bob")}`, "main", { some: true }],
    [`some: ${any("weight", "null")}`, "main", { some: true }],
    [`some: ${any("weight", "null")}`, "empty", { some: false }],
    [
      "text: { kind: node_field_histogram_json, node: open, field: stage }",
      "main",
      { text: '{"packed":2,"sent":1}' },
    ],
    [
      "text: { kind: node_field_histogram_json, node: open, field: weight }",
      "main",
      { text: '{"12":1,"5":1,"null":1}' },
    ],
    [
      "text: { kind: node_field_histogram_json, node: open, field: sender }",
      "main",
      { text: '{"ann":2,"bob":1}' },
    ],
    ["text: { kind: node_field_histogram_json, node: open, field: id }", "empty", { text: "{}" }],
  ])("%s of depot %s", async (output, depot, values) => {
    const columns = Object.keys(values).join(",");
    const parts = { output: `{ ${scope}, ${output} }` };
    expect(await rowsOf(parts, `Today{depot=${depot}}[${columns}]`)).toEqual([values]);
  });

  test("computed outputs come last, each after those it reads, in the types of their fields", async () => {
    const output = `{ more: ${computed("{{ text }}!")}, text: ${computed("{{ depot }} {{ count }}")}, other: ${computed("{{ count + 1 }}")}, some: ${computed("{{ 'true' if count else 'false' }}")}, ${scope}, count: { kind: node_row_count, node: open } }`;
    expect(await rowsOf({ output }, "Today{depot=main}[count,other,some,text,more]")).toEqual([
      { count: 3, other: 4, some: true, text: "main 3", more: "main 3!" },
    ]);
  });

  test("what the first row does not know is not loaded, and not asked for", async () => {
    const output = `{ ${scope}, text: ${field("label")} }`;
    const { results } = await live({ output }, "Today{depot=main}");
    expect(results[0]?.rows[0]?.values).toEqual({ depot: "main" });
    expect(results[0]?.notLoaded).toContain("text");
    expect(server.log.every(({ path }) => path === "/parcels")).toBe(true);
  });

  test("a reference stays a reference, with what came with it", async () => {
    const output = `{ ${scope}, sender: { kind: node_field, node: open, field: sender } }`;
    expect(await rowsOf({ output }, "Today{depot=main}.sender[login]")).toEqual([{ login: "ann" }]);
    expect(server.log.map(({ path }) => path)).toEqual(["/parcels", "/parcels", "/senders/ann"]);
  });

  test("RUN-101 a template that fails is named, with its place", async () => {
    const output = `{ ${scope}, text: ${computed("{{ depot }}\n{{ count.weight }}")}, count: { kind: node_row_count, node: open } }`;
    const { nodes } = await live({ output }, "Today{depot=main}");
    expect(nodes[0]?.error).toMatchObject({ code: "template_failed" });
    expect(nodes[0]?.error?.message).toContain("output text at 2:");
  });
});

describe("RUN-100: identity and scope", () => {
  const none = { scope: "[]", nodes: "[{ id: open, capability: parcel_query }]" };

  test("a view without scope needs neither scope nor identity", async () => {
    const output = "{ count: { kind: node_row_count, node: open } }";
    const { results } = await live({ ...none, output }, "Today.query()");
    expect(results[0]?.rows).toMatchObject([{ ref: null, values: { count: 3 } }]);
  });

  test("identity comes from an output where there is one", async () => {
    const output = `{ depot: ${field("id")} }`;
    const { results } = await live({ ...none, output }, "Today.query()");
    expect(results[0]?.rows).toMatchObject([{ ref: "Today:p1", values: { depot: "p1" } }]);
  });

  test("and from the scope where no output says it", async () => {
    const output = "{ count: { kind: node_row_count, node: open } }";
    const { results } = await live({ output }, "Today{depot=main}");
    expect(results[0]?.rows).toMatchObject([{ ref: "Today:main", values: { depot: "main" } }]);
  });

  test("what is required of the scope is required of the caller, whatever the parameter says", async () => {
    await expect(live({}, "Today.query()")).rejects.toThrow("depot");
  });

  test("what is required and nobody gives is named", async () => {
    const { nodes } = await live({ week: "" }, "Week{depot=main}");
    expect(nodes[0]?.error).toMatchObject({ code: "argument_missing" });
    expect(nodes[0]?.error?.message).toBe("Node day of view week: View today lacks depot.");
    expect(server.log).toEqual([]);
  });

  test("a field that a list lacks is filled by the entity's view (RUN-042, RUN-057)", async () => {
    const depots = await startServer(({ path, query }) => {
      if (path === "/depots/west")
        return { json: { results: [{ depot: "main" }, { depot: "north" }] } };
      const rows = query.get("depot") === "main" ? [{ id: "p1" }] : [];
      return { json: { results: rows } };
    });
    const outcome = await runView(depots.url, {}, "Today.list(region=west)[depot,count]");
    await depots.close();
    expect(valuesOf(outcome)).toEqual([
      { depot: "main", count: 1 },
      { depot: "north", count: 0 },
    ]);
  });
});
