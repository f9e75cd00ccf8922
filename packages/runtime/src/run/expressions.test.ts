import { describe, expect, test } from "vitest";
import { fixture, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";

const setting: Setting = { catalogs: [fixture("quay")], backends: {} };

/** Rows that programs compute with: prices with cents, moments, text, lists, json and nulls. */
const ROWS = [
  '{name: "Oar", price: 12.10, stock: 3, reorder: 5, sold: 2026-01-31T10:30:00Z, tags: [wood, new], info: {"screen size": 6}}',
  '{name: "Rope", price: 0.7, stock: 9, reorder: 5, sold: 2026-02-01T00:00:00Z, tags: [], info: {"screen size": 4}}',
  '{name: "Anchor", price: null, stock: 0, reorder: 0, sold: null, tags: [iron], info: {}}',
];
const LET = `items = [${ROWS.join(", ")}]\n`;

async function rowsOf(text: string) {
  const { nodes, returns } = planProgram(`${LET}${text}`, setting.catalogs);
  const { results, status } = await run(setting, nodes, returns);
  const [result] = results;
  return { status, rows: result?.rows.map((row) => row.values), partial: result?.partial };
}

const columnOf = async (value: string) =>
  (await rowsOf(`items => {x: ${value}}`)).rows?.map(({ x }) => x);

describe("LANG-048: values computed per row", () => {
  test.each<[string, readonly unknown[]]>([
    ["_.price * 1.1", [13.31, 0.77, null]],
    ["_.price*2+1", [25.2, 2.4, null]],
    ["_.price/3", [4.03333333333333, 0.233333333333333, null]],
    ["50 / 60 * _.reorder", [4.16666666666667, 4.16666666666667, 0]],
    ["_.stock / 60 * 60", [3, 9, 0]],
    ["_.stock / 7 * 7 = _.stock", [true, true, true]],
    ["_.stock / 3 / 3 * 9 - _.stock", [0, 0, 0]],
    ["1 / 3 + _.stock / 3 + 1 / 3", [1.66666666666667, 3.66666666666667, 0.666666666666667]],
    ["floor(_.reorder / 3 * 3)", [5, 5, 0]],
    ["if(_.stock > 5, 1 / 3, 2 / 3) * 3", [2, 1, 2]],
    ["coalesce(_.price, 1 / 3) * 3", [36.3, 2.1, 1]],
    ["-(_.stock / 7) * 7", [-3, -9, 0]],
    ["_.stock / 60 % 1 * 60", [3, 9, 0]],
    ["abs(-_.stock / 7) * 7", [3, 9, 0]],
    ["number(_.stock / 7) * 7", [3, 9, 0]],
    ["_.reorder * 0 + 1.000000000000000005 / 3600 * 3600 - 1", Array(3).fill(5e-18)],
    ["(_.stock + 1) * 2", [8, 20, 2]],
    ["_.stock - _.reorder", [-2, 4, 0]],
    ["-_.stock", [-3, -9, 0]],
    ["_.stock % 2", [1, 1, 0]],
    ["2 - 3 - 4", [-5, -5, -5]],
    ['"[" + _.name + "] " + _.stock', ["[Oar] 3", "[Rope] 9", "[Anchor] 0"]],
    ["_.stock < _.reorder", [true, false, false]],
    ["_.stock < _.reorder or _.stock > 8", [true, true, false]],
    ["not (_.stock < _.reorder) and _.price = null", [false, false, true]],
    ["_.name[:3]", ["Oar", "Rop", "Anc"]],
    ["_.name[-2:]", ["ar", "pe", "or"]],
    ["_.tags[0]", ["wood", null, "iron"]],
    ["_.sold[:10]", ["2026-01-31", "2026-02-01", null]],
    ["_.tags + [sale]", [["wood", "new", "sale"], ["sale"], ["iron", "sale"]]],
    ["_.tags - [new]", [["wood"], [], ["iron"]]],
    ['_.info."screen size" * 2', [12, 8, null]],
    ["new in _.tags", [true, false, false]],
    ["_.name in [Oar, Rope]", [true, true, false]],
  ])("%s", async (value, expected) => {
    expect(await columnOf(value)).toEqual(expected);
  });

  test("a computed value is null where a row allows none, and the result says so", async () => {
    const { rows, partial } = await rowsOf("items => {x: _.stock / _.reorder}");
    expect(rows).toEqual([{ x: 0.6 }, { x: 1.8 }, { x: null }]);
    expect(partial).toBe("cell_unfit");
  });
});

describe("LANG-049: functions", () => {
  test.each<[string, readonly unknown[]]>([
    ["round(_.price)", [12, 1, null]],
    ["round(_.price * 3, 1)", [36.3, 2.1, null]],
    ["floor(_.price)", [12, 0, null]],
    ["ceil(_.price)", [13, 1, null]],
    ["abs(_.stock - _.reorder)", [2, 4, 0]],
    ["coalesce(_.price, 0)", [12.1, 0.7, 0]],
    ['if(_.stock = 0, "none", "some")', ["some", "some", "none"]],
    ["if(_.stock >= _.reorder, _.stock, _.reorder)", [5, 9, 0]],
    ["min(_.stock, _.reorder)", [3, 5, 0]],
    ["max(_.stock, 4)", [4, 9, 4]],
    ["length(_.name)", [3, 4, 6]],
    ["length(_.tags)", [2, 0, 1]],
    ["upper(_.name)", ["OAR", "ROPE", "ANCHOR"]],
    ["lower(_.name)[0]", ["o", "r", "a"]],
    ['contains(_.name, "o")', [false, true, true]],
    ["contains(_.tags, wood)", [true, false, false]],
    ['starts_with(_.name, "R")', [false, true, false]],
    ['replace(_.name, "o", "0")', ["Oar", "R0pe", "Anch0r"]],
    ['split(_.name, "r")', [["Oa", ""], ["Rope"], ["Ancho", ""]]],
    ['join(_.tags, ", ")', ["wood, new", "", "iron"]],
    ["first(_.tags)", ["wood", null, "iron"]],
    ["count(_.tags)", [2, 0, 1]],
    ["year(_.sold)", [2026, 2026, null]],
    ["month(_.sold)", [1, 2, null]],
    ["week(_.sold)", [5, 5, null]],
    ["weekday(_.sold)", [6, 7, null]],
    ["date(_.sold)", ["2026-01-31", "2026-02-01", null]],
    ["start_of(_.sold, month)", ["2026-01-01", "2026-02-01", null]],
    ["start_of(_.sold, week)", ["2026-01-26", "2026-01-26", null]],
    ["_.sold + 2d", ["2026-02-02T10:30:00Z", "2026-02-03T00:00:00Z", null]],
    ["date(_.sold) - 1d", ["2026-01-30", "2026-01-31", null]],
    ["2026-02-03 - date(_.sold)", [3, 2, null]],
    ["exists(_.price)", [true, true, false]],
    ["exists(_.tags)", [true, false, true]],
    ["2026-02-03 - date(_.sold) - 1", [2, 1, null]],
    ["number(2026-02-03 - date(_.sold))", [3, 2, null]],
    ["text(_.price)", ["12.1", "0.7", null]],
    ['number("12.50") + 1', [13.5, 13.5, 13.5]],
    ["sum([1, 2, 3])", [6, 6, 6]],
  ])("%s", async (value, expected) => {
    expect(await columnOf(value)).toEqual(expected);
  });
});

describe("LANG-048: steps over computed values", () => {
  const names = async (steps: string) =>
    (await rowsOf(`items${steps}[name]`)).rows?.map(({ name }) => name);

  test.each<[string, readonly string[]]>([
    ["{stock < reorder}", ["Oar"]],
    [".filter{stock < _.reorder}", ["Oar"]],
    ["{stock * 2 > reorder + 1}", ["Rope"]],
    ["{price > stock - 1}", ["Oar"]],
    ["{stock = 3 or (stock > 5 and reorder = 5)}", ["Oar", "Rope"]],
    ["{not (stock = 3)}", ["Rope", "Anchor"]],
    ["{not stock = 3 and not reorder = 0}", ["Rope"]],
    ['{starts_with(name, "A")}', ["Anchor"]],
    ["{length(tags) = 0}", ["Rope"]],
    ["{lower(name) = oar}", ["Oar"]],
    ["{wood in tags}", ["Oar"]],
    ["{month(sold) = 2}", ["Rope"]],
    ["{sold >= 2026-01-01 + 31d}", ["Rope"]],
    ['{info."screen size" > 5}', ["Oar"]],
    ["{name[:1] in [A, O]}", ["Oar", "Anchor"]],
    [".sort(stock - reorder)", ["Oar", "Anchor", "Rope"]],
    [".sort(length(name) desc)", ["Anchor", "Rope", "Oar"]],
    [".sort(stock * -1, desc)", ["Anchor", "Oar", "Rope"]],
    [".distinct(stock > 0)", ["Oar", "Anchor"]],
    [".sort(stock desc).limit(1, per=reorder)", ["Rope", "Anchor"]],
    [".filter{not exists(tags)}", ["Rope"]],
    [".limit(1, per=stock > 0)", ["Oar", "Anchor"]],
    [".limit(2, per=stock > 0)", ["Oar", "Rope", "Anchor"]],
  ])("rows%s", async (steps, expected) => {
    expect(await names(steps)).toEqual(expected);
  });

  test.each<[string, readonly unknown[]]>([
    ["items.aggregate(t=sum(price * stock))", [{ t: 42.6 }]],
    ["items.aggregate(n=count(stock > 0), m=count(price), all=count)", [{ n: 2, m: 2, all: 3 }]],
    ["items.aggregate(t=sum(if(stock > 5, price, 0)), n=count(exists(price)))", [{ t: 0.7, n: 2 }]],
    [
      "items.group_by(month(sold), n=count)",
      [
        { month_sold: 1, n: 1 },
        { month_sold: 2, n: 1 },
        { month_sold: null, n: 1 },
      ],
    ],
    [
      "items.group_by(low=stock < reorder, n=count)",
      [
        { low: true, n: 1 },
        { low: false, n: 2 },
      ],
    ],
    [
      "whole = items.aggregate(n=count)\nlow = items{stock < reorder}.aggregate(n=count)\nshare = low.n / whole.n\nshare",
      [{ value: 0.333333333333333 }],
    ],
    [
      "whole = items.aggregate(n=count)\nlow = items{stock < reorder}.aggregate(n=count)\nthree = low.n / whole.n * 3\nthree",
      [{ value: 1 }],
    ],
    [
      "items.aggregate(a=sum((stock + 1) / 7), b=avg(1 / 3), c=sum(1 / 7))",
      [{ a: 2.14285714285714, b: 0.333333333333333, c: 0.428571428571429 }],
    ],
    [
      "items.aggregate(h=sum((stock * 20 + 20) / 60), m=avg((reorder + 5) / 3))",
      [{ h: 5, m: 2.77777777777778 }],
    ],
    [
      // More divisors than are kept: all are carried out one by one, whatever the order of the rows.
      `n = [${Array.from({ length: 30 }, (_, at) => `{q: ${at + 3}}`).join(", ")}]\nup = n.aggregate(t=sum(1 / q))\ndown = n.sort(q desc).aggregate(t=sum(1 / q))\nx = {up: up.t, down: down.t}\nx`,
      // The sum of 1/3 to 1/32, each to 15 digits, to 15 digits.
      [{ up: 2.55849519543652, down: 2.55849519543652 }],
    ],
    [
      "items.group_by(low=stock < reorder, h=sum((stock * 20 + 20) / 60))",
      [
        { low: true, h: 1.33333333333333 },
        { low: false, h: 3.66666666666667 },
      ],
    ],
    [
      "t = items.aggregate(m=max(stock))\nitems{stock > t.m / 2} => {n: _.name, part: round(_.stock / t.m, 2)}",
      [{ n: "Rope", part: 1 }],
    ],
  ])("%s", async (text, expected) => {
    expect((await rowsOf(text)).rows).toEqual(expected);
  });
});

test("LANG-071: relative dates are dates in derived rows, and other bare words text", async () => {
  const { rows } = await rowsOf("items.limit(1) => {d: today, m: now, l: [today], w: open}");
  const day = new Date().toISOString().slice(0, 10);
  const [row] = rows ?? [];
  expect(row).toMatchObject({ w: "open" });
  expect([row?.["d"], row?.["l"]]).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    [row?.["d"]],
  ]);
  expect(row?.["m"]).toEqual(expect.stringMatching(`^${day.slice(0, 4)}-.*Z$`));
});

describe("LANG-048: what is chosen, and lengths of time", () => {
  test.each<[string, readonly unknown[]]>([
    ["coalesce(_.sold - 2026-01-01, 0)", [30.4375, 31, 0]],
    ["if(_.stock > 3, _.sold - 2026-01-01, null)", [null, 31, null]],
    ["if(_.stock > 3, _.sold - 2026-01-01, null) > 2d", [false, true, false]],
    ["min(_.sold - 2026-01-01, 30.5)", [30.4375, 30.5, null]],
    ["text(_.sold - 2026-01-01)", ["30.4375", "31", null]],
    [
      "[_.sold - 2026-01-01, 3]",
      [
        [30.4375, 3],
        [31, 3],
        [null, 3],
      ],
    ],
    ["(_.sold - 2026-01-01) in [31, 2]", [false, true, false]],
    ["_.sold + _.stock * 10 / 60 * 1h", ["2026-01-31T11:00:00Z", "2026-02-01T01:30:00Z", null]],
    ["_.sold + 50 / 60 * 1h - 2 / 3 * 1m", ["2026-01-31T11:19:20Z", "2026-02-01T00:49:20Z", null]],
    ["_.sold - 2026-01-01 - 1d / 2", [29.9375, 30.5, null]],
    ["2026-01-31 - 365d * 5", ["2021-02-01", "2021-02-01", "2021-02-01"]],
    ["text(_.info)", ['{"screen size":6}', '{"screen size":4}', "{}"]],
  ])("%s", async (value, expected) => {
    expect(await columnOf(value)).toEqual(expected);
  });

  test.each([
    "if(_.reorder = 0, 0, _.stock / _.reorder)",
    "_.reorder != 0 and _.stock / _.reorder > 0.1",
    "_.reorder = 0 or _.stock / _.reorder > 0.1",
    "coalesce(_.reorder, _.stock / 0)",
  ])("what %s leaves out is not computed", async (value) => {
    expect((await rowsOf(`items => {x: ${value}}`)).partial).toBeNull();
    const beside = await rowsOf(`items => {x: ${value}, y: join([_.name], "")}`);
    expect(beside.partial).toBeNull();
  });

  test.each(["_.info[0]", "_.info[:2]", 'contains(_.info, "s")'])(
    "an object is no text: %s",
    async (value) => {
      const { rows, partial } = await rowsOf(`items => {x: ${value}}`);
      expect(rows?.map(({ x }) => x)).toEqual([null, null, null]);
      expect(partial).toBe("cell_unfit");
    },
  );
});
