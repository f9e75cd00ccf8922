import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeBoats, startQuay, type TestServer } from "@plasm/testkit/servers";
import { fixture, goOn, run, type Setting } from "../testing/fixture-run.ts";
import { boat, boats, compute } from "../testing/nodes.ts";

let quay: TestServer;
let setting: Setting;

beforeAll(async () => {
  quay = await startQuay(makeBoats(8));
  setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
});
afterAll(() => quay.close());

/** `Boat{id in […]}` */
const listed = (...ids: readonly string[]) =>
  boat("", {
    key: { id: { lit: ids } },
    missing: "empty",
    result: { card: "many", entity: "Boat", columns: null },
  });

const rowIds = (rows: readonly { readonly values: object }[] | undefined) =>
  rows?.map(({ values }) => (values as { readonly id: string }).id);

describe("C-121 a key in a list (LANG-027)", () => {
  test("is one get per distinct value, in the order of the list, missing rows left out", async () => {
    quay.log.splice(0);
    const { results, status } = await run(setting, [listed("b2", "none", "b1", "b2")]);
    expect(status).toBe("succeeded");
    expect(rowIds(results[0]?.rows)).toEqual(["b2", "b1"]);
    expect(quay.log.map(({ url }) => url).toSorted()).toEqual([
      "/boats/b1",
      "/boats/b2",
      "/boats/none",
    ]);
  });

  test("reads no further than is needed", async () => {
    quay.log.splice(0);
    const nodes = [listed("b1", "b2", "b3", "b4"), compute("n2", "n1", { limit: 2 })];
    const { results } = await run(setting, nodes);
    expect(rowIds(results[0]?.rows)).toEqual(["b1", "b2"]);
    expect(quay.log).toHaveLength(2);
  });

  test("may hold values of other nodes", async () => {
    const one = { from: "n1", path: ["id"], type: "str", many: false };
    const list = [one, { lit: "b3" }, one];
    const nodes = [boat("b2"), { ...listed(), id: "n2", key: { id: { list } } }];
    const { results } = await run(setting, nodes);
    expect(rowIds(results[0]?.rows)).toEqual(["b2", "b3"]);
  });

  test("takes no more values than fan_out allows, and sends nothing then", async () => {
    quay.log.splice(0);
    const { nodes } = await run({ ...setting, limits: { fan_out: 2 } }, [listed("b1", "b2", "b3")]);
    expect(nodes[0]?.error).toMatchObject({ code: "budget_exceeded" });
    expect(nodes[0]?.error?.message).toContain("3 keys");
    expect(quay.log).toEqual([]);
  });

  test("cut by a budget, goes on with the keys that are left", async () => {
    const ids = ["b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"];
    const { results } = await run({ ...setting, limits: { requests: 6 } }, [listed(...ids)]);
    expect(results[0]?.partial).toBe("requests");
    const cursor = results[0]?.cursor ?? null;
    if (cursor === null) throw new Error("no cursor");
    const more = await goOn(setting, cursor);
    if (more.status === "failed") throw new Error(more.error.message);
    expect([...(rowIds(results[0]?.rows) ?? []), ...(rowIds(more.result.rows) ?? [])]).toEqual(ids);
  });
});

describe("C-124 a column right of in", () => {
  const owners = (filter: string) => [
    boats({
      wanted: ["id", "owner"],
      filter: { op: "=", path: ["owner"], value: { lit: filter } },
    }),
    boat("", {
      id: "n2",
      key: { id: { from: "n1", path: ["id"], type: "str", many: true } },
      missing: "empty",
      result: { card: "many", entity: "Boat", columns: null },
    }),
  ];

  test("is one get per cell", async () => {
    const { results } = await run(setting, owners("ann"));
    expect(rowIds(results[0]?.rows)).toEqual(["b1", "b5"]);
  });

  test("without cells is no row, and no error", async () => {
    const { results, status } = await run(setting, owners("nobody"));
    expect(status).toBe("succeeded");
    expect(results[0]?.rows).toEqual([]);
  });
});
