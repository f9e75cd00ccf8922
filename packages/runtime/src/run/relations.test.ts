import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { makeBoats, startQuay, type TestServer } from "@plasm/testkit/servers";
import { fixture, run, type Setting } from "../testing/fixture-run.ts";
import { boat, boats, compute, relation } from "../testing/nodes.ts";

let quay: TestServer;
let setting: Setting;

beforeAll(async () => {
  quay = await startQuay(makeBoats(45));
  setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
});
afterEach(() => void quay.log.splice(0));
afterAll(() => quay.close());

const asked = (): readonly string[] => quay.log.splice(0).map(({ url }) => url);
const key = (id: string) => ({ id: { lit: id } });

describe("RUN-050: each kind of relation", () => {
  test("C-015 embedded rows cost the parent's get alone", async () => {
    const logs = relation("logs", "from_parent_get", "Log", { id: "n1", anchor: key("b1") });
    const { results } = await run(setting, [logs]);
    expect(asked()).toEqual(["/boats/b1"]);
    expect(results[0]?.rows).toEqual([
      { ref: "Log:11", values: { id: 11, text: "line 1" } },
      { ref: "Log:12", values: { id: 12, text: "line 2" } },
    ]);
  });

  test("RUN-037 rows in hand after a get cost nothing more", async () => {
    const logs = relation("logs", "from_parent_get", "Log", { source: "n1" });
    const { results } = await run(setting, [boat("b2"), logs]);
    expect(asked()).toEqual(["/boats/b2"]);
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual(["Log:21", "Log:22"]);
  });

  test("C-017 a scoped list is read by its anchor, without the parent, all its pages", async () => {
    const visits = relation("visits", "query_scoped", "Visit", {
      id: "n1",
      capability: "visit_query",
      anchor: key("b1"),
    });
    const { results } = await run(setting, [visits]);
    expect(asked()).toEqual([
      "/boats/b1/visits?limit=20&offset=0",
      "/boats/b1/visits?limit=20&offset=20",
    ]);
    expect(results[0]?.rows).toHaveLength(23);
    expect(results[0]?.rows[0]).toEqual({
      ref: "Visit:boat=b1,day=2026-01-01",
      values: { boat: "b1", day: "2026-01-01", fee: 0 },
    });
  });

  test("RUN-053 conditions keep the anchor", async () => {
    const filter = { op: ">", path: ["fee"], value: { lit: 20 } } as const;
    const visits = relation("visits", "query_scoped", "Visit", {
      id: "n1",
      capability: "visit_query",
      anchor: key("b1"),
      filter,
    });
    const { results } = await run(setting, [visits]);
    expect(results[0]?.rows.map(({ values }) => values["fee"])).toEqual([21, 22]);
  });

  test("C-093 references: distinct targets, source order, one get each, null gives none", async () => {
    const owner = relation("owner", "ref", "Person", { source: "n1", capability: "person_get" });
    const { results } = await run(setting, [boats({ limit: 5 }), owner]);
    expect(asked().toSorted()).toEqual([
      "/boats?page=1&per_page=20",
      "/people/ann",
      "/people/bob",
      "/people/cora",
    ]);
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual([
      "Person:ann",
      "Person:bob",
      "Person:cora",
    ]);
  });

  test("C-025 a one-relation from the row, then a reference of its target", async () => {
    const { results } = await run(setting, [
      boat("b1"),
      relation("papers", "ref", "Paper", { source: "n1", capability: "paper_get" }),
      relation("office", "ref", "Office", {
        id: "n3",
        source: "n2",
        owner: "Paper",
        capability: "office_get",
      }),
    ]);
    expect(asked()).toEqual(["/boats/b1", "/papers/p-b1", "/offices/o1"]);
    expect(results[0]?.rows).toEqual([{ ref: "Office:o1", values: { id: "o1", city: "Bergen" } }]);
  });

  test("RUN-057 an unknown reference is read from the row's get first", async () => {
    const { results } = await run(setting, [
      boats({ limit: 1 }),
      relation("papers", "ref", "Paper", { source: "n1", capability: "paper_get" }),
    ]);
    expect(asked()).toEqual(["/boats?page=1&per_page=20", "/boats/b1", "/papers/p-b1"]);
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual(["Paper:p-b1"]);
  });

  test("C-024 a projection keeps the identity that a step needs", async () => {
    const { results } = await run(setting, [
      boat("b2"),
      compute("n2", "n1", { project: [["name"]] }),
      relation("visits", "query_scoped", "Visit", {
        id: "n3",
        capability: "visit_query",
        source: "n2",
      }),
    ]);
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual([
      "Visit:boat=b2,day=2026-01-01",
      "Visit:boat=b2,day=2026-01-02",
    ]);
  });
});

describe("RUN-054: failing source rows", () => {
  const visitsOf = relation("visits", "query_scoped", "Visit", {
    source: "n1",
    capability: "visit_query",
  });

  test("one that fails is a diagnostic, the others are there, in order", async () => {
    const faulty = await startQuay(makeBoats(5), ({ path }) =>
      path === "/boats/b2/visits" ? { status: 500, json: { message: "broken" } } : null,
    );
    const own = { ...setting, backends: { quay: faulty.url } };
    const { results, status } = await run(own, [boats(), visitsOf]);
    expect(status).toBe("succeeded");
    expect(results[0]?.partial).toBe("source_failed");
    expect(results[0]?.diagnostics).toMatchObject([
      { code: "source_failed", node: "n2", row: 1, count: 1 },
    ]);
    const boatsSeen = new Set(results[0]?.rows.map(({ values }) => values["boat"]));
    expect([...boatsSeen]).toEqual(["b1", "b4", "b5"]);
    await faulty.close();
  });

  test("if all fail, the node fails and dependants are skipped", async () => {
    const faulty = await startQuay(makeBoats(3), ({ path }) =>
      path.endsWith("/visits") ? { status: 500, json: { message: "broken" } } : null,
    );
    const own = { ...setting, backends: { quay: faulty.url } };
    const { nodes, status, results } = await run(own, [
      boats(),
      visitsOf,
      compute("n3", "n2", { limit: 2 }),
    ]);
    expect(status).toBe("failed");
    expect(nodes.map(({ status: s }) => s)).toEqual(["done", "failed", "skipped"]);
    expect(nodes[1]?.error).toMatchObject({ code: "upstream_error", node: "n2" });
    expect(nodes[2]?.reason).toBe("input n2 failed");
    expect(results).toEqual([]);
    await faulty.close();
  });
});

describe("RUN-058: hydration never fails the list", () => {
  test("a failed get leaves null, a diagnostic and partial", async () => {
    const faulty = await startQuay(makeBoats(3), ({ path }) =>
      path === "/boats/b2" ? { status: 500, json: { message: "broken" } } : null,
    );
    const own = { ...setting, backends: { quay: faulty.url } };
    const { results, status } = await run(own, [
      boats({ limit: 3 }),
      compute("n2", "n1", { project: [["id"], ["note"]] }),
    ]);
    expect(status).toBe("succeeded");
    expect(results[0]?.rows.map(({ values }) => values["note"])).toEqual([
      "note of b1",
      null,
      "note of b3",
    ]);
    expect(results[0]?.partial).toBe("hydration_failed");
    await faulty.close();
  });
});

describe("RUN-022, PLAN-060: concurrency", () => {
  test("at most six requests per host, order of rows as the source's", async () => {
    const slow = await startQuay(makeBoats(20), ({ path }) => {
      if (!/^\/boats\/b\d+$/.test(path)) return null;
      const n = Number(path.slice("/boats/b".length));
      return { json: { id: `b${n}`, note: `note of b${n}` }, delay: 40 - n };
    });
    const own = { ...setting, backends: { quay: slow.url } };
    const { results } = await run(own, [
      boats(),
      compute("n2", "n1", { project: [["id"], ["note"]] }),
    ]);
    expect(slow.mostOpen()).toBe(6);
    expect(results[0]?.rows.map(({ values }) => values["note"])).toEqual(
      makeBoats(20).map(({ id }) => `note of ${id}`),
    );
    await slow.close();
  });

  test("RUN-023 equal reads are sent once, a written get included", async () => {
    const { results, status } = await run(
      setting,
      [boat("b1"), boat("b1", { id: "n2" })],
      [
        { label: "a", node: "n1", page_size: null },
        { label: "b", node: "n2", page_size: null },
      ],
    );
    expect(status).toBe("succeeded");
    expect(asked()).toEqual(["/boats/b1"]);
    expect(results[0]?.rows).toEqual(results[1]?.rows);
  });
});
