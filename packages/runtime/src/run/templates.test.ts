import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { makeBoats, startQuay, type TestServer } from "@plasm/testkit/servers";
import { fixture, goOn, quickClock, type Setting } from "../testing/fixture-run.ts";
import { runText } from "../testing/run-text.ts";

const all = makeBoats(45);
let quay: TestServer;
let setting: Setting;

beforeAll(async () => {
  quay = await startQuay(all);
  setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
});
afterEach(() => void quay.log.splice(0));
afterAll(() => quay.close());

/** What a template over `before` gives: its text or error, and the requests it cost. */
async function rendered(before: string, template: string) {
  const { results, nodes, status } = await runText(setting, `${before} <<T\n${template}\nT`);
  const [result] = results;
  return {
    status,
    rows: result?.rows.map(({ ref, values }) => ({ ref, content: values["content"] })),
    columns: result?.columns,
    partial: result?.partial ?? null,
    error: nodes.find(({ error }) => error !== null)?.error ?? null,
    paths: quay.log.map(({ path, query }) => `${path}${query.get("page") ?? ""}`).toSorted(),
  };
}

const contentOf = async (before: string, template: string): Promise<unknown> =>
  (await rendered(before, template)).rows?.[0]?.content;

describe("LANG-080, LANG-082: text from rows is one row with content", () => {
  test("C-018 of one row", async () => {
    expect(await rendered('Boat("b1")[id,name]', "{{ rows[0].name }}")).toEqual({
      status: "succeeded",
      rows: [{ ref: null, content: "Boat 1" }],
      columns: [["content", "str"]],
      partial: null,
      error: null,
      paths: ["/boats/b1"],
    });
  });

  test("C-107 no rows: it still renders once", async () => {
    const template = "{% for r in rows %}{{ r.id }}{% else %}none{% endfor %}";
    expect((await rendered("Boat{owner=none}", template)).rows).toEqual([
      { ref: null, content: "none" },
    ]);
  });

  test("LANG-067 all pages are read", async () => {
    const { rows, paths } = await rendered(
      "Boat",
      "{{ rows | length }}{% for r in rows %},{{ r.id }}{% endfor %}",
    );
    expect(rows?.[0]?.content).toBe(`45${all.map(({ id }) => `,${id}`).join("")}`);
    expect(paths).toEqual(["/boats1", "/boats2", "/boats3"]);
  });

  test.each<[string, string, string]>([
    ["null prints as nothing", "<{{ rows[3].owner }}>", "<>"],
    [
      "LANG-081 default stands in for null",
      '<{{ rows[3].owner | default("nobody") }},{{ rows[3].owner.name | default("-") }},{{ rows[0].owner | default("nobody") }}>',
      "<nobody,-,ann>",
    ],
    ["a reference prints its key", "{{ rows[0].owner }}", "ann"],
    ["json members", "{{ rows[0].meta.berth }}", "b1"],
    ["lists", "{% for f in rows[0].flags %}[{{ f }}]{% endfor %}", "[b1]"],
    ["fields of another entity", "{{ rows[1].owner.name }}{{ rows[3].owner.name }}", "Name of bob"],
    [
      "set and loop",
      "{% set a = rows[1] %}{% for r in rows %}{{ loop.index }}{{ r.id == a.id }} {% endfor %}",
      "1false 2true 3false 4false ",
    ],
    ["a local with the name of a node", "{% for n1 in rows %}{{ n1.id }}{% endfor %}", "b1b2b3b4"],
    [
      "whole rows",
      "{{ rows[0] | json_encode | length > 20 }}{% set b = rows[0] if 1 == 1 else rows[1] %}{{ b.name }}",
      "trueBoat 1",
    ],
  ])("%s: %s", async (_name, template, expected) => {
    expect(await contentOf("Boat.limit(4)", template)).toBe(expected);
  });

  test.each<[string, string, string]>([
    ["x = [1, 2]\nx", "{% for r in rows %}{{ r.value }};{% endfor %}", "1;2;"],
    ["x = {a: 1, b: {c: 2}}\nx", "{{ rows[0].a }}{{ rows[0].b.c }}", "12"],
    [
      "d = Boat.limit(2) => {n: _.name, o: {x: _.id}}\nd",
      "{{ rows[1].n }} {{ rows[1].o.x }}",
      "Boat 2 b2",
    ],
    ["Boat.limit(2)[id, owner.name]", "{{ rows[0].owner.name }}", "Name of ann"],
    [
      "Boat.group_by(state, n=count)",
      "{% for r in rows %}{{ r.state }}{{ r.n }} {% endfor %}",
      "moored12 sailing11 lost11 11 ",
    ],
    [
      'Boat("b2").visits',
      "{{ rows | length }} {{ rows[0].boat }} {{ rows[0].day }}",
      "2 b2 2026-01-01",
    ],
    ["Boat{id in [b1, b2]}", "{{ rows[0].papers.office.city }}", "Bergen"],
    ["h = Boat(b1) <<A\nx{{ rows[0].id }}\nA\nh", "<{{ rows[0].content }}>", "<xb1>"],
  ])("rows of every kind: %s", async (before, template, expected) => {
    expect(await contentOf(before, template)).toBe(expected);
  });

  test("RUN-057 only what a template reads is hydrated", async () => {
    const { paths } = await rendered("Boat.limit(2)", "{{ rows[0].name }}");
    expect(paths).toEqual(["/boats1"]);
    const notes = await rendered("Boat.limit(2)", "{% for r in rows %}{{ r.note }};{% endfor %}");
    expect(notes.rows).toEqual([{ ref: null, content: "note of b1;note of b2;" }]);
    expect(notes.paths).toEqual(["/boats/b1", "/boats/b2", "/boats1", "/boats1"]);
  });
});

describe("LANG-080: earlier labels", () => {
  test("a label holds its row, or a list; of at most one row none, if there is none", async () => {
    const before = [
      'p = Person("ann")',
      "some = Boat{owner=ann}.limit(2)",
      "first = Boat.limit(1)",
      "none = Boat{owner=zoe}.limit(1)",
      "text = <<X\nhi\nX",
      "Boat.limit(1)[id]",
    ].join("\n");
    const template = [
      "{{ p.name }} {{ some | length }} {% for b in some %}{{ b.id }} {% endfor %}",
      "{{ first.name }} {{ none is none }} {{ text.content }} {{ rows[0].id }}",
    ].join("");
    expect(await contentOf(before, template)).toBe("Name of ann 2 b1 b5 Boat 1 true hi b1");
  });

  test("a label whose read fails keeps the template from running", async () => {
    const { nodes, results } = await runText(
      setting,
      'p = Boat("b99")\nBoat.limit(1) <<T\n{{ p.name }}\nT',
    );
    expect(results).toEqual([]);
    expect(nodes.at(-1)).toMatchObject({ status: "skipped" });
  });
});

describe("LANG-081, LANG-082: template_failed", () => {
  test.each<[string, string, readonly string[]]>([
    [
      "a missing json key",
      "a\n{{ rows[0].meta.dock }}",
      ["dock", "line 2 of the template: dock", "is defined"],
    ],
    ["no such row", "{{ rows[99].id }}", ["45 items", "line 1 of the template: 99"]],
    [
      "a name that was not set",
      "{% if 1 == 2 %}{% set x = 1 %}{% endif %}{{ x }}",
      ["x", "line 1"],
    ],
    [
      "in a loop",
      "{% for r in rows %}{{ r.length / (r.length - 7) }}{% endfor %}",
      ["row 1", "zero"],
    ],
    [
      "steps",
      "{% for r in rows %}{% for s in rows %}{% for t in rows %}{% for u in rows %}{% for v in rows %}.{% endfor %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}",
      ["1000000 steps", "fewer rows", "another loop"],
    ],
    [
      "output",
      `{% for r in rows %}{{ ${'"' + "x".repeat(30_000) + '"'} }}{% endfor %}`,
      ["1048576", "fewer rows", "fewer columns"],
    ],
  ])("%s", async (_name, template, says) => {
    const { status, error, rows } = await rendered("Boat", template);
    expect([status, rows]).toEqual(["failed", undefined]);
    expect(error?.code).toBe("template_failed");
    for (const word of says) expect(`${error?.message}\n${error?.correction}`).toContain(word);
  });

  test("of a limit it says how to do less, not what a missing value is (ERR-006)", async () => {
    const template = '{% for r in rows %}{{ "x" * 300000 }}{% endfor %}';
    const { error } = await rendered("Boat", template);
    expect(error?.message).toContain("1048576 characters");
    expect(error?.correction).not.toContain("default");
  });

  test("more than 10,000 rows", async () => {
    const many = await startQuay(makeBoats(10_001));
    const limits = { pages: 1_000, rows: 20_000, requests: 1_000 };
    const own = { ...setting, backends: { quay: many.url }, limits };
    const { nodes } = await runText(own, "Boat <<T\n{{ rows | length }}\nT");
    await many.close();
    const error = nodes.find((node) => node.error !== null)?.error;
    expect(error).toMatchObject({ code: "template_failed" });
    expect(error?.correction).toContain(".limit(10000)");
  });
});

describe("PLAN-051, PLAN-080: a template over a cut read", () => {
  test("is partial, and its whole cursor answers the whole new text", async () => {
    const own = { ...setting, limits: { pages: 1 } };
    const text = 'p = Person("ann")\nBoat <<T\n{{ rows | length }} {{ p.name }}\nT';
    const { results, status } = await runText(own, text);
    let [result] = results;
    expect(status).toBe("succeeded");
    const seen: unknown[] = [];
    while (result !== undefined) {
      seen.push([result.rows.map(({ values }) => values["content"]), result.partial]);
      if (result.cursor === null) break;
      expect(result.cursor.kind).toBe("whole");
      const outcome = await goOn(own, result.cursor);
      if (outcome.status === "failed") throw new Error(outcome.error.message);
      result = outcome.result;
    }
    expect(seen).toEqual([
      [["20 Name of ann"], "pages"],
      [["40 Name of ann"], "pages"],
      [["45 Name of ann"], null],
    ]);
    expect(quay.log.filter(({ path }) => path === "/people/ann")).toHaveLength(1);
  });

  test("a label that was cut marks the text, too", async () => {
    const own = { ...setting, limits: { pages: 1 } };
    const { results } = await runText(own, 'a = Boat\nPerson("ann") <<T\n{{ a | length }}\nT');
    expect(results[0]).toMatchObject({ partial: "pages", cursor: { kind: "whole" } });
  });
});

/** Many labelled templates that each take thousands of steps and need no request. */
const HEAVY = Array.from({ length: 60 }, (_, at) => `t${at}`);
const heavyText = [
  `x = [${"1, ".repeat(99)}1]`,
  ...HEAVY.map(
    (name) =>
      `${name} = x <<A\n{% for a in rows %}{% for b in rows %}{% if a.value > b.value %}.{% endif %}{% endfor %}{% endfor %}${name}\nA`,
  ),
  HEAVY.join(", "),
].join("\n");

/** Runs the heavy program beside another task that asks for turn after turn; counts those it was given. */
async function heavyRun(own: Partial<Setting>, onTurn: (turns: number) => void) {
  let turns = 0;
  let over = false;
  const beside = (): void => {
    if (over) return;
    turns += 1;
    onTurn(turns);
    setImmediate(beside);
  };
  setImmediate(beside);
  const outcome = await runText({ ...setting, ...own }, heavyText);
  over = true;
  const templates = outcome.nodes.slice(1);
  const made = templates.filter(({ rows }) => rows === 1).length;
  return { ...outcome, templates, made, turns };
}

describe("PLAN-051, PLAN-065: many long templates", () => {
  test("others have a turn between any two of them", async () => {
    const { made, turns, status } = await heavyRun({}, () => undefined);
    expect([status, made]).toEqual(["succeeded", HEAVY.length]);
    expect(turns).toBeGreaterThanOrEqual(HEAVY.length - 1);
  });

  test("none starts once the wall time is over: partial, and a cursor makes its text", async () => {
    const clock = quickClock();
    // Twenty turns of the other task are the second that the run has.
    const own = { clock, limits: { wall: 1 } };
    const outcome = await heavyRun(own, () => void clock.sleep(50));
    const { made, results, templates } = outcome;
    expect([outcome.status, outcome.stopped]).toEqual(["succeeded", "wall"]);
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThanOrEqual(20);
    expect(templates.filter(({ partial }) => partial === "wall")).toHaveLength(60 - made);
    const last = results.at(-1);
    expect(last).toMatchObject({ partial: "wall", rows: [], cursor: { kind: "whole" } });
    if (last === undefined || last.cursor === null) throw new Error("no cursor");
    const next = await goOn(setting, last.cursor);
    expect(next).toMatchObject({
      status: "succeeded",
      result: { partial: null, rows: [{ values: { content: "t59" } }] },
    });
  });

  test("none starts once the run is cancelled", async () => {
    const abort = new AbortController();
    const { made, status, stopped } = await heavyRun({ signal: abort.signal }, (turns) => {
      if (turns === 20) abort.abort();
    });
    expect([status, stopped]).toEqual(["failed", "cancelled"]);
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThanOrEqual(20);
  });

  test.each([
    [1_000, [["20"]]],
    [2_000, [[]]],
  ])("%i ms after the wall, a template over what it cut gives %j", async (late, expected) => {
    const clock = quickClock();
    const slow = await startQuay(all, () => (void clock.sleep(45_000 + late), null));
    const own = { ...setting, backends: { quay: slow.url }, clock };
    const { results } = await runText(own, "Boat <<T\n{{ rows | length }}\nT");
    await slow.close();
    expect(results.map(({ rows }) => rows.map(({ values }) => values["content"]))).toEqual(
      expected,
    );
    expect(results[0]?.partial).toBe("wall");
  });
});
