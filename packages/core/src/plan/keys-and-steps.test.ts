import { describe, expect, test } from "vitest";
import { commitOf, errorsOf, nodesOf, onlyNode, planOf } from "../../test/plan-of.ts";

const codes = (text: string): readonly string[] => errorsOf(text).map(({ code }) => code);
const fix = (text: string): string => errorsOf(text)[0]?.correction ?? "";

describe("LANG-026: the list capability", () => {
  test("one on which a condition could be neither sent nor tested is left out", () => {
    // owner alone goes by query-owner, which has no near.
    expect(onlyNode("Boat{owner=ann}")).toMatchObject({ capability: "boat_query_owner" });
    expect(onlyNode("Boat{near=x, owner=ann}")).toMatchObject({
      capability: "boat_query",
      args: { near: { lit: "x" } },
      filter: { path: ["owner"], op: "=" },
    });
  });

  test("where none remains, that condition is told", () => {
    expect(codes("Boat{near!=x}")).toEqual(["predicate_unsupported"]);
  });

  test("dry and live have the choice in the plan", () => {
    expect(commitOf("Boat{owner=ann}")).toBe(commitOf("Boat.filter{owner=ann}"));
  });
});

describe("LANG-028: keys", () => {
  test.each([
    ['Boat(id="b1")', 'Boat("b1")'],
    ['Visit(boat=Boat("b1"), day=2026-01-05)', "Visit(day=2026-01-05, boat=b1)"],
  ])("%s is %s", (one, other) => expect(commitOf(one)).toBe(commitOf(other)));

  test("a row of the entity is one", () => {
    expect(nodesOf("Boat.limit(2) => Boat(_)").at(-1)).toMatchObject({
      body: { kind: "get", key: { id: { row: [] } } },
    });
  });

  test.each([
    'Visit("x")',
    "Visit(boat=b1)",
    "Visit(boat=b1, day=2026-01-05, x=1)",
    "Visit(b1, c)",
  ])("%s is bad_key, listing the parts", (text) => {
    expect(codes(text)).toEqual(["bad_key"]);
    expect(fix(text)).toContain('Visit(boat=Boat("text"), day=2026-01-31)');
  });

  test("without a key it names the gets that need none", () => {
    expect(codes("Boat()")).toEqual(["bad_key"]);
    expect(fix("Boat()")).toContain('without key: Boat.get-twin(of=Boat("text"))');
  });
});

describe("LANG-052: no condition is dropped", () => {
  test("several on one slot all hold", () => {
    const { filter } = onlyNode("Boat{owner=ann, owner=bob}") as { filter?: unknown };
    expect(JSON.stringify(filter)).toMatch(/ann.*bob/);
  });

  test("what is not sent is tested", () => {
    expect(onlyNode("Boat{state=lost, length>3, built<2015-01-01}")).toMatchObject({
      args: { state: { lit: "lost" } },
      filter: { and: [{ path: ["built"] }, { path: ["length"] }] },
    });
  });

  test("an unknown name is unknown_slot; on rows of no entity unknown_column", () => {
    expect(codes("Boat{colour=red}")).toEqual(["unknown_slot"]);
    expect(codes("x = Boat.aggregate(n=count)\nx{colour=red}")).toEqual(["unknown_column"]);
  });
});

describe("LANG-062: the n of limit and page_size", () => {
  test.each(["1", "100000"])("%s is one", (n) => {
    expect(planOf(`Boat.limit(${n})`).nodes).toMatchObject([{ limit: Number(n) }]);
    expect(planOf(`Boat.page_size(${n})`).returns).toMatchObject([{ page_size: Number(n) }]);
  });

  test.each(["0", "-1", "2.5", "100001", '"3"', "007", "1e2", "n"])("%s is bad_count", (n) => {
    for (const step of ["limit", "page_size"]) {
      expect(codes(`Boat.${step}(${n})`)).toEqual(["bad_count"]);
      expect(fix(`Boat.${step}(${n})`)).toContain("1 to 100000");
    }
  });
});

describe("LANG-069: relations of rows", () => {
  test("of any rows with identity, whatever came before", () => {
    const nodes = nodesOf("Boat{length>3}.sort(length).limit(2)[name].visits{fee>10}");
    expect(nodes.at(-1)).toMatchObject({
      kind: "relation",
      relation: "visits",
      source: expect.stringMatching(/^n\d$/),
      filter: { path: ["fee"] },
    });
  });

  test("from one row a to-one relation gives at most one", () => {
    expect(planOf('Boat("b1").owner').nodes.at(-1)?.result.card).toBe("opt");
    expect(planOf("Boat.limit(3).owner").nodes.at(-1)?.result.card).toBe("many");
  });

  test.each([
    "Boat.group_by(owner).visits",
    "Boat.aggregate(count).visits",
    "a = Boat => {n: _.id}\na.visits",
  ])("%s: without identity it is relation_lost", (text) =>
    expect(codes(text)).toEqual(["relation_lost"]),
  );
});

describe("LANG-077: arguments", () => {
  test.each([
    ["Boat.create(name=x, owner=ann, colour=red)", "argument_unknown", "name, owner, length, note"],
    ["Boat.create(note=x)", "argument_missing", "name"],
    ["Boat.create(note=x)", "argument_missing", "owner"],
    ['Boat.create("x", owner=ann)', "argument_invalid", "create(name="],
    ['Boat("b1").send()', "argument_missing", 'to="text"'],
  ])("%s is %s: %s", (text, code, says) => {
    expect(codes(text)).toEqual([code]);
    expect(fix(text)).toContain(says);
  });
});
