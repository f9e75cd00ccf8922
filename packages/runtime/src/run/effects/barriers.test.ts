import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Harbour, startHarbour } from "@plasm/testkit/servers";
import { effect, effectNode, forEach, from, lit, row } from "../../testing/effect-nodes.ts";
import { fixture, goOn, run, type Setting } from "../../testing/fixture-run.ts";
import { boat, boats, compute, relation } from "../../testing/nodes.ts";

let harbour: Harbour;
let setting: Setting;

beforeEach(async () => {
  harbour = await startHarbour(4);
  setting = { catalogs: [fixture("quay")], backends: { quay: harbour.server.url } };
});
afterEach(() => harbour.server.close());

const asked = (): readonly string[] =>
  harbour.server.log.map(({ method, path }) => `${method} ${path}`);
const back = (...nodes: readonly string[]) =>
  nodes.map((node) => ({ label: node, node, page_size: null }));

describe("LANG-073: an effect is a barrier", () => {
  test("C-102 what is read before it is old, what is read after it is new", async () => {
    const nodes = [
      boat("b1"),
      effectNode("n2", 0, effect("update", "b1", { name: lit("z") })),
      boat("b1", { id: "n3", stage: 1 }),
    ];
    const { results, status, effects } = await run(setting, nodes, back("n1", "n2", "n3"));
    expect(status).toBe("succeeded");
    expect(results.map(({ rows }) => rows[0]?.values["name"])).toEqual(["Boat 1", "z", "z"]);
    expect(asked()).toEqual(["GET /boats/b1", "PATCH /boats/b1", "GET /boats/b1"]);
    expect(effects).toMatchObject([{ seq: 1, node: "n2", row: null, status: "done" }]);
  });

  test("PLAN-004 reads of a stage end before its effect starts, and start after the one before", async () => {
    const nodes = [
      boats(),
      boat("b2", { id: "n2" }),
      effectNode("n3", 0, effect("action", "b1", {}, "ping")),
      boat("b3", { id: "n4", stage: 1 }),
      boat("b4", { id: "n5", stage: 1 }),
      effectNode("n6", 1, effect("action", "b2", {}, "ping")),
    ];
    await run(setting, nodes, back("n1", "n2", "n4", "n5"));
    expect(new Set(asked().slice(0, 2))).toEqual(new Set(["GET /boats", "GET /boats/b2"]));
    expect(asked()[2]).toBe("POST /boats/b1/ping");
    expect(new Set(asked().slice(3, 5))).toEqual(new Set(["GET /boats/b3", "GET /boats/b4"]));
    expect(asked().slice(5)).toEqual(["POST /boats/b2/ping"]);
  });

  test("C-100, LANG-072 effects run in source order, whether returned or not", async () => {
    const nodes = [
      effectNode("n1", 0, effect("action", "b3", {}, "ping")),
      effectNode("n2", 1, effect("action", "b1", {}, "ping")),
      effectNode("n3", 2, effect("action", "b2", {}, "ping")),
      boat("b4", { id: "n4" }),
    ];
    await run(setting, nodes, back("n4"));
    expect(harbour.performed).toEqual(["ping b3", "ping b1", "ping b2"]);
    expect(asked()[0]).toBe("GET /boats/b4");
  });

  test("C-101 identical effects are never merged", async () => {
    const ping = effect("action", "b1", {}, "ping");
    const nodes = [effectNode("n1", 0, ping), effectNode("n2", 1, ping)];
    const { effects } = await run(setting, nodes);
    expect(harbour.performed).toEqual(["ping b1", "ping b1"]);
    expect(effects.map(({ seq, node }) => [seq, node])).toEqual([
      [1, "n1"],
      [2, "n2"],
    ]);
  });

  test("C-120 a later step on an earlier read needs it before the effect, and no more than that", async () => {
    const many = await startHarbour(45);
    const own = { ...setting, backends: { quay: many.server.url } };
    const nodes = [
      boats(),
      effectNode("n2", 0, effect("action", "b1", {}, "ping")),
      compute("n3", "n1", { limit: 25 }, { stage: 1 }),
      compute("n4", "n1", { limit: 2 }, { stage: 1 }),
    ];
    const { results } = await run(own, nodes, back("n3", "n4"));
    expect(results.map(({ rows }) => rows.length)).toEqual([25, 2]);
    expect(many.server.log.map(({ method }) => method)).toEqual(["GET", "GET", "POST"]);
    await many.server.close();
  });

  test("a sort written after the effect is of the rows from before it", async () => {
    const nodes = [
      boats(),
      effectNode("n2", 0, effect("update", "b1", { name: lit("Zz") })),
      compute("n3", "n1", { sort: [{ path: ["name"], desc: true }] }, { stage: 1 }),
    ];
    const { results } = await run(setting, nodes, back("n3"));
    expect(results[0]?.rows[0]?.values["name"]).toBe("Boat 4");
    expect(asked()).toEqual(["GET /boats", "PATCH /boats/b1"]);
  });

  test("RUN-062 what an effect may have changed is not taken from the cache afterwards", async () => {
    const nodes = [
      boat("b1"),
      effectNode("n2", 0, effect("update", "b1", { note: lit("wet") })),
      boats({ id: "n3", stage: 1 }),
      compute("n4", "n3", { project: [["id"], ["note"]] }, { stage: 1 }),
    ];
    const { results } = await run(setting, nodes, back("n1", "n4"));
    expect(asked().filter((each) => each === "GET /boats/b1")).toHaveLength(1);
    expect(results[1]?.rows[0]?.values).toEqual({ id: "b1", note: "wet" });
  });

  test("RUN-023 equal reads are shared between two effects, not across one", async () => {
    const visits = relation("visits", "query_scoped", "Visit", {
      capability: "visit_query",
      anchor: { id: lit("b2") },
    });
    const nodes = [
      { ...visits, id: "n1" },
      effectNode("n2", 0, effect("action", "b1", {}, "ping")),
      { ...visits, id: "n3", stage: 1 },
      { ...visits, id: "n4", stage: 1 },
    ];
    await run(setting, nodes, back("n1", "n3", "n4"));
    expect(asked().filter((each) => each.startsWith("GET"))).toHaveLength(2);
  });

  test("C-099 steps on an effect's rows see its answer, and complete it afterwards", async () => {
    const nodes = [
      effectNode("n1", 0, effect("action", "b2", {}, "ping")),
      relation("visits", "query_scoped", "Visit", {
        stage: 1,
        capability: "visit_query",
        source: "n1",
      }),
      effectNode("n3", 1, effect("update", "b1", { name: lit("y") })),
      compute("n4", "n3", { project: [["name"]] }, { stage: 2 }),
    ];
    const { results } = await run(setting, nodes, back("n1", "n2", "n4"));
    expect(results[0]?.rows).toEqual([{ ref: "Boat:b2", values: { ok: true } }]);
    expect(results[1]?.rows).toHaveLength(2);
    expect(results[2]?.rows).toEqual([{ ref: "Boat:b1", values: { name: "y" } }]);
  });
});

describe("LANG-071: an effect per row", () => {
  test("C-030 one at a time, in row order, its rows concatenated", async () => {
    const nodes = [
      boats({ limit: 3 }),
      forEach("n2", 0, "n1", effect("update", row("id"), { name: row("owner") })),
    ];
    const { results, effects, status } = await run(setting, nodes);
    expect(status).toBe("succeeded");
    expect(harbour.performed).toEqual(["update b1", "update b2", "update b3"]);
    expect(harbour.server.mostOpen()).toBe(1);
    expect(results[0]?.rows.map(({ ref, values }) => [ref, values["name"]])).toEqual([
      ["Boat:b1", "ann"],
      ["Boat:b2", "bob"],
      ["Boat:b3", "cora"],
    ]);
    expect(effects.map(({ seq, row: at, target, args }) => [seq, at, target, args])).toEqual([
      [1, 0, "Boat:b1", { name: "ann" }],
      [2, 1, "Boat:b2", { name: "bob" }],
      [3, 2, "Boat:b3", { name: "cora" }],
    ]);
  });

  test("what its rows lack is read before the first effect", async () => {
    const nodes = [
      boats({ limit: 2 }),
      forEach("n2", 0, "n1", effect("update", row("id"), { name: row("note") })),
    ];
    const { results } = await run(setting, nodes);
    expect(asked()).toEqual([
      "GET /boats",
      "GET /boats/b1",
      "GET /boats/b2",
      "PATCH /boats/b1",
      "PATCH /boats/b2",
    ]);
    expect(results[0]?.rows.map(({ values }) => values["name"])).toEqual([
      "note of b1",
      "note of b2",
    ]);
  });

  test("C-117 a label in the body is one row, the same each time", async () => {
    const nodes = [
      boat("b4"),
      boats({ id: "n2", limit: 2 }),
      forEach("n3", 0, "n2", effect("action", from("n1", "id"), { to: row("name") }, "send")),
    ];
    const { effects } = await run(setting, nodes);
    expect(harbour.performed).toEqual(["send b4 Boat 1", "send b4 Boat 2"]);
    expect(effects.map(({ target }) => target)).toEqual(["Boat:b4", "Boat:b4"]);
  });

  test("no rows, no effects", async () => {
    const none = boats({ filter: { op: "=", path: ["id"], value: lit("none") } });
    const { effects, nodes, status } = await run(setting, [
      none,
      forEach("n2", 0, "n1", effect("delete", row("id"))),
    ]);
    expect([status, effects, nodes.map(({ status: s }) => s)]).toEqual([
      "succeeded",
      [],
      ["done", "done"],
    ]);
  });

  test("its rows may be shown page by page; going on repeats nothing", async () => {
    const nodes = [
      boats({ limit: 3 }),
      forEach("n2", 0, "n1", effect("action", row("id"), {}, "ping")),
    ];
    const { results } = await run(setting, nodes, [{ label: "x", node: "n2", page_size: 2 }]);
    expect(results[0]?.rows).toHaveLength(2);
    const cursor = results[0]?.cursor;
    if (cursor === null || cursor === undefined) throw new Error("no cursor");
    const rest = await goOn(setting, cursor);
    if (rest.status === "failed") throw new Error(rest.error.message);
    expect(rest.result.rows.map(({ ref }) => ref)).toEqual(["Boat:b3"]);
    expect(harbour.performed).toHaveLength(3);
  });
});

test("OPS-28 a plan with effects and no log is a broken invariant", async () => {
  const nodes = [effectNode("n1", 0, effect("action", "b1", {}, "ping"))];
  await expect(run({ ...setting, effectLog: null }, nodes)).rejects.toThrow("effect log");
  expect(asked()).toEqual([]);
});
