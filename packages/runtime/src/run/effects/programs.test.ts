import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Harbour, startHarbour, startServer } from "@plasm/testkit/servers";
import { fixture, run, type Setting } from "../../testing/fixture-run.ts";
import { orchard } from "../../testing/orchard-catalog.ts";
import { planProgram } from "../../testing/run-program.ts";

const quay = fixture("quay");

let harbour: Harbour;
let setting: Setting;

beforeEach(async () => {
  harbour = await startHarbour(4);
  setting = { catalogs: [quay], backends: { quay: harbour.server.url } };
});
afterEach(() => harbour.server.close());

function runText(text: string, own: Setting = setting) {
  const { nodes, returns } = planProgram(text, own.catalogs);
  return run(own, nodes, returns);
}

const bodies = (): readonly unknown[] =>
  harbour.server.log.flatMap(({ body }): unknown[] => (body === "" ? [] : [JSON.parse(body)]));
const methods = (): readonly string[] => harbour.server.log.map(({ method }) => method);

describe("conformance rows of the language, live", () => {
  test("C-026 create", async () => {
    const { results, status } = await runText("Boat.create(name=x, owner=ann)");
    expect([status, methods(), bodies()]).toEqual([
      "succeeded",
      ["POST"],
      [{ name: "x", owner: "ann" }],
    ]);
    expect(results[0]?.rows[0]).toMatchObject({ ref: "Boat:b5", values: { name: "x" } });
  });

  test("C-027 update, without a get first", async () => {
    await runText('Boat("b1").update(name="x")');
    expect(methods()).toEqual(["PATCH"]);
  });

  test("C-028 action, C-029 delete: a row ok", async () => {
    const { results } = await runText('Boat("b1").ping()\nBoat("b2").delete()');
    expect(results.map(({ rows, columns }) => [rows, columns])).toEqual([
      [[{ ref: "Boat:b1", values: { ok: true } }], [["ok", "bool"]]],
      [[{ ref: "Boat:b2", values: { ok: true } }], [["ok", "bool"]]],
    ]);
    expect(harbour.performed).toEqual(["ping b1", "delete b2"]);
  });

  test("C-030 an effect per row, though it is no root", async () => {
    await runText("r = Boat{state=lost}\nx = r => Boat(_.id).update(name=_.name)\nr");
    expect(harbour.performed).toEqual(["update b3"]);
  });

  test("C-042 roots in order, one effect with two arguments", async () => {
    const { results } = await runText('Boat\nPerson("ann"), Boat("b1").send(to=a, note=b)');
    expect(results).toHaveLength(3);
    expect(bodies()).toEqual([{ to: "a", note: "b" }]);
  });

  test("C-050 null on the wire", async () => {
    await runText('Boat("b1").update(note=null)');
    expect(bodies()).toEqual([{ note: null }]);
  });

  test("C-096 one ping for the row of a label", async () => {
    await runText("a = Boat.limit(1)\na.ping()");
    expect(harbour.performed).toEqual(["ping b1"]);
  });

  test("a label and _ are the rows they stand for, whatever columns they are left with", async () => {
    await runText("a = Boat.limit(1)[name]\na.ping()\nb = Boat.limit(2)[name]\nb => _.ping()");
    expect(harbour.performed).toEqual(["ping b1", "ping b1", "ping b2"]);
  });

  test("C-102 old row, then new", async () => {
    const { results } = await runText('Boat("b1")\nBoat("b1").update(name=z)\nBoat("b1")');
    expect(results.map(({ rows }) => rows[0]?.values["name"])).toEqual(["Boat 1", "z", "z"]);
  });

  test("C-104 partial input", async () => {
    const many = await startHarbour(45);
    const own = { ...setting, backends: { quay: many.server.url }, limits: { pages: 1 } };
    const { nodes } = await runText("r = Boat\nr => Boat(_.id).update(name=_.name)", own);
    expect(nodes.map(({ error }) => error?.code)).toContain("partial_source");
    expect(many.performed).toEqual([]);
    await many.server.close();
  });

  test("C-106 a number into text", async () => {
    await runText('h = Boat("b2")\nBoat("b1").send(to=h.length)');
    expect(bodies()).toEqual([{ to: "7" }]);
  });

  test("C-117 a label in the body", async () => {
    await runText('s = Boat("b1")\na = Boat.limit(2)\na => s.send(to=_.name)');
    expect(harbour.performed).toEqual(["send b1 Boat 1", "send b1 Boat 2"]);
    expect(methods()).toEqual(["GET", "POST", "POST"]);
  });

  test("C-120 the label's read comes before the ping, with two rows", async () => {
    const { results } = await runText('a = Boat\nBoat("b1").ping()\na.limit(2)');
    expect(methods()).toEqual(["GET", "POST"]);
    expect(results[1]?.rows).toHaveLength(2);
  });

  test("C-122 a reference as an argument", async () => {
    await runText('Boat.create(name=x, owner=Person("ann"))');
    expect(bodies()).toEqual([{ name: "x", owner: "ann" }]);
  });

  test("a read per row of an effect's rows", async () => {
    const { results } = await runText(
      'x = Boat.create(name="n", owner=ann)\ny = x => Boat(_.id)\ny[id, name]',
    );
    expect(results[0]?.rows).toEqual([{ ref: "Boat:b5", values: { id: "b5", name: "n" } }]);
  });
});

describe("LANG-025, LANG-061: rows keep their identity", () => {
  const planted = (id: number | null, garden: string | null) =>
    startServer(() => ({ json: { id, garden, no: 2, soil: "clay" } }));

  test("a key of two parts, none of them a column", async () => {
    const server = await planted(7, "g");
    const own: Setting = { catalogs: [orchard()], backends: { orchard: server.url } };
    await runText('x = Bed.create(garden="g", soil=clay)[soil]\nx.dig(soil=mud)', own);
    expect(server.log.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /gardens/g/beds",
      "PATCH /gardens/g/beds/2",
    ]);
    await server.close();
  });

  test("RUN-047 without one nothing is called on them", async () => {
    const server = await planted(null, null);
    const own: Setting = { catalogs: [orchard()], backends: { orchard: server.url } };
    const { nodes, effects } = await runText('x = Tree.create(name="x")\nx.fell()', own);
    expect(nodes[1]?.error).toMatchObject({ code: "identity_missing", node: "n2" });
    expect(effects.map(({ label, status }) => `${label} ${status}`)).toEqual([
      "create done",
      "fell skipped",
    ]);
    await server.close();
  });
});

test("C-105 a union in a list, as written and with its discriminator told by its members", async () => {
  const server = await startServer(() => ({ json: { maker: "a", no: 1 } }));
  const own: Setting = { catalogs: [fixture("yard")], backends: { yard: server.url } };
  const edits = "{op: insert, at: 1, text: x}, {at: 0, text: y}, {op: drop, at: 2}";
  const { results } = await runText(`Part(maker=a, no=1).edit(ops=[${edits}])`, own);
  expect(server.log.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
    [
      "POST",
      "/parts/a/1/edits",
      {
        ops: [
          { op: "insert", at: 1, text: "x" },
          { op: "insert", at: 0, text: "y" },
          { op: "drop", at: 2 },
        ],
      },
    ],
  ]);
  expect(results[0]?.rows[0]?.ref).toBe("Part:maker=a,no=1");
  await server.close();
});

test.each([
  ["[{op: drop, at: 2}]", [{ op: "drop", at: 2 }]],
  ["[{at: 1, text: x}]", [{ op: "insert", at: 1, text: "x" }]],
  ["[{at: 2}]", [{ op: "drop", at: 2 }]],
])("RUN-017 variants of %s are told when it is filled in, too", async (list, ops) => {
  const server = await startServer(() => ({ json: { maker: "a", no: 1 } }));
  const own: Setting = { catalogs: [fixture("yard")], backends: { yard: server.url } };
  const program = `d = {list: ${list}}\nPart(maker=a, no=1).edit(ops=d.list)`;
  const { nodes } = await runText(program, own);
  expect(nodes.map(({ error }) => error)).toEqual([null, null]);
  expect(server.log.map(({ body }) => JSON.parse(body))).toEqual([{ ops }]);
  await server.close();
});

test("RUN-017 a variant that is none is refused when it is filled in", async () => {
  const server = await startServer(() => ({ json: { maker: "a", no: 1 } }));
  const own: Setting = { catalogs: [fixture("yard")], backends: { yard: server.url } };
  const program = "d = {list: [{op: turn}]}\nPart(maker=a, no=1).edit(ops=d.list)";
  const { nodes } = await runText(program, own);
  expect(nodes[1]?.error?.code).toBe("argument_invalid");
  expect(nodes[1]?.error?.message).toContain('"insert", "drop"');
  expect(server.log).toEqual([]);
  await server.close();
});

test("unions, members at their paths and list elements, as programs write them", async () => {
  const server = await startServer(() => ({ json: { id: 7 } }));
  const own: Setting = { catalogs: [orchard()], backends: { orchard: server.url } };
  const program = [
    "Tree(7).graft(op=cut, at=3)",
    'Tree.plant(name="x", due=2026-02-01, start=2026-01-01, marks=[a, b])',
    'Tree(7).move(bed=Bed(garden="g", no=2), name="y")',
  ].join("\n");
  const { status } = await runText(program, own);
  expect(status).toBe("succeeded");
  expect(server.log.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
    ["/trees/7/graft", { op: "cut", where: { at: 3 } }],
    [
      "/trees",
      {
        name: "x",
        dates: { due: "2026-02-01", start: "2026-01-01" },
        marks: [{ name: "a" }, { name: "b" }],
      },
    ],
    ["/gardens/g/beds/2/trees/7", { name: "y" }],
  ]);
  await server.close();
});
