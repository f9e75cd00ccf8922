import type { PlanNode } from "@plasm/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import { effect, effectNode, effectOn, lit } from "../../testing/effect-nodes.ts";
import { fixture, run, type Setting } from "../../testing/fixture-run.ts";
import { compute } from "../../testing/nodes.ts";
import { orchard } from "../../testing/orchard-catalog.ts";
import { onTree, plant } from "../../testing/orchard-effects.ts";

let server: TestServer;
let setting: Setting;
let reply: Reply;

beforeEach(async () => {
  server = await startServer(() => reply);
  const { url } = server;
  setting = { catalogs: [orchard(), fixture("quay")], backends: { orchard: url, quay: url } };
});
afterEach(() => server.close());

async function answered(
  body: Parameters<typeof effectNode>[2],
  given: Reply,
  more: readonly PlanNode[] = [],
) {
  reply = given;
  const outcome = await run(
    setting,
    [effectNode("n1", 0, body), ...more],
    [
      { label: "it", node: "n1", page_size: null },
      ...more.map(({ id }) => ({ label: id, node: id, page_size: null })),
    ],
  );
  const [result] = outcome.results;
  return { ...outcome, rows: result?.rows ?? null, error: outcome.nodes[0]?.error ?? null };
}

const empty: Reply = { status: 204, text: "" };
const create = plant({ name: lit("x") });
const put = onTree("update", "tree_put", { name: lit("x") });

describe("RUN-040: rows, or ok", () => {
  test("a write without rows: ok with the target's reference, whatever the body", async () => {
    const ping = effect("action", "b1", {}, "ping");
    const ok = [{ ref: "Boat:b1", values: { ok: true } }];
    for (const given of [
      empty,
      { json: { queued: true } },
      { text: "OK", headers: { "content-type": "text/plain" } },
    ]) {
      expect((await answered(ping, given)).rows).toEqual(ok);
    }
  });

  test("RUN-198 a write without rows that XML answers: ok; a page is no answer", async () => {
    const ping = effect("action", "b1", {}, "ping");
    const headers = { "content-type": "text/xml" };
    const done = await answered(ping, { text: "<PingResponse><Meta/></PingResponse>", headers });
    expect(done.rows).toEqual([{ ref: "Boat:b1", values: { ok: true } }]);
    const page = await answered(ping, { text: "<html><body>Sign in</body></html>", headers });
    expect(page.error?.code).toBe("effect_in_doubt");
  });

  test("rows where it provides some; absent ones it provides are null", async () => {
    const { rows, effects } = await answered(put, { json: { id: 7 } });
    expect(rows).toEqual([{ ref: "Tree:7", values: { id: 7, name: null } }]);
    expect(effects[0]?.result).toEqual([{ ref: "Tree:7", values: { id: 7, name: null } }]);
  });

  test("an empty answer where rows were expected: ok", async () => {
    const { rows } = await answered(put, empty);
    expect(rows).toEqual([{ ref: "Tree:7", values: { ok: true } }]);
  });

  test("RUN-043 the row of an update is the requested one", async () => {
    const { rows } = await answered(put, { json: { name: "y" } });
    expect(rows).toEqual([{ ref: "Tree:7", values: { id: 7, name: "y" } }]);
  });

  test("free output gives what came, under the names it came with (LANG-060)", async () => {
    reply = { json: { sizes: [{ h: 3 }, { h: 4, w: 1 }] } };
    const measure = effectNode("n1", 0, onTree("action", "tree_measure"));
    const open = { card: "one", entity: null, columns: [] } as const;
    const { results } = await run(
      setting,
      [{ ...measure, result: open }],
      [{ label: "it", node: "n1", page_size: null }],
    );
    expect(results[0]).toMatchObject({
      columns: [
        ["h", "json"],
        ["w", "json"],
      ],
    });
    expect(results[0]?.rows).toEqual([
      { ref: null, values: { h: 3 } },
      { ref: null, values: { h: 4, w: 1 } },
    ]);
  });

  test("RUN-031 the requested one of several; none of them is in doubt", async () => {
    const several = {
      json: [
        { id: 6, name: "a" },
        { id: 7, name: "b" },
      ],
    };
    expect((await answered(put, several)).rows?.[0]?.values["name"]).toBe("b");
    const { error, effects } = await answered(put, { json: [{ id: 5 }, { id: 6 }] });
    expect([error?.code, effects[0]?.status]).toEqual(["effect_in_doubt", "in_doubt"]);
  });

  test("RUN-031 no row is not_found", async () => {
    const { error, effects } = await answered(put, { json: [] });
    expect([error?.code, effects[0]?.status, effects[0]?.httpStatus]).toEqual([
      "not_found",
      "failed",
      200,
    ]);
  });
});

describe("RUN-041: a 2xx that reports a failure", () => {
  test.each([
    { ok: false, error: "no such boat" },
    { success: false, message: "no such boat" },
    { errors: [{ message: "no such boat" }] },
    { error: { message: "no such boat" } },
  ])("%j", async (json) => {
    const { error, effects } = await answered(effect("action", "b1", {}, "ping"), { json });
    expect(error?.code).toBe("upstream_error");
    expect(error?.message).toContain("no such boat");
    expect(effects[0]).toMatchObject({ status: "failed", httpStatus: 200 });
  });
});

describe("RUN-048: a create that answers with its Location", () => {
  test.each([
    ["/trees/12", "Tree:12"],
    ["/trees/12/", "Tree:12"],
    ["/trees/12?x=1#f", "Tree:12"],
    ["trees/12", "Tree:12"],
  ])("%s", async (location, ref) => {
    const { rows, diagnostics } = await answered(create, {
      ...empty,
      status: 201,
      headers: { location },
    });
    expect(rows).toEqual([{ ref, values: { id: 12 } }]);
    expect(diagnostics).toEqual([]);
  });

  test("an absolute one at the same origin; the body's fields stay", async () => {
    const location = `${server.url}/trees/13`;
    const { rows } = await answered(create, {
      status: 201,
      json: { name: "n" },
      headers: { location },
    });
    expect(rows).toEqual([{ ref: "Tree:13", values: { id: 13, name: "n" } }]);
  });

  test("an identity in the body goes before it", async () => {
    const { rows } = await answered(create, {
      status: 201,
      json: { id: 5 },
      headers: { location: "/trees/13" },
    });
    expect(rows?.[0]?.ref).toBe("Tree:5");
  });

  test("several key parts", async () => {
    const bed = effectOn("orchard", "Bed", "create", "bed_create", null, { garden: lit("g") });
    const headers = { location: "/gardens/g%2F1/beds/4" };
    const { rows } = await answered(bed, { ...empty, status: 201, headers });
    expect(rows?.[0]?.ref).toBe("Bed:garden=g/1,no=4");
  });

  test.each([
    ["another path", "/other/12"],
    ["more than the path", "/trees/12/leaves"],
    ["another origin", "http://127.0.0.1:9/trees/12"],
    ["no address", "http://["],
  ])("%s gives no identity, and the answer says so", async (_what, location) => {
    const { rows, diagnostics, status } = await answered(create, {
      ...empty,
      status: 201,
      headers: { location },
    });
    expect([status, rows]).toEqual(["succeeded", [{ ref: null, values: { ok: true } }]]);
    expect(diagnostics).toMatchObject([{ code: "identity_missing", node: "n1" }]);
  });

  test("what follows reads the created row", async () => {
    reply = { status: 201, json: { id: 12, name: "late" }, headers: { location: "/trees/12" } };
    const project = compute("n2", "n1", { project: [["name"], ["kind"]] }, { stage: 1 });
    const { results } = await answered(create, { ...reply, json: null }, [project]);
    expect(server.log.map(({ method, path }) => [method, path])).toEqual([
      ["POST", "/trees"],
      ["GET", "/trees/12"],
    ]);
    expect(results[1]?.rows[0]?.ref).toBe("Tree:12");
  });
});
