import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { makeBoats, startQuay, type TestServer } from "@plasm/testkit/servers";
import { fixture, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";

let quay: TestServer;
let setting: Setting;

beforeAll(async () => {
  quay = await startQuay(makeBoats(45));
  setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
});
afterEach(() => void quay.log.splice(0));
afterAll(() => quay.close());

const asked = (): readonly string[] => quay.log.splice(0).map(({ url }) => url);
const VISITS = ["/boats/b1/visits?limit=20&offset=0", "/boats/b1/visits?limit=20&offset=20"];

const live = (text: string) => {
  const { nodes, returns, summary } = planProgram(text, setting.catalogs);
  return run(setting, nodes, returns).then((outcome) => ({
    ...outcome,
    bill: summary.bill,
    plan: nodes,
  }));
};

describe("RUN-100: a view as it is asked", () => {
  test("C-033 a query: the echo is the scope value", async () => {
    const { results, status } = await live("Digest{boat=b1}[boat,echo]");
    expect(status).toBe("succeeded");
    expect(results[0]?.rows).toEqual([{ ref: "Digest:b1", values: { boat: "b1", echo: "b1" } }]);
    expect(asked()).toEqual(VISITS);
  });

  test("C-034 a get answers the same row: its identity is bound to the scope", async () => {
    const { results, plan } = await live('Digest("b1")[boat,echo]');
    expect(results[0]?.rows).toEqual([{ ref: "Digest:b1", values: { boat: "b1", echo: "b1" } }]);
    expect(plan[0]).toMatchObject({ kind: "get", capability: "digest_get" });
    expect(asked()).toEqual(VISITS);
  });

  test("C-035 a computed output is the template filled; C-038 counts see all inner pages", async () => {
    const { results } = await live("Digest{boat=b1}[slug,visit_count]");
    expect(results[0]?.rows[0]?.values).toEqual({ slug: "b1-23", visit_count: 23 });
  });

  test("C-036 a relation of a view has its rows without a request of its own", async () => {
    const { results, plan, bill } = await live('d = Digest("b1")\ns = d.visits[day,fee]\ns');
    expect(plan.map(({ kind }) => kind)).toEqual(["get", "relation", "compute"]);
    expect(plan[1]).toMatchObject({ via: "view", capability: null, source: "n1" });
    expect(bill.nodes["n2"]).toEqual({ requests: { exact: 0 }, rows: { unknown: "rows in hand" } });
    expect(results[0]?.rows).toHaveLength(23);
    expect(results[0]?.rows[0]).toEqual({
      ref: "Visit:boat=b1,day=2026-01-01",
      values: { day: "2026-01-01", fee: 0 },
    });
    expect(asked()).toEqual(VISITS);
  });

  test("the same relation after a query, with a condition and a limit", async () => {
    const { results } = await live("Digest{boat=b1}.visits{fee>=20}.limit(2)[fee]");
    expect(results[0]?.rows.map(({ values }) => values)).toEqual([{ fee: 20 }, { fee: 21 }]);
    expect(asked()).toEqual(VISITS);
  });

  test("C-037 the named get with bindings", async () => {
    const { results } = await live('Boat("b1").twin[id]');
    expect(results[0]?.rows).toEqual([{ ref: "Boat:b2", values: { id: "b2" } }]);
    expect(asked()).toEqual(["/boats/b1/twin"]);
  });

  test("C-039 an inner read is bound to what an earlier one found", async () => {
    const { results } = await live("Stats{boat=b2}[person,n]");
    expect(results[0]?.rows).toEqual([{ ref: "Stats:b2", values: { person: "bob", n: 11 } }]);
    expect(asked()).toEqual(["/boats/b2", "/owners/bob/boats?page=1&per_page=20"]);
  });

  test("two questions to one view read its lists once (RUN-023)", async () => {
    const { results } = await live('a = Digest("b1")\nb = Digest{boat=b1}\na, b');
    expect(results.map(({ rows }) => rows[0]?.values["visit_count"])).toEqual([23, 23]);
    expect(asked()).toEqual(VISITS);
  });

  test("a view per row of another list, and one per value of `in`", async () => {
    const each = await live("b = Boat.limit(3)\nb => Digest(_.id)");
    expect(each.results[0]?.rows.map(({ values }) => values["slug"])).toEqual([
      "b1-23",
      "b2-2",
      "b3-0",
    ]);
    const listed = await live("Digest{boat in [b2, b3]}[slug]");
    expect(listed.results[0]?.rows.map(({ values }) => values["slug"])).toEqual(["b2-2", "b3-0"]);
  });

  test("a condition on an output is tested on the row", async () => {
    const { results } = await live("Digest{boat=b1, visit_count>23}");
    expect(results[0]?.rows).toEqual([]);
  });
});

describe("PLAN-020: what a view costs is the sum of its nodes", () => {
  test.each([
    ["Digest{boat=b1}", { requests: { max: 10 }, rows: { max: 1 }, pages: { max: 10 } }],
    ['Digest("b1")', { requests: { max: 10 }, rows: { exact: 1 }, pages: { max: 10 } }],
    ["Stats{boat=b1}", { requests: { max: 11 }, rows: { max: 1 }, pages: { max: 10 } }],
  ])("%s", (text, bill) => {
    expect(planProgram(text, setting.catalogs).summary.bill.nodes["n1"]).toEqual(bill);
  });

  test("per source row it is as often asked", () => {
    const { summary } = planProgram("b = Boat.limit(3)\nb => Digest(_.id)", setting.catalogs);
    expect(summary.bill.nodes["n2"]?.requests).toEqual({ max: 30 });
  });
});

describe("RUN-100: a failing node fails the view, named", () => {
  test("a boat that is not there", async () => {
    const { nodes, status } = await live("Stats{boat=b99}");
    expect(status).toBe("failed");
    expect(nodes[0]?.error).toMatchObject({
      code: "not_found",
      message: "Node vessel of view stats: Boat:b99 does not exist.",
    });
    expect(asked()).toEqual(["/boats/b99"]);
  });

  test("a value that an inner read needs and the first has not", async () => {
    const { nodes } = await live("Stats{boat=b4}");
    expect(nodes[0]?.error).toMatchObject({ code: "null_value" });
    expect(nodes[0]?.error?.message).toContain("Node fleet of view stats");
    expect(nodes[0]?.error?.message).toContain("owner of node vessel");
    expect(asked()).toEqual(["/boats/b4"]);
  });
});
