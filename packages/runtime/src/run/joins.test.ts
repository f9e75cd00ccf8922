import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  makeBoats,
  type Received,
  type Reply,
  startQuay,
  type TestServer,
} from "@plasm/testkit/servers";
import { fixture, goOn, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";
import type { RunResult } from "./run-types.ts";

const quayCatalog = fixture("quay");

let quay: TestServer;
let setting: Setting;
let before: (request: Received) => Reply | null;

beforeEach(async () => {
  before = () => null;
  quay = await startQuay(makeBoats(45), (request) => before(request));
  setting = { catalogs: [quayCatalog], backends: { quay: quay.url } };
});
afterEach(() => quay.close());

function runText(text: string, own: Setting = setting) {
  const { nodes, returns } = planProgram(text, own.catalogs);
  return run(own, nodes, returns);
}

const values = (result: RunResult | undefined) => result?.rows.map((row) => row.values);
const column = (result: RunResult | undefined, name: string) =>
  result?.rows.map((row) => row.values[name]);
const asked = (): readonly string[] =>
  quay.log
    .splice(0)
    .map(({ url }) => url)
    .toSorted();

const LIST = "/boats?page=1&per_page=20";

describe("LANG-064: columns of referenced rows", () => {
  test("C-087 two rows, two persons", async () => {
    const { results } = await runText("Boat.limit(2)[name, owner.name]");
    expect(results[0]?.columns.map(([name]) => name)).toEqual(["name", "owner.name"]);
    expect(values(results[0])).toEqual([
      { name: "Boat 1", "owner.name": "Name of ann" },
      { name: "Boat 2", "owner.name": "Name of bob" },
    ]);
    expect(asked()).toEqual([LIST, "/people/ann", "/people/bob"]);
  });

  test("distinct references are read once each; a null one is null and costs nothing", async () => {
    const { results } = await runText("Boat.limit(12)[id, owner.name]");
    expect(column(results[0], "owner.name")).toEqual(
      Array.from({ length: 12 }, (_none, i) =>
        i % 4 === 3 ? null : `Name of ${["ann", "bob", "cora"][i % 4]}`,
      ),
    );
    expect(asked()).toEqual([LIST, "/people/ann", "/people/bob", "/people/cora"]);
  });

  test("the key of a reference is in the row: nothing is read for it", async () => {
    const { results } = await runText("Boat.limit(4)[owner.login]");
    expect(column(results[0], "owner.login")).toEqual(["ann", "bob", "cora", null]);
    expect(asked()).toEqual([LIST]);
  });

  test("RUN-036 a reference keeps its key where the row that it names is gone", async () => {
    before = ({ path }) => (path === "/people/ann" ? { status: 404 } : null);
    const { results } = await runText(
      'a = Boat.limit(2)\na[owner.login, owner.name]\na{owner.name!="x"}[owner.login]\na[id, owner, owner.name].sort(owner.name)[owner.login]\nc = a => {o: _.owner}\nc.sort(o.name)[o.login]',
    );
    expect(results.map(values)).toEqual([
      [
        { "owner.login": "ann", "owner.name": null },
        { "owner.login": "bob", "owner.name": "Name of bob" },
      ],
      [{ "owner.login": "ann" }, { "owner.login": "bob" }],
      [{ "owner.login": "bob" }, { "owner.login": "ann" }],
      [{ "o.login": "bob" }, { "o.login": "ann" }],
    ]);
  });

  test("three steps, the reference unknown until the row's get (RUN-057)", async () => {
    const { results } = await runText("Boat.limit(2)[id, papers.office.city]");
    expect(column(results[0], "papers.office.city")).toEqual(["Bergen", "Bergen"]);
    expect(asked()).toEqual([
      "/boats/b1",
      "/boats/b2",
      LIST,
      "/offices/o1",
      "/papers/p-b1",
      "/papers/p-b2",
    ]);
  });

  test("what came with the reference is enough", async () => {
    const embedded = { id: "b1", name: "n", papers: { id: "p1", office: "o7" } };
    before = ({ path }) => (path === "/boats/b1" ? { json: embedded } : null);
    const { results } = await runText('Boat("b1")[papers.office]');
    expect([values(results[0]), asked()]).toEqual([[{ "papers.office": "o7" }], ["/boats/b1"]]);
  });

  test("a one-relation that is read by bindings", async () => {
    before = ({ path }) =>
      path.endsWith("/twin") ? { json: { id: "b9", name: `twin of ${path.split("/")[2]}` } } : null;
    const { results } = await runText("Boat.limit(2)[id, twin.name]");
    expect(column(results[0], "twin.name")).toEqual(["twin of b1", "twin of b2"]);
    expect(asked()).toEqual(["/boats/b1/twin", "/boats/b2/twin", LIST]);
  });

  test("sort by it, project it, then sort by the column: fetched once", async () => {
    const { results } = await runText(
      "Boat.limit(8).sort(owner.name, desc)[id, owner.name].sort(owner.name)",
    );
    expect(column(results[0], "owner.name")?.at(0)).toBe("Name of ann");
    expect(column(results[0], "id")).toEqual(["b1", "b5", "b2", "b6", "b3", "b7", "b4", "b8"]);
    expect(asked().filter((url) => url.startsWith("/people"))).toHaveLength(3);
  });

  test("from a projected reference, from a derived one, and from one in data", async () => {
    const { results } = await runText(
      'd = Boat.limit(4)[owner].sort(owner.name, desc)\na = Boat.limit(4)\nc = a => {o: _.owner, n: 1}\nx = [{p: Person("bob")}, {p: Person("ann")}]\nd, c{o.boats=3}[o.name], x.sort(p.name)',
    );
    expect(column(results[0], "owner")).toEqual(["cora", "bob", "ann", null]);
    expect(column(results[1], "o.name")).toEqual(["Name of ann", "Name of bob", "Name of cora"]);
    expect(column(results[2], "p")).toEqual(["ann", "bob"]);
  });

  test("cells of a label and of _ (LANG-044)", async () => {
    const { results } = await runText(
      'b = Boat("b2")\na = Boat.limit(2)\na => {mine: _.owner.name, its: b.owner.name}',
    );
    expect(values(results[0])).toEqual([
      { mine: "Name of ann", its: "Name of bob" },
      { mine: "Name of bob", its: "Name of bob" },
    ]);
  });

  test("a path into json goes on with keys and list indices (LANG-053)", async () => {
    const meta = { berths: [{ no: 4 }, { no: 5 }] };
    before = ({ path }) => (path === "/boats/b1" ? { json: { id: "b1", meta } } : null);
    const { results } = await runText('Boat("b1")[meta.berths.1.no, meta.berths.7.no, meta.x]');
    expect(values(results[0])).toEqual([
      { "meta.berths.1.no": 5, "meta.berths.7.no": null, "meta.x": null },
    ]);
  });

  test.each([
    ["meta.berths.no=5", ["b1"]],
    ["meta.berths.no in [5, 9]", ["b1", "b2"]],
    ["meta.berths.no>8", ["b2"]],
    ["meta.berths.no!=5", ["b2", "b3"]],
    ["exists(meta.berths.no)", ["b1", "b2"]],
  ])(
    "a key behind a list in json leads into each of its objects: %s (LANG-053)",
    async (condition, ids) => {
      const berths = { b1: [{ no: 4 }, { no: 5 }], b2: [{ no: 9 }, {}], b3: [] };
      const items = Object.entries(berths).map(([id, each]) => ({ id, meta: { berths: each } }));
      before = ({ path }) => (path === "/boats" ? { json: { items, total: 3 } } : null);
      const { results } = await runText(
        `Boat.filter{${condition}}[id]\nBoat.limit(2)[meta.berths.no]`,
      );
      expect(values(results[0])?.map(({ id }) => id)).toEqual(ids);
      expect(values(results[1])).toEqual([{ "meta.berths.no": [4, 5] }, { "meta.berths.no": [9] }]);
    },
  );
});

describe("other steps read the fields of referenced rows", () => {
  test.each<[string, string, unknown]>([
    [
      "group keys",
      "Boat.limit(5).group_by(owner.name, n=count)",
      [
        { "owner.name": "Name of ann", n: 2 },
        { "owner.name": "Name of bob", n: 1 },
        { "owner.name": "Name of cora", n: 1 },
        { "owner.name": null, n: 1 },
      ],
    ],
    [
      "aggregates",
      "Boat.limit(5).aggregate(m=max(owner.boats), n=count(owner.name))",
      [{ m: 3, n: 4 }],
    ],
    [
      "distinct",
      "Boat.limit(9).distinct(owner.name)[id]",
      ["b1", "b2", "b3", "b4"].map((id) => ({ id })),
    ],
    [
      "templates",
      "b = Boat.limit(2) <<T\n{% for r in rows %}{{ r.owner.name }};{% endfor %}\nT\nb",
      [{ content: "Name of ann;Name of bob;" }],
    ],
    [
      "keys of groups of derived rows",
      "a = Boat.limit(4)\nc = a => {l: _.length, o: _.owner}\nc.group_by(o.name, s=sum(l)).sort(s, desc).limit(2)",
      [
        { "o.name": null, s: 21 },
        { "o.name": "Name of cora", s: 14 },
      ],
    ],
    [
      "rows of a relation",
      "Visit{boat=b1}.limit(1)[day, boat.owner.name]",
      [{ day: "2026-01-01", "boat.owner.name": "Name of ann" }],
    ],
  ])("%s: %s", async (_, text, rows) => {
    const { results, status } = await runText(text);
    expect([status, values(results[0])]).toEqual(["succeeded", rows]);
  });
});

describe("RUN-114: conditions on referenced rows", () => {
  const ids = async (text: string) => column((await runText(text)).results[0], "id");

  test("C-077 equals the rows whose owner matches, missing owners counting as null", async () => {
    const mine = makeBoats(45).filter(({ owner }) => owner === "ann");
    expect(await ids('Boat{owner.name="Name of ann"}[id]')).toEqual(mine.map(({ id }) => id));
    expect(await ids("Boat{owner.name=null}.limit(2)[id]")).toEqual(["b4", "b8"]);
    expect(await ids('Boat{not{owner.name~"name"}}.limit(1)[id]')).toEqual(["b4"]);
    expect(await ids("Boat{exists(owner.name), length>20}[id]")).toEqual(["b14", "b27", "b37"]);
  });

  test("a limit reads no further than it must", async () => {
    expect(await ids('Boat{owner.name="Name of cora"}.limit(1)[id]')).toEqual(["b3"]);
    expect(asked().filter((url) => url.startsWith("/boats"))).toEqual([LIST]);
  });

  test("what is returned without a limit goes on by cursor (RUN-076)", async () => {
    const { nodes, returns } = planProgram("Boat{owner.boats=3}", setting.catalogs);
    const own = { ...setting, limits: { pages: 1 } };
    const seen: unknown[] = [];
    let result = (await run(own, nodes, returns)).results[0];
    seen.push(...(column(result, "id") ?? []));
    while (result?.cursor) {
      const rest = await goOn(own, result.cursor);
      if (rest.status === "failed") throw new Error(rest.error.message);
      result = rest.result;
      seen.push(...(column(result, "id") ?? []));
    }
    expect(seen).toEqual(
      makeBoats(45)
        .filter(({ owner }) => owner !== null)
        .map(({ id }) => id),
    );
  });
});

describe("failures and budgets", () => {
  test("RUN-058 a failing reference is null, with a diagnostic, and makes the rows partial", async () => {
    before = ({ path }) => (path === "/people/bob" ? { status: 404, json: {} } : null);
    const { results, status } = await runText("Boat.limit(6)[id, owner.name]");
    expect([status, results[0]?.partial, column(results[0], "owner.name")]).toEqual([
      "succeeded",
      "hydration_failed",
      ["Name of ann", null, "Name of cora", null, "Name of ann", null],
    ]);
    expect(results[0]?.diagnostics).toMatchObject([{ code: "hydration_failed", count: 1 }]);
    expect(results[0]?.diagnostics[0]?.detail).toContain("owner: ");
  });

  test.each<[string, Setting["limits"]]>([
    ["fan_out", { fan_out: 2 }],
    ["requests", { requests: 3 }],
  ])(
    "%s: rows up to the first unread one, then a cursor; pages joined are the whole",
    async (budget, limits) => {
      const text = "Boat.limit(9)[id, owner.name]";
      const whole = values((await runText(text)).results[0]);
      const own = { ...setting, limits: limits ?? {} };
      const first = (await runText(text, own)).results[0];
      expect([first?.partial, column(first, "id")]).toEqual([budget, ["b1", "b2"]]);
      const pages = [...(values(first) ?? [])];
      let cursor = first?.cursor ?? null;
      while (cursor !== null && pages.length < 20) {
        const rest = await goOn(own, cursor);
        if (rest.status === "failed") throw new Error(rest.error.message);
        pages.push(...(values(rest.result) ?? []));
        cursor = rest.result.cursor;
      }
      expect(pages).toEqual(whole);
    },
  );

  test("PLAN-060 rows in order, whichever answer comes first, six at a time", async () => {
    before = ({ path }) => {
      const [, kind, id] = path.split("/");
      if (kind === "boats" && id !== undefined) {
        return { json: { id, papers: { id: `p-${id}` } }, delay: id === "b1" ? 50 : 10 };
      }
      return kind === "papers"
        ? { json: { id, office: id }, delay: id === "p-b1" ? 60 : 10 }
        : null;
    };
    const { results } = await runText("Boat.limit(8)[papers.office]");
    const order = ["b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"].map((id) => `p-${id}`);
    expect(column(results[0], "papers.office")).toEqual(order);
    expect(quay.mostOpen()).toBe(6);
  });

  test("PLAN-065 a cancel leaves the rows that were joined", async () => {
    const controller = new AbortController();
    before = ({ path }) => {
      if (path === "/people/bob") controller.abort();
      return null;
    };
    const own = { ...setting, signal: controller.signal };
    const { status, stopped } = await runText("Boat.limit(8)[id, owner.name]", own);
    expect([status, stopped]).toEqual(["failed", "cancelled"]);
  });

  test("an effect refuses rows whose join failed (LANG-076)", async () => {
    before = ({ path }) => (path === "/people/bob" ? { status: 500, json: {} } : null);
    const { nodes } = await runText("a = Boat.limit(3)\na => Boat(_.id).send(to=_.owner.name)");
    expect(nodes.at(-1)?.error?.code).toBe("partial_source");
    expect(quay.log.some(({ method }) => method === "POST")).toBe(false);
  });
});
