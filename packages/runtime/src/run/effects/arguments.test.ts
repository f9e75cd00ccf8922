import type { Json, PlanValue } from "@plasm/core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { effectNode, effectOn, forEach, from, lit, row } from "../../testing/effect-nodes.ts";
import { quickClock, run, type Setting } from "../../testing/fixture-run.ts";
import { orchard } from "../../testing/orchard-catalog.ts";
import { onTree, plant, tree, trees } from "../../testing/orchard-effects.ts";

const TREE = {
  id: 1,
  name: "Ida",
  kind: "pear",
  planted: "2026-01-05",
  watered: 1_767_614_400,
  weight: 2.5,
  sick: true,
  marks: ["a", "b"],
  data: { rows: [1, 2] },
  parent: 4,
};
const BARE = { id: 2, name: null, kind: null, planted: null, marks: null };

let server: TestServer;
let setting: Setting;

beforeAll(async () => {
  server = await startServer(({ method, path }) => {
    if (path === "/trees" && method === "GET") return { json: { results: [TREE, BARE] } };
    if (path === "/trees/1") return { json: TREE };
    if (path === "/trees/2") return { json: BARE };
    return { json: { id: 9, garden: "g", no: 3, name: "new" } };
  });
  setting = { catalogs: [orchard()], backends: { orchard: server.url } };
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

const sentBody = (): unknown => {
  const last = server.log.at(-1);
  return last === undefined || last.body === "" ? null : JSON.parse(last.body);
};
const hole = (path: string, many = false): PlanValue => ({
  from: "n1",
  path: [path],
  type: "json",
  many,
});

describe("PLAN-064, LANG-045: holes are filled, converted and checked by their slot", () => {
  test.each<[string, string, string, Json]>([
    ["text", "name", "name", "Ida"],
    ["a number into text", "name", "weight", "2.5"],
    ["an option into text", "name", "kind", "pear"],
    ["a date into text", "name", "planted", "2026-01-05"],
    ["an option", "kind", "kind", "pear"],
    ["a date", "planted", "planted", "2026-01-05"],
    ["a date in another format", "watered", "planted", 1_767_571_200],
    ["unix seconds into a date", "planted", "watered", "2026-01-05"],
    ["a number", "weight", "weight", 2.5],
    ["an id into a number", "weight", "id", 1],
    ["a boolean", "sick", "sick", true],
    ["a list", "marks", "marks", ["a", "b"]],
    ["one element into a list", "marks", "name", ["Ida"]],
    ["anything into json", "data", "data", { rows: [1, 2] }],
    ["a reference", "parent", "parent", 4],
  ])("%s", async (_what, slot, column, expected) => {
    const args = { name: lit("x"), [slot]: hole(column) };
    const { status } = await run(setting, [tree(1), effectNode("n2", 0, plant(args))]);
    expect(status).toBe("succeeded");
    expect(sentBody()).toMatchObject({ [slot]: expected });
  });

  test.each<[string, string, string]>([
    ["a date into a number", "weight", "planted"],
    ["a fraction into a whole number", "count", "weight"],
    ["a name into options", "kind", "name"],
    ["a name into a date", "planted", "name"],
    ["an object into text", "name", "data"],
  ])("C-106 %s is argument_invalid, and nothing is sent", async (_what, slot, column) => {
    const args = { name: lit("x"), [slot]: hole(column) };
    const outcome = await run(setting, [tree(1), effectNode("n2", 0, plant(args))]);
    expect(outcome.nodes[1]?.error).toMatchObject({ code: "argument_invalid", node: "n2" });
    expect(outcome.nodes[1]?.error?.message).toContain(slot);
    expect(server.log.map(({ method }) => method)).toEqual(["GET"]);
    expect(outcome.effects).toMatchObject([
      { status: "skipped", startedAt: null, error: { code: "argument_invalid" } },
    ]);
  });

  test("a column, values in row order, without nulls", async () => {
    const args = { name: lit("x"), marks: hole("name", true), data: hole("id", true) };
    await run(setting, [trees(), effectNode("n2", 0, plant(args))]);
    expect(sentBody()).toMatchObject({ marks: ["Ida"], data: [1, 2] });
  });

  test("a row for a reference is its key, for json its columns", async () => {
    const whole: PlanValue = { from: "n1", path: [], type: "Tree", many: false };
    const args = { name: lit("x"), parent: whole, data: whole };
    await run(setting, [tree(1), effectNode("n2", 0, plant(args))]);
    expect(sentBody()).toMatchObject({ parent: 1, data: { name: "Ida", weight: 2.5 } });
  });

  test("holes inside lists, objects and references", async () => {
    const args: Record<string, PlanValue> = {
      name: lit("x"),
      marks: { list: [lit("z"), hole("name")] },
      data: { obj: { deep: { list: [hole("weight"), { obj: { k: hole("kind") } }] } } },
      parent: { ref: { entity: "Tree", key: { id: hole("id") } } },
    };
    await run(setting, [tree(1), effectNode("n2", 0, plant(args))]);
    expect(sentBody()).toMatchObject({
      marks: ["z", "Ida"],
      data: { deep: [2.5, { k: "pear" }] },
      parent: 1,
    });
  });

  test("constants, exact numbers and relative dates", async () => {
    const args: Record<string, PlanValue> = {
      name: lit("x"),
      weight: { dec: "12345678901234567890" },
      planted: { now: "today-7d" },
      watered: { now: "today" },
    };
    await run(setting, [effectNode("n1", 0, plant(args))]);
    expect(sentBody()).toMatchObject({
      weight: "12345678901234567890",
      planted: "2025-12-29",
      watered: Date.UTC(2026, 0, 5) / 1000,
    });
  });
});

describe("LANG-043: relative dates go out in whole seconds", () => {
  // What the clock shows beyond the second no API asked for, and some refuse it.
  const clock = quickClock(Date.UTC(2026, 0, 5, 12, 0, 30, 250));

  test.each<[string, string, Json]>([
    ["at", "now", "2026-01-05T12:00:30Z"],
    ["at", "now-90m", "2026-01-05T10:30:30Z"],
    ["at", "today", "2026-01-05T00:00:00Z"],
    ["planted", "now+1d", "2026-01-06"],
    ["watered", "now", 1_767_614_430],
    ["tick", "now", 1_767_614_430_250],
  ])("%s=%s is %s", async (slot, now, expected) => {
    const body = onTree("action", "tree_log", { [slot]: { now } });
    await run({ ...setting, clock }, [effectNode("n1", 0, body)]);
    expect(sentBody()).toEqual({ [slot]: expected });
  });

  test("PLAN-063 all of a run are of one reading of the clock, though midnight passes", async () => {
    const start = Date.UTC(2026, 0, 5, 23, 59, 50);
    const later = { ...clock, now: () => start + server.log.length * 15_000 };
    const body = onTree("action", "tree_log", { at: { now: "now" }, planted: { now: "tomorrow" } });
    const nodes = [effectNode("n1", 0, body), effectNode("n2", 1, body)];
    const { status } = await run({ ...setting, clock: later }, nodes);
    expect(status).toBe("succeeded");
    const sent = { at: "2026-01-05T23:59:50Z", planted: "2026-01-06" };
    expect(server.log.map((request) => JSON.parse(request.body) as unknown)).toEqual([sent, sent]);
  });

  test("one that leaves the calendar is refused before anything is sent", async () => {
    const body = onTree("action", "tree_log", { at: { now: "today+99999999d" } });
    const { nodes } = await run(setting, [effectNode("n1", 0, body)]);
    expect(nodes[0]?.error).toMatchObject({ code: "argument_invalid" });
    expect(server.log).toEqual([]);
  });
});

describe("LANG-045: null", () => {
  test("C-050 written in an optional slot it is sent", async () => {
    await run(setting, [effectNode("n1", 0, plant({ name: lit("x"), kind: lit(null) }))]);
    expect(sentBody()).toEqual({ name: "x", kind: null });
  });

  test("from a row into an optional slot it is sent, too", async () => {
    const args = { name: lit("x"), kind: hole("kind") };
    await run(setting, [tree(2), effectNode("n2", 0, plant(args))]);
    expect(sentBody()).toEqual({ name: "x", kind: null });
  });

  test.each<[string, Record<string, PlanValue>, string]>([
    ["a required slot", { name: hole("name") }, "name"],
    [
      "a reference's key",
      { name: lit("x"), parent: { ref: { entity: "Tree", key: { id: hole("kind") } } } },
      "Tree(id)",
    ],
  ])("in %s it is null_value, naming row and path", async (_what, args, slot) => {
    const outcome = await run(setting, [tree(2), effectNode("n2", 0, plant(args))]);
    const { error } = outcome.nodes[1] ?? {};
    expect(error).toMatchObject({ code: "null_value" });
    expect(error?.message).toContain(slot);
    expect(error?.message).toContain("n1");
    expect(error?.correction).toContain("exists(");
    expect(server.log).toHaveLength(1);
  });

  test("in a key it is null_value; the row is named", async () => {
    const body = effectOn("orchard", "Tree", "delete", "tree_fell", { id: row("kind") }, {});
    const outcome = await run(setting, [trees(), forEach("n2", 0, "n1", body)]);
    expect(outcome.nodes[1]?.error?.code).toBe("argument_invalid");
    const rest = trees({ filter: { op: "=", path: ["id"], value: lit(2) } });
    const { nodes } = await run(setting, [rest, forEach("n2", 0, "n1", body)]);
    expect(nodes[1]?.error).toMatchObject({ code: "null_value", row: 0 });
    expect(nodes[1]?.error?.message).toContain("Tree:2");
  });

  test("17.12 a row without the value is found before the first effect is sent", async () => {
    const body = effectOn(
      "orchard",
      "Tree",
      "update",
      "tree_put",
      { id: row("id") },
      { name: row("planted") },
    );
    const required = effectOn(
      "orchard",
      "Tree",
      "action",
      "tree_pay",
      { id: row("id") },
      { sum: row("weight") },
    );
    expect((await run(setting, [trees(), forEach("n2", 0, "n1", body)])).status).toBe("succeeded");
    server.log.splice(0);
    const outcome = await run(setting, [trees(), forEach("n2", 0, "n1", required)]);
    expect(outcome.nodes[1]?.error).toMatchObject({ code: "null_value", row: 1 });
    expect(outcome.effects.map(({ status }) => status)).toEqual(["skipped", "skipped"]);
    expect(server.log.every(({ method }) => method === "GET")).toBe(true);
  });

  test("no row is no_row", async () => {
    const none = trees({ filter: { op: "=", path: ["id"], value: lit(77) } });
    const outcome = await run(setting, [
      none,
      effectNode("n2", 0, plant({ name: from("n1", "name") })),
    ]);
    expect(outcome.nodes[1]?.error).toMatchObject({ code: "no_row" });
    expect(outcome.nodes[1]?.error?.message).toContain("n1");
  });
});

describe("MAP-016, MAP-022: bodies of other forms", () => {
  test("a form", async () => {
    const args = { name: lit("a b&c"), count: lit(3) };
    await run(setting, [effectNode("n1", 0, onTree("action", "tree_form", args))]);
    expect(server.log[0]).toMatchObject({ path: "/trees/7/form", body: "name=a+b%26c&count=3" });
    expect(server.log[0]?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  });

  test("explicit null in a form names the parameter, and nothing is sent", async () => {
    const args = { name: lit(null) };
    const { nodes } = await run(setting, [
      effectNode("n1", 0, onTree("action", "tree_form", args)),
    ]);
    expect(nodes[0]?.error).toMatchObject({ code: "argument_invalid" });
    expect(nodes[0]?.error?.message).toContain("name is null");
    expect(nodes[0]?.error?.correction).toBe("give name a value, or leave it out");
    expect(server.log).toEqual([]);
  });

  test("parts: a file with its bytes, and text; the log has no bytes", async () => {
    const photo = {
      __plasm_attachment: { bytes_base64: "AAEC", mime_type: "image/png", file_name: "t.png" },
    };
    const args = { photo: lit(photo), name: lit("x") };
    const { effects } = await run(setting, [
      effectNode("n1", 0, onTree("action", "tree_photo", args)),
    ]);
    expect(server.log[0]?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(server.log[0]?.body).toContain('name="photo"; filename="t.png"');
    expect(server.log[0]?.body).toContain("image/png");
    expect(JSON.stringify(effects[0]?.args)).not.toContain("AAEC");
  });
});
