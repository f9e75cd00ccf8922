import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Harbour, startHarbour } from "@plasm/testkit/servers";
import { fixture, goOn, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";
import type { RunResult } from "./run-types.ts";

const quay = fixture("quay");

let harbour: Harbour;
let setting: Setting;

beforeEach(async () => {
  harbour = await startHarbour(45);
  setting = { catalogs: [quay], backends: { quay: harbour.server.url } };
});
afterEach(() => harbour.server.close());

function runText(text: string, own: Setting = setting) {
  const { nodes, returns } = planProgram(text, own.catalogs);
  return run(own, nodes, returns);
}

const values = (result: RunResult | undefined) => result?.rows.map((row) => row.values);
const asked = (): readonly string[] =>
  harbour.server.log.splice(0).map(({ method, url }) => (method === "GET" ? url : method));

describe("LANG-046: literals as rows", () => {
  test.each<[string, string, unknown]>([
    ["C-020 text", "n = <<X\nhi\nX\nn", [{ content: "hi" }]],
    ["quoted text", 'n = "hi"\nn', [{ content: "hi" }]],
    ["a number", "n = 12\nn", [{ value: 12 }]],
    ["an exact number", "n = 12345678901234567890\nn", [{ value: "12345678901234567890" }]],
    ["a boolean", "n = true\nn", [{ value: true }]],
    ["null", "n = null\nn", [{ value: null }]],
    ["a date", "n = 2026-01-05\nn", [{ value: "2026-01-05" }]],
    ["an object", "n = {a: 1, b: {c: [x]}}\nn", [{ a: 1, b: { c: ["x"] } }]],
    [
      "C-095 nested lists",
      "x = [[1,2],{a: 1}]\nx",
      [
        { value: [1, 2], a: null },
        { value: null, a: 1 },
      ],
    ],
    [
      "a union of keys",
      "x = [{a: 1}, {b: 2}]\nx",
      [
        { a: 1, b: null },
        { a: null, b: 2 },
      ],
    ],
    ["an empty list", "x = []\nx", []],
    ["a key in an object's prototype", "x = [{__proto__: 1, a: 2}]\nx[a]", [{ a: 2 }]],
  ])("%s: %s", async (_, text, rows) => {
    const { results, status } = await runText(text);
    expect([status, values(results[0]), asked()]).toEqual(["succeeded", rows, []]);
  });

  test("what a literal takes from a label", async () => {
    const { results } = await runText('b = Boat("b1")\nx = [{id: b.id, of: [b.owner]}, b.name]\nx');
    expect(values(results[0])).toEqual([
      { id: "b1", of: ["ann"], value: null },
      { id: null, of: null, value: "Boat 1" },
    ]);
  });

  test("steps on data compare by the columns' types (LANG-065, RUN-113)", async () => {
    const rows = "x = [{n: 10, d: 2026-01-05}, {n: 9, d: 2025-01-05}, {n: 12345678901234567890}]\n";
    const n = async (step: string) =>
      values((await runText(`${rows}x${step}[n]`)).results[0])?.map((row) => row["n"]);
    expect(await n(".sort(n)")).toEqual([9, 10, "12345678901234567890"]);
    expect(await n("{n>9}")).toEqual([10, "12345678901234567890"]);
    expect(await n("{d<2026-01-01}")).toEqual([9]);
    expect(await n(".sort(d, desc).limit(2)")).toEqual([10, 9]);
  });

  test("C-116 a list of literals drives a read per item", async () => {
    const { results, status } = await runText('ids = ["b1", "b99"]\nids => Boat(_.value)');
    expect(status).toBe("succeeded");
    expect(results[0]).toMatchObject({
      rows: [{ ref: "Boat:b1" }],
      partial: "source_failed",
      diagnostics: [{ code: "source_failed", row: 1, count: 1 }],
    });
  });

  test.each([
    [
      "a column of data right of in",
      'c = ["ann", "bob"]\nPerson{login in c.value}[login]',
      ["ann", "bob"],
    ],
    ["a text", 'c = "ann"\nPerson(c.content)[login]', ["ann"]],
    ["a whole row of one column", "c = {who: ann}\nBoat{owner=c}.limit(1)[owner]", ["ann"]],
    [
      "a column of derived rows",
      "a = Boat.limit(1)\nc = a => {o: _.owner}\nBoat{owner in c.o}.limit(1)[owner]",
      ["ann"],
    ],
    [
      "derived rows as source",
      "a = Boat.limit(2)\nc = a => {o: _.owner}\nc => Person(_.o)",
      undefined,
    ],
  ])("LANG-045 holes from %s", async (_, text, expected) => {
    const { results, status } = await runText(text);
    expect(status).toBe("succeeded");
    const [key] = results[0]?.columns[0] ?? [];
    const cells = values(results[0])?.map((row) => row[key ?? ""]);
    expect(cells).toEqual(expected ?? ["ann", "bob"]);
  });

  test("an effect per item", async () => {
    await runText('ids = ["b1", "b2"]\nids => Boat(_.value).ping()');
    expect(harbour.performed).toEqual(["ping b1", "ping b2"]);
  });
});

describe("LANG-071: derived rows", () => {
  test("C-021 three rows each, same order, one read", async () => {
    const { results } = await runText("s = Boat.limit(3)\nc = s => {t: _.name}\ns, c");
    expect(results.map(values)[1]).toEqual([{ t: "Boat 1" }, { t: "Boat 2" }, { t: "Boat 3" }]);
    expect(values(results[0])?.map((row) => row["id"])).toEqual(["b1", "b2", "b3"]);
    expect(asked()).toEqual(["/boats?page=1&per_page=20"]);
  });

  test("C-065 the field, not the relation", async () => {
    const { results } = await runText('p = Person("ann")\np => {n: _.boats}');
    expect(values(results[0])).toEqual([{ n: 3 }]);
  });

  test("C-097 a path into json, hydrated", async () => {
    const { results } = await runText(
      "a = Boat.limit(2)\na => {m: _.meta.berth, none: _.meta.x.y, f: _.flags}",
    );
    expect(values(results[0])).toEqual([
      { m: "b1", none: null, f: ["b1"] },
      { m: "b2", none: null, f: ["b2"] },
    ]);
  });

  test("cells, labels of one row, constructors, nested objects and lists", async () => {
    const { results } = await runText(
      'p = Person("ann")\na = Boat.limit(2)\na => {w: p.name, o: Boat(_.name), v: Visit(boat=Boat(_.id), day=2026-01-01), k: {i: [_.id, 1, p.login]}}',
    );
    expect(values(results[0])?.[1]).toEqual({
      w: "Name of ann",
      o: "Boat 2",
      v: { boat: "b2", day: "2026-01-01" },
      k: { i: ["b2", 1, "ann"] },
    });
  });

  test("null cells stay null, but in a key they fail the node, naming row and path (LANG-045)", async () => {
    const { results, nodes } = await runText(
      "a = Boat.limit(4)\nb = Boat.limit(5)\na => {o: _.owner}\nb => {v: Visit(boat=_.id, day=_.built)}",
    );
    expect(values(results[0])).toEqual([{ o: "ann" }, { o: "bob" }, { o: "cora" }, { o: null }]);
    expect(nodes.at(-1)?.error).toMatchObject({ code: "null_value", row: 4 });
    expect(nodes.at(-1)?.error?.message).toContain("built of row 4 (Boat:b5) is null");
  });

  test("a label without row is no_row; without rows nobody asks", async () => {
    const none = "h = Boat{id=b99}\n";
    const failed = await runText(`${none}a = Boat.limit(2)\na => {n: h.name}`);
    expect(failed.nodes.at(-1)?.error?.code).toBe("no_row");
    const empty = await runText(`${none}a = Boat{id=b98}\na => {n: h.name}`);
    expect([empty.status, empty.results[0]?.rows]).toEqual(["succeeded", []]);
  });

  test("steps on derived rows keep the types of their cells", async () => {
    const { results } = await runText(
      "a = Boat.limit(10)\nc = a => {l: _.length, b: _.built}\nc{l>10, b<2015-01-01}.sort(l, desc)",
    );
    expect(values(results[0])).toEqual([
      { l: 21, b: "2013-03-01" },
      { l: 14, b: "2012-03-01" },
    ]);
  });

  test("C-099 from an effect's answer, and values of it in another effect", async () => {
    const { results } = await runText(
      'x = Boat("b1").update(name=y)\nd = x => {n: _.name, l: _.length}\nBoat("b2").send(to=d.l, note=d.n)\nd',
    );
    expect(results.map(values)[1]).toEqual([{ n: "y", l: 0 }]);
    expect(harbour.performed).toEqual(["update b1", "send b2 0"]);
  });

  test("C-117 a label in a body: sends on it, no get of it", async () => {
    await runText('s = Boat("b1")\na = Boat.limit(2)\na => s.send(to=_.name)');
    expect(harbour.performed).toEqual(["send b1 Boat 1", "send b1 Boat 2"]);
    expect(asked()).toEqual(["/boats?page=1&per_page=20", "POST", "POST"]);
  });

  test("a read per row, and what is tested behind it", async () => {
    const ids = async (text: string) =>
      values((await runText(text)).results[0])?.map((row) => row["id"]);
    const text = "a = Boat.limit(3)\na => Boat{owner=_.owner, owner.name~bob, length>15}";
    const bobs = harbour.boats.filter(
      ({ owner, length }) => owner === "bob" && Number(length) > 15,
    );
    expect(await ids(text)).toEqual(bobs.map(({ id }) => id));
    expect(await ids("a = Boat.limit(3)\na => Boat{id=_.id, length>5}")).toEqual(["b2", "b3"]);
  });

  test("derived rows of a source that failed are skipped", async () => {
    const { nodes } = await runText('a = Boat("b99")\na => {n: _.name}');
    expect(nodes[1]).toMatchObject({ status: "skipped", reason: "input n1 failed" });
  });
});

describe("PLAN-080: a derived result goes on where it was cut", () => {
  async function joined(text: string, own: Setting) {
    const { nodes, returns } = planProgram(text, own.catalogs);
    const first = (await run(own, nodes, returns)).results[0];
    const pages = [values(first) ?? []];
    let cursor = first?.cursor ?? null;
    while (cursor !== null && pages.length < 60) {
      const rest = await goOn(own, cursor);
      if (rest.status === "failed") throw new Error(rest.error.message);
      pages.push(values(rest.result) ?? []);
      cursor = rest.result.cursor;
    }
    return { first, pages, rows: pages.flat() };
  }

  const text = 'h = Boat("b1")\na = Boat\na => {i: _.id, n: _.note, o: h.owner}';

  test("LANG-067 it sees the whole collection", async () => {
    const { first, rows } = await joined(text, setting);
    expect([first?.partial, first?.cursor, rows.length]).toEqual([null, null, 45]);
  });

  test.each<[string, Setting["limits"]]>([
    ["pages", { pages: 1 }],
    ["requests", { requests: 7 }],
    ["rows", { rows: 11 }],
  ])("P8 cut by %s: pages joined are the whole", async (budget, limits) => {
    const whole = (await joined(text, setting)).rows;
    const { first, pages, rows } = await joined(text, { ...setting, limits: limits ?? {} });
    expect(first?.partial).toBe(budget);
    expect(pages.length).toBeGreaterThan(1);
    expect(rows).toEqual(whole);
  });

  test("page_size reads no more than it shows", async () => {
    const paged = "a = Boat.page_size(8)\na => {i: _.id}";
    const { first, pages, rows } = await joined(paged, setting);
    expect([first?.rows.length, first?.partial]).toEqual([8, null]);
    expect(pages.every((page) => page.length <= 8)).toBe(true);
    expect(rows.map((row) => row["i"])).toEqual(harbour.boats.map(({ id }) => id));
  });

  test("data goes on, too", async () => {
    const items = Array.from({ length: 7 }, (_none, i) => `{i: ${i}, d: 2026-01-0${i + 1}}`);
    const { pages } = await joined(`x = [${items.join()}]\nx{d>2026-01-02}.page_size(2)`, setting);
    expect(pages.map((page) => page.map((row) => row["i"]))).toEqual([[2, 3], [4, 5], [6]]);
  });
});
