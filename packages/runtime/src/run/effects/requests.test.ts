import type { PlanValue } from "@plasm/core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { effectNode, effectOn, forEach, lit, row } from "../../testing/effect-nodes.ts";
import { run, type Setting } from "../../testing/fixture-run.ts";
import { orchard } from "../../testing/orchard-catalog.ts";
import { onTree, plant, tree, trees } from "../../testing/orchard-effects.ts";
import type { FunctionTable } from "../../ports.ts";

let server: TestServer;
let setting: Setting;

beforeAll(async () => {
  server = await startServer(({ method, path }) => {
    if (path === "/trees" && method === "GET") {
      return {
        json: {
          results: [
            { id: 1, name: "Ida", planted: "2026-01-05" },
            { id: 2, name: "Too long" },
          ],
        },
      };
    }
    if (path === "/trees/1" && method === "GET")
      return { json: { id: 1, name: "Ida", planted: null } };
    if (path === "/trees/3" && method === "GET")
      return { json: { id: 3, name: "", planted: null, marks: [] } };
    if (path.endsWith("/beds")) return { json: { no: 5 } };
    return { json: { id: 7, name: "new" } };
  });
  setting = { catalogs: [orchard()], backends: { orchard: server.url } };
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

type Args = Readonly<Record<string, PlanValue>>;

async function sent(body: Parameters<typeof effectNode>[2]): Promise<readonly unknown[]> {
  const { status, nodes } = await run(setting, [effectNode("n1", 0, body)]);
  expect([status, nodes[0]?.error ?? null]).toEqual(["succeeded", null]);
  return server.log.map(({ method, path, body: text }) => [
    method,
    path,
    text === "" ? null : JSON.parse(text),
  ]);
}

const bed = { garden: lit("north/1"), no: lit(3) };

describe("RUN-010 to RUN-013, RUN-017: what a request is made of", () => {
  test.each<[string, Args, unknown]>([
    [
      "members where the input schema puts them",
      { name: lit("x"), due: lit("2026-02-01"), start: lit("2026-01-01") },
      { name: "x", dates: { due: "2026-02-01", start: "2026-01-01" } },
    ],
    [
      "list elements wrapped",
      { name: lit("x"), marks: lit(["a", "b"]) },
      { name: "x", marks: [{ name: "a" }, { name: "b" }] },
    ],
    ["explicit null", { name: lit("x"), note: lit(null) }, { name: "x", note: null }],
  ])("MAP-023 %s", async (_what, args, expected) => {
    expect(await sent(plant(args, "tree_plant"))).toEqual([["POST", "/trees", expected]]);
  });

  test.each<[Args, unknown]>([
    [
      { op: lit("cut"), at: lit(3) },
      { op: "cut", where: { at: 3 } },
    ],
    [
      { op: lit("tie"), with: lit("rope") },
      { op: "tie", with: "rope" },
    ],
    [{ op: lit("tie") }, { op: "tie" }],
  ])("a root union %j", async (args, expected) => {
    expect(await sent(onTree("action", "tree_graft", args))).toEqual([
      ["POST", "/trees/7/graft", expected],
    ]);
  });

  test("a key of two parts fills the path, the arguments the body", async () => {
    const body = effectOn("orchard", "Bed", "update", "bed_dig", bed, { soil: lit("clay") });
    expect(await sent(body)).toEqual([["PATCH", "/gardens/north%2F1/beds/3", { soil: "clay" }]]);
  });

  test("RUN-012 a reference with two key parts is spread over the path and is no part of input", async () => {
    const args: Args = { bed: { ref: { entity: "Bed", key: bed } }, name: lit("x") };
    expect(await sent(onTree("action", "tree_move", args))).toEqual([
      ["PUT", "/gardens/north%2F1/beds/3/trees/7", { name: "x" }],
    ]);
  });

  test("an identity argument read outside the path renames", async () => {
    expect(await sent(onTree("update", "tree_rename", { id: lit(8) }))).toEqual([
      ["PATCH", "/trees/7", { id: 8 }],
    ]);
  });

  test("an identity argument that contradicts the row is refused", async () => {
    const body = onTree("update", "tree_put", { id: lit(8), name: lit("x") });
    const { nodes, effects } = await run(setting, [effectNode("n1", 0, body)]);
    expect(nodes[0]?.error?.code).toBe("argument_invalid");
    expect([effects[0]?.status, effects[0]?.target, server.log]).toEqual(["skipped", "Tree:7", []]);
  });

  test.each(["..", "."])("MAP-012 a key %s cannot become a path", async (key) => {
    const body = effectOn(
      "orchard",
      "Bed",
      "update",
      "bed_dig",
      { garden: lit(key), no: lit(1) },
      {},
    );
    const { nodes } = await run(setting, [effectNode("n1", 0, body)]);
    expect([nodes[0]?.error?.code, server.log]).toEqual(["argument_invalid", []]);
  });

  test("RUN-045 a created row's key is completed by its request; an effect on it uses both", async () => {
    const key = { garden: row("garden"), no: row("no") };
    const dig = effectOn("orchard", "Bed", "update", "bed_dig", key, { soil: lit("s") });
    const made = effectOn("orchard", "Bed", "create", "bed_create", null, { garden: lit("g") });
    const nodes = [effectNode("n1", 0, made), forEach("n2", 1, "n1", dig)];
    const { results, effects } = await run(setting, nodes);
    expect(results[0]?.rows[0]?.ref).toBe("Bed:garden=g,no=5");
    expect(server.log.map(({ path }) => path)).toEqual(["/gardens/g/beds", "/gardens/g/beds/5"]);
    expect(effects.map(({ target }) => target)).toEqual([null, "Bed:garden=g,no=5"]);
  });
});

describe("RUN-016: rules are kept when holes are filled, too", () => {
  const hole = (path: string): PlanValue => ({
    from: "n1",
    path: [path],
    type: "str",
    many: false,
  });

  test("a value that breaks a rule: its own text, nothing sent", async () => {
    const body = effectOn("orchard", "Tree", "create", "tree_plant", null, { name: row("name") });
    const outcome = await run(setting, [trees(), forEach("n2", 0, "n1", body)]);
    expect(outcome.nodes[1]?.error).toMatchObject({ code: "argument_invalid", row: 1 });
    expect(outcome.nodes[1]?.error?.message).toContain("a name has at most 5 letters");
    expect(outcome.effects.map(({ status }) => status)).toEqual(["skipped", "skipped"]);
  });

  test.each<[string, PlanValue]>([
    ["note has at least 1", { from: "n1", path: ["name"], type: "str", many: false }],
    ["marks has at least 1", { from: "n1", path: ["planted"], type: "str", many: true }],
    ["marks has at least 1", { from: "n1", path: ["marks"], type: "[str]", many: false }],
  ])("%s, be it empty text or an empty list", async (text, value) => {
    const [slot = ""] = text.split(" ");
    const args = { name: lit("x"), [slot]: value };
    const outcome = await run(setting, [tree(3), effectNode("n2", 0, plant(args, "tree_plant"))]);
    expect(outcome.nodes[1]?.error).toMatchObject({ code: "argument_invalid" });
    expect(outcome.nodes[1]?.error?.message).toContain(text);
    expect(server.log.map(({ method }) => method)).toEqual(["GET"]);
  });

  test("a relative date keeps them, too, once it is a day", async () => {
    const start = { now: "today-2w" };
    const planned = plant({ name: lit("x"), start, due: { now: "today" } }, "tree_plant");
    expect((await run(setting, [effectNode("n1", 0, planned)])).status).toBe("succeeded");
    const early = plant({ name: lit("x"), start: { now: "today-400d" } }, "tree_plant");
    const { nodes } = await run(setting, [effectNode("n1", 0, early)]);
    expect(nodes[0]?.error?.message).toContain("nothing starts before 2025");
  });

  test.each<[string, FunctionTable, string | null]>([
    ["please", new Map([["is_polite", () => ({ value: true })]]), null],
    ["now!", new Map([["is_polite", () => ({ value: false })]]), "now! does not satisfy is_polite"],
    ["now!", new Map([["is_polite", () => ({ error: "say please" })]]), "say please"],
    ["now!", new Map(), "no function is_polite is registered"],
  ])("RUN-105 a registered function judges %s", async (note, functions, said) => {
    const body = plant({ name: lit("x"), note: lit(note) }, "tree_plant");
    const { nodes, effects } = await run({ ...setting, functions }, [effectNode("n1", 0, body)]);
    expect(effects[0]?.status).toBe(said === null ? "done" : "skipped");
    expect(nodes[0]?.error?.message ?? "").toContain(said ?? "");
    expect(server.log).toHaveLength(said === null ? 1 : 0);
  });

  test("implies asks whether it is given; null is", async () => {
    const args = { name: lit("x"), due: hole("planted") };
    const { nodes } = await run(setting, [tree(1), effectNode("n2", 0, plant(args, "tree_plant"))]);
    expect(nodes[1]?.error?.code).toBe("null_value");
  });
});

describe("RUN-026: idempotency keys", () => {
  const keys = (): readonly unknown[] =>
    server.log.map(({ headers }) => headers["idempotency-key"]);
  const pay = effectOn("orchard", "Tree", "action", "tree_pay", { id: row("id") }, { sum: lit(1) });

  test("one per run, node and row; the same when the run is resumed", async () => {
    const nodes = [
      trees(),
      forEach("n2", 0, "n1", pay),
      effectNode("n3", 1, onTree("action", "tree_pay", { sum: lit(1) })),
    ];
    const { effects } = await run({ ...setting, runId: "r1" }, nodes);
    const first = keys().slice(1);
    expect(new Set(first).size).toBe(3);
    expect(effects.map(({ idempotencyKey }) => idempotencyKey)).toEqual(first);
    server.log.splice(0);
    await run({ ...setting, runId: "r1" }, nodes);
    expect(keys().slice(1)).toEqual(first);
    server.log.splice(0);
    await run({ ...setting, runId: "r2" }, nodes);
    expect(
      keys()
        .slice(1)
        .filter((key) => first.includes(key)),
    ).toEqual([]);
  });

  test("no header, no key", async () => {
    const { effects } = await run(setting, [
      effectNode("n1", 0, onTree("update", "tree_put", { name: lit("x") })),
    ]);
    expect([effects[0]?.idempotencyKey, keys()]).toEqual([null, [undefined]]);
  });
});
