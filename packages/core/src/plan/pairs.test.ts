import { describe, expect, test } from "vitest";
import { commitOf, errorsOf, planOf } from "../../test/plan-of.ts";
import { e, quayAndYard, quayExposure } from "../../test/fixture-exposure.ts";
import { slots } from "../../test/slots-catalog.ts";
import { compileProgram } from "./compile.ts";
import { renderPlan } from "./render/render-plan.ts";

const PEOPLE = "people = Person\n";
const ORDERS =
  "orders = [{id: 1, by: a, price: 12.5, at: 2026-01-02, ok: true, tags: [x]}]\npeople = [{key: a, name: Ann, born: 1990-01-02, n: 1}]\n";

describe("LANG-090: the plan of a join", () => {
  test("one node with its sides, keys and what is wanted of it; both sides read to the end", () => {
    const { nodes, edges, summary } = planOf(
      `${PEOPLE}Boat.join(people, owner=login)[name, people.name]`,
    );
    expect(nodes).toMatchObject([
      { id: "n1", kind: "query", wanted: ["name", "owner"] },
      { id: "n2", kind: "query", wanted: ["login", "name"] },
      {
        id: "n3",
        kind: "compute",
        source: "n1",
        op: {
          pair: {
            with: "n2",
            as: "people",
            keys: [{ left: ["owner"], right: ["login"], on: "key" }],
            left: false,
            wanted: ["name", "people.name"],
          },
        },
      },
      { op: { project: [["name"], ["people", "name"]] } },
    ]);
    expect(edges.slice(0, 2)).toEqual([
      { from: "n1", to: "n3" },
      { from: "n2", to: "n3" },
    ]);
    expect(summary.bill.nodes["n1"]?.requests).toMatchObject({ unknown: "pages, at most 100" });
    expect(summary.bill.nodes["n2"]?.requests).toMatchObject({ unknown: "pages, at most 100" });
  });

  test("a column that is joined goes before a label of its name, of a unix format, too", () => {
    const one = 'b = Box("x")\nBox.join(b, id=id)';
    for (const column of ["b.sec", "b.ms", "b.day", "b.text"]) {
      const program = `${one}.group_by(n=${column === "b.text" ? `upper(${column})` : `year(${column})`}, m=count)`;
      expect(planOf(program, slots).nodes.length).toBeGreaterThan(2);
    }
  });

  test("the dry run says the sides, their rows and the most there can be", () => {
    const lines = renderPlan(
      planOf("a = Boat.limit(5)\np = Person.limit(3)\na.left_join(p, name=name, id=login)"),
      "pc0",
    );
    expect(lines).toContain(
      "n3 left_join p name=name, id=login ← n1, n2 · ≤5 of n1 with ≤3 of n2 · ≤5 rows",
    );
    const product = renderPlan(
      planOf("a = Boat.limit(5)\np = Person.limit(3)\na.join(p, name=name)"),
      "pc0",
    );
    expect(product).toContain("≤5 of n1 with ≤3 of n2 · ≤15 rows");
  });

  test("equal programs have equal ids: other labels, another order of lines, names of the sides", () => {
    const one = commitOf(`${PEOPLE}boats = Boat\nboats.join(people, owner=login)[id, people.name]`);
    const alike = [
      `boats = Boat\n${PEOPLE}boats.join(people, owner=login)[id, people.name]`,
      `${PEOPLE}b = Boat\nb.join(people, owner=login)[id, people.name]`,
      `${PEOPLE}Boat.join(people, Boat.owner=people.login)[id, people.name]`,
      `${PEOPLE}Boat.join(people, people.login = Boat.owner)[id, people.name]`,
      `${PEOPLE}Boat.join(people, _.owner=login)[id, people.name]`,
    ];
    for (const text of alike) expect(commitOf(text), text).toBe(one);
    // A label names columns, as a name after => does: another one makes other columns.
    expect(commitOf("p = Person\nBoat.join(p, owner=login)[id, p.name]")).not.toBe(one);
    expect(commitOf("p = Person\nBoat.join(p, owner=login) => {id: _.id, who: _.p.name}")).not.toBe(
      one,
    );
    expect(commitOf(`${PEOPLE}Boat.left_join(people, owner=login)[id, people.name]`)).not.toBe(one);
  });

  test("a read written inline is called by its entity", () => {
    const { nodes } = planOf(
      "Boat.join(Person{name=Ann}, owner=login)[id, Person.name]",
      quayExposure,
    );
    expect(nodes.at(-1)).toMatchObject({ op: { project: [["id"], ["Person", "name"]] } });
  });

  test("symbols name the columns of either side", () => {
    const [boat, person] = [e("quay", "Boat"), e("quay", "Person")];
    const text = `${boat}.join(${person}, owner=login)[id, ${person}.name]`;
    expect(commitOf(text)).toBe(commitOf("Boat.join(Person, owner=login)[id, Person.name]"));
  });

  test("further references of either side are followed", () => {
    const { nodes } = planOf(
      "b = Boat.limit(3)\nBoat.join(b, id=id)[id, owner.name, b.owner.name]",
    );
    expect(nodes.map(({ kind }) => kind)).toEqual([
      "query",
      "query",
      "compute",
      "join",
      "join",
      "compute",
    ]);
  });

  test("sides of several catalogs", () => {
    const [ours, theirs] = [e("quay", "Boat", quayAndYard), e("yard", "Boat", quayAndYard)];
    const { nodes } = planOf(`y = ${theirs}\n${ours}.join(y, name=dock)[id, y.dock]`, quayAndYard);
    expect(nodes.map((node) => ("catalog" in node ? node.catalog.entry_id : ""))).toEqual([
      "quay",
      "yard",
      "",
      "",
    ]);
  });
});

const report = (text: string) => {
  const [error] = errorsOf(text);
  return [error?.code, error?.message, error?.correction, error?.suggestedProgram] as const;
};

describe("LANG-091: what may be equal", () => {
  test.each([
    ["price=n"],
    ["by=name"],
    ["at=born"],
    ["lower(by)=lower(people.name)"],
    ["price * 2 = n"],
    ["text(price)=key"],
  ])("%s", (pair) => {
    expect(planOf(`${ORDERS}orders.join(people, ${pair})`).nodes).toHaveLength(3);
  });

  test.each([
    ["price=key", "bad_operator", "text(price)=key"],
    ["at=key", "bad_operator", "at=date(key)"],
    ["ok=n", "bad_operator", "name columns of one type"],
  ])("%s is refused with both types", (pair, code, fix) => {
    const [error] = errorsOf(`${ORDERS}orders.join(people, ${pair})`);
    expect(error?.code).toBe(code);
    expect(error?.correction).toContain(fix);
    expect(error?.message).toContain("never equal");
  });
});

test("LANG-091: lists are not joined by", () => {
  const [error] = errorsOf(`${ORDERS}Boat.join(people, flags=name)`);
  expect(error).toMatchObject({ code: "bad_column_type" });
  expect(error?.message).toContain("cannot be joined by flags");
});

describe("LANG-092: mistakes", () => {
  test.each<[string, string, string | null]>([
    ["orders.join(people, key=by)", "unknown_column", "orders.join(people, by=key)"],
    ["orders.join(people, on=id)", "unknown_column", null],
    [
      "orders.join(people, on(orders.by = people.key))",
      "syntax",
      "orders.join(people, orders.by=people.key)",
    ],
    [
      "orders.join(people, on=orders.by == people.key)",
      "syntax",
      "orders.join(people, orders.by=people.key)",
    ],
    [
      "orders.join(people, on orders.by = people.key)",
      "syntax",
      "orders.join(people, orders.by=people.key)",
    ],
    ['orders.join(people, by=key, how="left")', "syntax", "orders.left_join(people, by=key)"],
    ['orders.join(people, left_on="by", right_on="key")', "syntax", "orders.join(people, by=key)"],
    ["orders.join(people, by=key and at=born)", "syntax", "orders.join(people, by=key, at=born)"],
    ["orders.join(people, by == key)", "syntax", "orders.join(people, by = key)"],
    ["orders.inner_join(people, by=key)", "syntax", "orders.join(people, by=key)"],
    ["orders.leftJoin(people, by=key)", "syntax", "orders.left_join(people, by=key)"],
    ["orders.outer_join(people, by=key)", "syntax", null],
    [
      "orders join people on orders.by = people.key",
      "unexpected_text",
      "orders.join(people, orders.by=people.key)",
    ],
    [
      "orders LEFT JOIN people ON orders.by = people.key",
      "unexpected_text",
      "orders.left_join(people, orders.by=people.key)",
    ],
    [
      "orders.join(people.filter{name=Ann}, by=key)",
      "syntax",
      "other = people.filter{name=Ann}\norders.join(other, by=key)",
    ],
    ["orders.join(people)", "syntax", null],
    ["orders.join(nobody, by=key)", "unknown_name", null],
    ["orders.join(people, by=kay)", "unknown_column", "orders.join(people, by=key)"],
    ["orders.join(people, pric=n)", "unknown_column", "orders.join(people, price=n)"],
    ["by = people\norders.join(by, id=n)", "duplicate_column", null],
    ["orders.join(people, by=key)[id, people.nam]", "unknown_column", null],
    ["orders.join(people, by=key)[orders.id]", "unknown_column", "orders.join(people, by=key)[id]"],
  ])("%s", (text, code, suggested) => {
    const [found, , correction, program] = report(ORDERS + text);
    expect(found).toBe(code);
    expect(correction).not.toBe("");
    expect(program).toBe(suggested === null ? null : suggestedWith(suggested));
  });

  test("a step called join that takes no rows is a method still", () => {
    const compiled = compileProgram('Boat("b1").join(crew=2)', quayExposure, {});
    expect(compiled).toMatchObject({ kind: "errors", errors: [{ code: "unknown_method" }] });
  });
});

/** A line that is bound first stands right before its statement. */
const suggestedWith = (text: string): string => ORDERS + text;
