import { makeBoats, startQuay } from "@plasm/testkit/servers";
import { describe, expect, test } from "vitest";
import { fixture, goOn, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";

const setting: Setting = { catalogs: [fixture("quay")], backends: {} };

/** Orders of customers: one of a customer that there is not, one of none, and a customer without orders. */
const LET = `
orders = [{id: 1, by: a, price: 12.5, at: 2026-01-02}, {id: 2, by: b, price: 3, at: 2026-01-01}, {id: 3, by: a, price: 1, at: 2026-01-02}, {id: 4, by: null, price: 9, at: 2026-01-03}, {id: 5, by: z, price: 2, at: 2026-01-04}]
people = [{key: b, name: "Bo", city: York}, {key: a, name: "Ann", city: Hull}, {key: c, name: "Cy", city: Hull}, {key: null, name: "No", city: Bath}]
`;

async function resultOf(text: string, own: Setting = setting) {
  const { nodes, returns } = planProgram(LET + text, own.catalogs);
  const outcome = await run(own, nodes, returns);
  return { ...outcome, result: outcome.results[0] };
}

async function rowsOf(text: string) {
  const { result, status } = await resultOf(text);
  expect(status).toBe("succeeded");
  return result?.rows.map((row) => row.values);
}

describe("LANG-090: rows of two sides", () => {
  test("an inner join pairs rows in the order of the left, then of the right", async () => {
    expect(await rowsOf("orders.join(people, by=key)[id, people.name]")).toEqual([
      { id: 1, "people.name": "Ann" },
      { id: 2, "people.name": "Bo" },
      { id: 3, "people.name": "Ann" },
    ]);
    expect(await rowsOf("people.join(orders, key=by)[name, orders.id]")).toEqual([
      { name: "Bo", "orders.id": 2 },
      { name: "Ann", "orders.id": 1 },
      { name: "Ann", "orders.id": 3 },
    ]);
  });

  test("a left join keeps what meets nothing; null meets nothing, null neither", async () => {
    expect(await rowsOf("orders.left_join(people, by=key)[id, people.name]")).toEqual([
      { id: 1, "people.name": "Ann" },
      { id: 2, "people.name": "Bo" },
      { id: 3, "people.name": "Ann" },
      { id: 4, "people.name": null },
      { id: 5, "people.name": null },
    ]);
  });

  test("bare, the columns of both sides are shown", async () => {
    const { result } = await resultOf("orders.join(people, by=key).limit(1)");
    expect(result?.columns.map(([name]) => name)).toEqual([
      "id",
      "by",
      "price",
      "at",
      "people.key",
      "people.name",
      "people.city",
    ]);
    expect(result?.rows[0]?.values).toMatchObject({ id: 1, by: "a", "people.city": "Hull" });
  });

  test.each<[string, unknown]>([
    ['orders.join(people, by=key).filter{people.city="Hull"}[id]', [{ id: 1 }, { id: 3 }]],
    [
      "orders.join(people, by=key).sort(people.name desc, id)[id]",
      [{ id: 2 }, { id: 1 }, { id: 3 }],
    ],
    [
      "orders.join(people, by=key).group_by(people.city, n=count, t=sum(price))",
      [
        { "people.city": "Hull", n: 2, t: 13.5 },
        { "people.city": "York", n: 1, t: 3 },
      ],
    ],
    ["orders.join(people, by=key).distinct(people.city)[id]", [{ id: 1 }, { id: 2 }]],
    ["orders.join(people, by=key).aggregate(n=count(people.name))", [{ n: 3 }]],
    ['orders.join(people, by=key).limit(1) => {x: _.people.name + " " + _.id}', [{ x: "Ann 1" }]],
    [
      "orders.join(people, by=key).sort(id desc).limit(1, per=people.key)[id]",
      [{ id: 3 }, { id: 2 }],
    ],
    [
      "people.left_join(orders, key=by).group_by(name, n=count(orders.id))",
      [
        { name: "Bo", n: 1 },
        { name: "Ann", n: 2 },
        { name: "Cy", n: 0 },
        { name: "No", n: 0 },
      ],
    ],
    [
      "people.left_join(orders, key=by).group_by(name, t=sum(if(orders.price > 2, orders.price, 0)))",
      [
        { name: "Bo", t: 3 },
        { name: "Ann", t: 12.5 },
        { name: "Cy", t: 0 },
        { name: "No", t: 0 },
      ],
    ],
    ["orders.join(people, upper(by)=upper(key))[id]", [{ id: 1 }, { id: 2 }, { id: 3 }]],
    ["orders.join(people, orders.by=people.key)[id]", [{ id: 1 }, { id: 2 }, { id: 3 }]],
    ["orders.join(people, people.key=orders.by)[id]", [{ id: 1 }, { id: 2 }, { id: 3 }]],
    ["orders.join(people, _.by=key)[id]", [{ id: 1 }, { id: 2 }, { id: 3 }]],
    [
      "orders.join(orders, by=by, at=at)[id, orders.id]",
      [
        { id: 1, "orders.id": 1 },
        { id: 1, "orders.id": 3 },
        { id: 2, "orders.id": 2 },
        { id: 3, "orders.id": 1 },
        { id: 3, "orders.id": 3 },
        { id: 5, "orders.id": 5 },
      ],
    ],
    [
      "cities = people.group_by(city, n=count)\norders.join(people, by=key).join(cities, people.city=city)[id, people.name, cities.n]",
      [
        { id: 1, "people.name": "Ann", "cities.n": 2 },
        { id: 2, "people.name": "Bo", "cities.n": 1 },
        { id: 3, "people.name": "Ann", "cities.n": 2 },
      ],
    ],
    ["orders.join(people{city=Hull}, by=key)[id]", [{ id: 1 }, { id: 3 }]],
    [
      "orders.join(people, by=key).limit(2) <<T\n{% for r in rows %}{{ r.id }} {{ r.people.name }};{% endfor %}\nT",
      [{ content: "1 Ann;2 Bo;" }],
    ],
  ])("%s", async (text, expected) => {
    expect(await rowsOf(text)).toEqual(expected);
  });
});

test("LANG-066: first and last are of rows in order, null where that row has null", async () => {
  expect(await rowsOf("orders.sort(id).aggregate(a=first(by), b=last(by), c=last(id))")).toEqual([
    { a: "a", b: "z", c: 5 },
  ]);
  expect(await rowsOf("orders.sort(id desc).group_by(at, x=first(by), n=count)")).toEqual([
    { at: "2026-01-04", x: "z", n: 1 },
    { at: "2026-01-03", x: null, n: 1 },
    { at: "2026-01-02", x: "a", n: 2 },
    { at: "2026-01-01", x: "b", n: 1 },
  ]);
});

describe("LANG-067: joins of a part of the rows", () => {
  test("a side that a budget cut makes the join partial, with a cursor that makes all of it", async () => {
    const quay = await startQuay(makeBoats(45));
    const own: Setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
    const text = "b = Boat\no = [{login: ann}, {login: bob}]\no.join(b, login=owner)[login, b.id]";
    const { nodes, returns } = planProgram(text, own.catalogs);
    const whole = await run(own, nodes, returns);
    const cut = await run({ ...own, limits: { pages: 1 } }, nodes, returns);
    expect([whole.results[0]?.partial, cut.results[0]?.partial]).toEqual([null, "pages"]);
    const cursor = cut.results[0]?.cursor ?? null;
    if (cursor === null) throw new Error("no cursor");
    const rest = await goOn(own, cursor);
    if (rest.status === "failed") throw new Error(rest.error.message);
    expect(rest.result.rows).toEqual(whole.results[0]?.rows);
    await quay.close();
  });

  test("a key that is not of its type meets nothing, and the result says so", async () => {
    const { result } = await resultOf("people.join(orders, number(name)=price)");
    expect([result?.rows.length, result?.partial]).toEqual([0, "cell_unfit"]);
  });

  test("a product that is too large is refused before it is made", async () => {
    const many = Array.from({ length: 4_500 }, () => "1").join(", ");
    const text = `a = [${many}]\nb = [${many}]\na.join(b, value=value).aggregate(n=count)`;
    const { nodes, returns } = planProgram(text, setting.catalogs);
    const { nodes: ended } = await run(setting, nodes, returns);
    expect(ended.find(({ status }) => status === "failed")).toMatchObject({
      error: { code: "budget_exceeded" },
    });
  });
});
