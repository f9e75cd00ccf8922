import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Harbour, type Received, type Reply, startHarbour } from "@plasm/testkit/servers";
import type { EffectEntry } from "../../effects/effect-log.ts";
import { effect, effectNode, forEach, from, lit, row } from "../../testing/effect-nodes.ts";
import { fixture, run, type Setting } from "../../testing/fixture-run.ts";
import { boat, boats, compute } from "../../testing/nodes.ts";

let harbour: Harbour;
let setting: Setting;
let before: (request: Received) => Reply | null;

beforeEach(async () => {
  before = () => null;
  harbour = await startHarbour(4, (request) => before(request));
  setting = { catalogs: [fixture("quay")], backends: { quay: harbour.server.url } };
});
afterEach(() => harbour.server.close());

const back = (...nodes: readonly string[]) =>
  nodes.map((node) => ({ label: node, node, page_size: null }));
const brief = (effects: readonly EffectEntry[]) =>
  effects.map(({ node, row: at, target, status }) => [node, at, target, status]);
const ping = (id: string) => effect("action", id, {}, "ping");
const three = (body = effect("update", row("id"), { name: row("name") })) => [
  boats({ limit: 3 }),
  forEach("n2", 0, "n1", body),
];

describe("PLAN-071: no effect starts after a failure", () => {
  test("the second of three fails: what was done, what failed, what was not started", async () => {
    before = ({ method, path }) =>
      method === "PATCH" && path === "/boats/b2"
        ? { status: 422, json: { errors: ["Name has already been taken", "Owner is invalid"] } }
        : null;
    const nodes = [
      ...three(),
      effectNode("n3", 1, ping("b4")),
      boat("b4", { id: "n4", stage: 2 }),
      compute("n5", "n2", { project: [["id"]] }, { stage: 2 }),
    ];
    const outcome = await run(setting, nodes, back("n2", "n4", "n5"));
    expect(outcome.status).toBe("failed");
    expect(outcome.stopped).toBeNull();
    expect(harbour.performed).toEqual(["update b1"]);
    expect(outcome.nodes.map(({ id, status, reason }) => [id, status, reason])).toEqual([
      ["n1", "done", null],
      ["n2", "failed", expect.stringContaining("Name has already been taken; Owner is invalid")],
      ["n3", "skipped", "held back, since n2 failed"],
      ["n4", "done", null],
      ["n5", "skipped", "input n2 failed"],
    ]);
    expect(outcome.nodes[1]?.error).toMatchObject({
      code: "upstream_error",
      node: "n2",
      row: 1,
      retryable: false,
      request: {
        method: "PATCH",
        pathTemplate: "/boats/{id}",
        status: 422,
        apiText: "Name has already been taken; Owner is invalid",
      },
    });
    expect(brief(outcome.effects)).toEqual([
      ["n2", 0, "Boat:b1", "done"],
      ["n2", 1, "Boat:b2", "failed"],
      ["n2", 2, "Boat:b3", "skipped"],
      ["n3", null, "Boat:b4", "skipped"],
    ]);
    expect(outcome.effects.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(outcome.effects[1]).toMatchObject({ httpStatus: 422, error: { row: 1 } });
    expect(outcome.results.map(({ label }) => label)).toEqual(["n4"]);
  });

  test("a read that failed before holds it back; other reads finish", async () => {
    const nodes = [
      boat("b9"),
      effectNode("n2", 0, ping("b1")),
      effectNode("n3", 1, effect("create", null, { name: lit("x"), owner: lit("ann") })),
      boats({ id: "n4", stage: 2 }),
    ];
    const outcome = await run(setting, nodes, back("n1", "n4"));
    expect(outcome.status).toBe("failed");
    expect(harbour.performed).toEqual([]);
    expect(outcome.nodes.map(({ status, reason }) => [status, reason])).toEqual([
      ["failed", expect.stringContaining("Boat:b9")],
      ["skipped", "held back, since n1 failed"],
      ["skipped", "held back, since n1 failed"],
      ["done", null],
    ]);
    expect(brief(outcome.effects)).toEqual([
      ["n2", null, "Boat:b1", "skipped"],
      ["n3", null, null, "skipped"],
    ]);
    expect(outcome.results.map(({ label }) => label)).toEqual(["n4"]);
  });

  test("a read that fails after an effect leaves that done and holds back the next", async () => {
    const nodes = [
      effectNode("n1", 0, ping("b1")),
      boat("b9", { id: "n2", stage: 1 }),
      effectNode("n3", 1, ping("b2")),
    ];
    const outcome = await run(setting, nodes, back("n2"));
    expect(harbour.performed).toEqual(["ping b1"]);
    expect(brief(outcome.effects)).toEqual([
      ["n1", null, "Boat:b1", "done"],
      ["n3", null, "Boat:b2", "skipped"],
    ]);
  });

  test.each([404, 410])("PLAN-074 a delete answered %i has failed: not_found", async (status) => {
    before = ({ method }) => (method === "DELETE" ? { status, json: { message: "gone" } } : null);
    const { nodes, effects } = await run(setting, [effectNode("n1", 0, effect("delete", "b1"))]);
    expect(nodes[0]?.error).toMatchObject({ code: "not_found", request: { apiText: "gone" } });
    expect(nodes[0]?.error?.message).toContain("Boat:b1");
    expect(effects).toMatchObject([{ status: "failed", httpStatus: status }]);
  });

  test.each([
    ["update", effect("update", "b9", { name: lit("x") }), "not_found"],
    ["action", ping("b9"), "not_found"],
    ["create", effect("create", null, { name: lit("x"), owner: lit("ann") }), "upstream_error"],
  ])("404 on %s", async (_kind, body, code) => {
    before = ({ method }) => (method === "POST" ? { status: 404, json: {} } : null);
    const { nodes } = await run(setting, [effectNode("n1", 0, body)]);
    expect(nodes[0]?.error?.code).toBe(code);
  });

  test.each([401, 403])("%i names the credential", async (status) => {
    before = () => ({ status, json: { message: "no" } });
    const { nodes, effects } = await run(setting, [effectNode("n1", 0, ping("b1"))]);
    expect(nodes[0]?.error).toMatchObject({ code: "auth_refused", retryable: false });
    expect(effects[0]?.status).toBe("failed");
  });
});

describe("LANG-076: no effect on a part of its input", () => {
  const paged = (count: number) => startHarbour(count);

  test("C-104 a list that a budget cut feeds no effect", async () => {
    const many = await paged(45);
    const own = { ...setting, backends: { quay: many.server.url }, limits: { pages: 1 } };
    const nodes = [boats(), forEach("n2", 0, "n1", effect("delete", row("id")))];
    const outcome = await run(own, nodes);
    expect(outcome.status).toBe("failed");
    expect(outcome.nodes[1]?.error).toMatchObject({ code: "partial_source" });
    expect(outcome.nodes[1]?.error?.message).toContain("pages");
    expect(outcome.nodes[1]?.error?.correction).toContain(".limit(n)");
    expect(many.performed).toEqual([]);
    expect(brief(outcome.effects)).toEqual([["n2", null, null, "skipped"]]);
    await many.server.close();
  });

  test("the requests budget names itself, too", async () => {
    const many = await paged(45);
    const own = { ...setting, backends: { quay: many.server.url }, limits: { requests: 2 } };
    const nodes = [boats(), forEach("n2", 0, "n1", effect("delete", row("id")))];
    const { nodes: ended, status } = await run(own, nodes);
    expect([status, ended[1]?.error?.code]).toEqual(["failed", "partial_source"]);
    expect(ended[1]?.error?.message).toContain("requests");
    await many.server.close();
  });

  describe("17.4 rows that an API has beyond those it gives", () => {
    beforeEach(() => {
      before = ({ method, path }) =>
        method === "GET" && path === "/boats"
          ? {
              json: {
                items: [
                  { id: "b1", name: "a" },
                  { id: "b2", name: "b" },
                ],
                total: 143,
              },
            }
          : null;
    });

    test.each([null, 3])("no effect on any of them (limit %s)", async (limit) => {
      const nodes = [boats({ limit }), forEach("n2", 0, "n1", effect("delete", row("id")))];
      const outcome = await run(setting, nodes);
      expect(outcome.status).toBe("failed");
      expect(outcome.nodes[1]?.error).toMatchObject({ code: "partial_source" });
      expect(outcome.nodes[1]?.error?.message).toContain("rows_unread");
      expect(outcome.nodes[1]?.error?.correction).toContain(".limit(n)");
      expect(harbour.performed).toEqual([]);
    });

    test("none with their number", async () => {
      const count = { aggregate: [{ as: "count", fn: "count" as const, path: null }] };
      const nodes = [
        boats(),
        compute("n2", "n1", count, {
          result: { card: "one", entity: null, columns: [["count", "int"]] },
        }),
        effectNode("n3", 0, effect("update", "b1", { name: from("n2", "count") })),
      ];
      const outcome = await run(setting, nodes, back("n3"));
      expect(outcome.nodes[2]?.error).toMatchObject({ code: "partial_source" });
      expect(harbour.performed).toEqual([]);
    });

    test("those that a limit asked for are whole", async () => {
      const nodes = [boats({ limit: 2 }), forEach("n2", 0, "n1", effect("delete", row("id")))];
      expect((await run(setting, nodes)).status).toBe("succeeded");
      expect(harbour.performed).toEqual(["delete b1", "delete b2"]);
    });
  });

  test("rows that could not be completed are named by the diagnostic", async () => {
    before = ({ method, path }) =>
      method === "GET" && path === "/boats/b2" ? { status: 500, json: { message: "oil" } } : null;
    const body = effect("update", row("id"), { name: row("note") });
    const outcome = await run(setting, three(body));
    expect(outcome.nodes[1]?.error).toMatchObject({ code: "partial_source" });
    expect(outcome.nodes[1]?.error?.message).toContain("hydration_failed");
    expect(harbour.performed).toEqual([]);
  });

  test("a cell of a column that was cut is refused, one of its first row is not", async () => {
    const many = await paged(45);
    const own = { ...setting, backends: { quay: many.server.url }, limits: { pages: 1 } };
    const column = { from: "n1", path: ["id"], type: "str", many: true };
    const send = (to: ReturnType<typeof lit>) => effect("action", "b1", { to }, "send");
    const nodes = [
      boats(),
      compute("n2", "n1", { sort: [{ path: ["id"], desc: false }] }),
      effectNode("n3", 0, send(from("n1", "id"))),
      effectNode("n4", 1, send(column)),
    ];
    const outcome = await run(own, nodes, back("n2"));
    expect(many.performed).toEqual(["send b1 b1"]);
    expect(outcome.nodes[3]?.error?.code).toBe("partial_source");
    await many.server.close();
  });

  test("PLAN-052 more rows than fan_out: counted before the first effect", async () => {
    const outcome = await run({ ...setting, limits: { fan_out: 2 } }, three());
    expect(outcome.nodes[1]?.error).toMatchObject({ code: "budget_exceeded" });
    expect(outcome.nodes[1]?.error?.message).toMatch(/3 rows.*fan_out.*2/);
    expect(harbour.performed).toEqual([]);
    expect(brief(outcome.effects)).toEqual(
      ["b1", "b2", "b3"].map((id, index) => ["n2", index, `Boat:${id}`, "skipped"]),
    );
  });
});

describe("OPS-30, PLAN-065: budgets and cancel act between requests", () => {
  test("a budget that ends inside a for_each: the rest is skipped, the run has failed", async () => {
    const outcome = await run({ ...setting, limits: { requests: 3 } }, three());
    expect([outcome.status, outcome.stopped]).toEqual(["failed", "requests"]);
    expect(harbour.performed).toEqual(["update b1", "update b2"]);
    expect(outcome.nodes[1]).toMatchObject({ status: "skipped", reason: "requests", rows: 2 });
    expect(brief(outcome.effects)).toEqual([
      ["n2", 0, "Boat:b1", "done"],
      ["n2", 1, "Boat:b2", "done"],
      ["n2", 2, "Boat:b3", "skipped"],
    ]);
    expect(outcome.results[0]).toMatchObject({ partial: "requests", cursor: null });
    expect(outcome.results[0]?.rows).toHaveLength(2);
  });

  test("an effect that no budget is left for was not started", async () => {
    const nodes = [effectNode("n1", 0, ping("b1")), effectNode("n2", 1, ping("b2"))];
    const outcome = await run({ ...setting, limits: { requests: 1 } }, nodes);
    expect([outcome.status, outcome.stopped]).toEqual(["failed", "requests"]);
    expect(outcome.nodes.map(({ status, reason }) => [status, reason])).toEqual([
      ["done", null],
      ["skipped", "requests"],
    ]);
    expect(brief(outcome.effects)).toEqual([
      ["n1", null, "Boat:b1", "done"],
      ["n2", null, "Boat:b2", "skipped"],
    ]);
    expect(outcome.results).toEqual([]);
  });

  test("a budget or a cancel after the last effect leaves its node done (PLAN-070)", async () => {
    const abort = new AbortController();
    before = ({ path }) => {
      if (path === "/boats/b3") abort.abort();
      return null;
    };
    const limits = { requests: 4 };
    const outcome = await run({ ...setting, limits, signal: abort.signal }, three());
    expect(outcome.nodes.map(({ id, status }) => [id, status])).toEqual([
      ["n1", "done"],
      ["n2", "done"],
    ]);
    expect(outcome.effects.map(({ status }) => status)).toEqual(["done", "done", "done"]);
  });

  test("OPS-16 a cancel lets the effect on its way end, and starts no other", async () => {
    const abort = new AbortController();
    before = ({ path }) => {
      if (path === "/boats/b2") abort.abort();
      return null;
    };
    const outcome = await run({ ...setting, signal: abort.signal }, [
      ...three(),
      effectNode("n3", 1, ping("b4")),
    ]);
    expect([outcome.status, outcome.stopped]).toEqual(["failed", "cancelled"]);
    expect(outcome.nodes.map(({ id, status, reason }) => [id, status, reason])).toEqual([
      ["n1", "done", null],
      ["n2", "skipped", "cancelled"],
      ["n3", "skipped", "cancelled"],
    ]);
    expect(harbour.performed).toEqual(["update b1", "update b2"]);
    expect(brief(outcome.effects)).toEqual([
      ["n2", 0, "Boat:b1", "done"],
      ["n2", 1, "Boat:b2", "done"],
      ["n2", 2, "Boat:b3", "skipped"],
      ["n3", null, "Boat:b4", "skipped"],
    ]);
  });
});
