import { describe, expect, test } from "vitest";
import { quayExposure } from "../../../test/fixture-exposure.ts";
import { onlyNode, planOf } from "../../../test/plan-of.ts";
import { saidOf, type SaidRow, statedBy } from "../../../test/said.ts";
import { wharf } from "../../../test/wharf-catalog.ts";

describe("LANG-050, LANG-052: what is wrong with a condition", () => {
  const NUMBER = "kg takes = != < <= > >= in exists(kg) = null";
  test.each<SaidRow>([
    [
      "Crane{kg>null}",
      "bad_operator",
      ">",
      "null is only compared with = and !=.",
      "write kg = null, kg != null or exists(kg)",
    ],
    ["Crane{kg   ~   3}", "bad_operator", "~", "~ does not compare kg, which is a number.", NUMBER],
    ["Crane{kg~3}", "bad_operator", "~", "~ does not compare kg, which is a number.", NUMBER],
    [
      "Crane{label>90}",
      "bad_operator",
      ">",
      'label is text, which > orders by its characters ("100" before "90").',
      'write number(label) > 90 to compare numbers; "90" compares as text',
      "Crane{number(label)>90}",
    ],
    [
      "Crane{idle>true}",
      "bad_operator",
      ">",
      "> does not compare idle, which is true or false.",
      "idle takes = != in exists(idle) = null",
    ],
    [
      "Crane{tags  >  a}",
      "bad_operator",
      ">",
      "> does not compare tags, which is a list, [str].",
      "tags takes = != ~ in exists(tags) = null",
    ],
    [
      "Crane{raw.a>[1]}",
      "argument_invalid",
      "[1]",
      "raw.a takes a number, date or text, not a list.",
      "write a value like 12.5",
    ],
    [
      "Crane{raw.a=007}",
      "bad_literal",
      "007",
      "A number has no leading zero.",
      'write 7; where text is meant, "007"',
      "Crane{raw.a=7}",
    ],
    [
      "Crane{raw~[a]}",
      "argument_invalid",
      "[a]",
      "raw takes text, not a list.",
      'write text in quotes, like "text"',
    ],
    [
      "Crane{kind~a}",
      "bad_operator",
      "~",
      "~ does not compare kind, which is one of its options.",
      "kind takes = != in exists(kind) = null",
    ],
    [
      "Crane{kind=quick}",
      "argument_invalid",
      "quick",
      "quick is no option of kind.",
      "Options: slow, fast",
    ],
    [
      "Crane{kind in [slow, quick]}",
      "argument_invalid",
      "quick",
      "quick is no option of kind.",
      "Options: slow, fast",
    ],
    [
      "Crane{kg in [1, x]}",
      "argument_invalid",
      "x",
      "kg takes a number, not x.",
      "write a value like 12.5",
    ],
    [
      "Crane{kg in $}",
      "placeholder",
      "$",
      "$ stands for a value of kg that is still missing.",
      "kg takes num, like 12.5",
    ],
    [
      "Crane{near=$}",
      "placeholder",
      "$",
      "$ stands for a value of near that is still missing.",
      'near takes str, like "text"',
    ],
    [
      "Crane{kind in [slow, $]}",
      "placeholder",
      "$",
      "$ stands for a value of kind that is still missing.",
      "kind takes slow|fast, like slow",
    ],
    [
      "Crane{near=[a, b]}",
      "argument_invalid",
      "[a, b]",
      "near takes text, not a list.",
      'write text in quotes, like "text"',
    ],
    [
      "Crane{labl=x}",
      "unknown_slot",
      "labl",
      "labl is no condition of Crane.",
      "use label. Conditions: cask, code, dock, id, idle, kg, kind, label, lost, near, raw, rope, " +
        "side, since, tags, turns",
      "Crane{label=x}",
    ],
    [
      "Crane{zzzzzz=x}",
      "unknown_slot",
      "zzzzzz",
      "zzzzzz is no condition of Crane.",
      "Conditions: cask, code, dock, id, idle, kg, kind, label, lost, near, raw, rope, " +
        "side, since, tags, turns",
    ],
    [
      "Crane{id in b}",
      "argument_invalid",
      "b",
      "in takes a list or a column of a label, not b.",
      "write id in [b], or id = b",
    ],
  ])("%s", (...row) => {
    expect(saidOf(row[0], wharf)).toEqual(statedBy(row));
  });

  test("a part the parser refused is one error", () => {
    expect(saidOf("Crane{kg in null}", wharf)).toMatchObject([{ code: "syntax", marks: "null" }]);
  });
});

describe("LANG-044, RUN-112: what is tested on the rows", () => {
  test.each<[string, object]>([
    ["Crane{kg=null}", { op: "=", path: ["kg"], value: { lit: null } }],
    ["Crane{kind=null}", { op: "=", path: ["kind"], value: { lit: null } }],
    ["Crane{dock!=null}", { op: "!=", path: ["dock"], value: { lit: null } }],
    ["Crane{tags~a}", { op: "~", path: ["tags"], value: { lit: "a" } }],
    ["Crane{tags=[a]}", { op: "=", path: ["tags"], value: { lit: ["a"] } }],
    ["Crane{tags=a}", { op: "=", path: ["tags"], value: { lit: ["a"] } }],
    ["Crane{tags in [a, b]}", { op: "in", path: ["tags"], value: { lit: ["a", "b"] } }],
    ["Crane{raw~a}", { op: "~", path: ["raw"], value: { lit: "a" } }],
    ["Crane{raw~12}", { op: "~", path: ["raw"], value: { lit: "12" } }],
    ["Crane{raw.a=x}", { op: "=", path: ["raw", "a"], value: { lit: "x" } }],
    ["Crane{raw.a>=12.50}", { op: ">=", path: ["raw", "a"], value: { lit: 12.5 } }],
    ["Crane{raw.a<today-7d}", { op: "<", path: ["raw", "a"], value: { now: "today-7d" } }],
    ['Crane{raw.a="today"}', { op: "=", path: ["raw", "a"], value: { lit: "today" } }],
    ["Crane{raw.a in [1, x]}", { op: "in", path: ["raw", "a"], value: { lit: [1, "x"] } }],
    ["Crane{kg in [1, 2, 1]}", { op: "in", path: ["kg"], value: { lit: [1, 2] } }],
    ["Crane{kind in [slow, fast]}", { op: "in", path: ["kind"], value: { lit: ["slow", "fast"] } }],
    ["Crane{exists(kg)}", { exists: ["kg"] }],
  ])("%s", (program, filter) => {
    expect(onlyNode(program, wharf)).toMatchObject({ capability: "crane_query", args: {}, filter });
  });

  test.each<[string, object, object | null]>([
    ["Crane{kind=slow}", { kind: { lit: "slow" } }, null],
    ["Crane{near=x}", { near: { lit: "x" } }, null],
    ["Crane{near=x, kg>3}", { near: { lit: "x" } }, { op: ">", path: ["kg"], value: { lit: 3 } }],
  ])("%s is sent", (program, args, filter) => {
    expect(onlyNode(program, wharf)).toMatchObject({ capability: "crane_query", args, filter });
  });
});

describe("LANG-028, LANG-029: what a chain may start from", () => {
  test.each<SaidRow>([
    ['Flag~"x"', "no_search", "Flag", "Flag has no search.", "queries: query, query-old"],
    ['Cask~"x"', "no_search", "Cask", "Cask has no search.", "queries: none"],
    [
      'Dock~"x"',
      "no_search",
      "Dock",
      "Dock has no search.",
      'test a text column: Dock{id~"x"}. queries: query',
    ],
    ['Bell~"x"', "no_search", "Bell", "Bell has no search.", "queries: none"],
    [
      'c = Crane\nc("x")',
      "bad_key",
      "c",
      "c is a label, and only an entity takes a key.",
      "write c alone, or the entity with its key",
    ],
    [
      'c = Crane[kg, label]\nc~"x"',
      "no_search",
      "c",
      "c is a label, and only an entity is searched.",
      'test its rows: c{label~"x"}',
    ],
    [
      'c = Crane[kg]\nc~"x"',
      "no_search",
      "c",
      "c is a label, and only an entity is searched.",
      "keep a text column of its rows, and test that with ~",
    ],
    [
      '_~"x"',
      "no_cursor",
      "_",
      "_ is the row of a => body and means nothing here.",
      "bind the rows, then write what is made per row: a => {x: _}",
    ],
    [
      "Sail~$",
      "placeholder",
      "$",
      "$ stands for a value of the search that is still missing.",
      'the search takes str, like "text"',
    ],
  ])("%s", (...row) => {
    expect(saidOf(row[0], wharf)).toEqual(statedBy(row));
  });

  test("quay: a text column of the name is asked first", () => {
    const [said] = saidOf('Person~"x"', quayExposure);
    expect(said?.correction).toBe('test a text column: Person{name~"x"}. queries: query');
  });

  test("LANG-071: _ in a body takes no search and no key", () => {
    for (const body of ['_~"x"', '_("x")', "_{kg>3}"]) {
      expect(saidOf(`Crane => ${body}`, wharf)).toMatchObject([{ code: "no_cursor", marks: "_" }]);
    }
  });

  test("a label with conditions is its rows, filtered", () => {
    const { nodes } = planOf("c = Crane.limit(5)\nc{kg>3}", wharf);
    expect(nodes.map(({ kind }) => kind)).toEqual(["query", "compute"]);
  });
});

describe("LANG-071: bodies", () => {
  const instead = "compare with _ only what the read itself tests: its key, or fields of its own";
  const behind = (body: string, shown = body): SaidRow => [
    `Boat => ${body}`,
    "unknown_method",
    body,
    `${shown} as a body cannot be planned by this version.`,
    instead,
  ];
  test.each<SaidRow>([
    behind("Boat{id=_.id, twin.name=_.name}"),
    behind("Boat{id=_.id, not{length>_.length}}"),
    behind(
      "Boat{id=_.id, any{length>3, length>_.length}}",
      "Boat{id=_.id, any{length>3, length>_.le…",
    ),
    [
      "Boat => {a: _.name, a: 1}",
      "duplicate_column",
      "a",
      "The column a is there twice, at 1:10 and 1:21.",
      "leave one of them out",
    ],
  ])("%s", (...row) => {
    expect(saidOf(row[0], quayExposure)).toEqual(statedBy(row));
  });

  test.each<[string, readonly string[]]>([
    ["Boat => Boat{id=_.id, twin.name=x}", ["query", "for_each", "join", "compute"]],
    ["Boat => Boat{id=_.id, length>3}", ["query", "for_each", "compute"]],
    ["Boat => Boat{id=_.id, exists(note), not{state=lost}}", ["query", "for_each", "compute"]],
    ["Boat => Boat{length>_.length}", ["query", "for_each"]],
    ["Boat => {name: _.owner.name}", ["query", "join", "derive"]],
    ["Boat => _.ping()", ["query", "for_each"]],
  ])("%s", (program, kinds) => {
    expect(planOf(program, quayExposure).nodes.map(({ kind }) => kind)).toEqual(kinds);
  });

  test("columns are named by symbols, names or quoted text; rows stay as many as they were", () => {
    const rows = (program: string) => planOf(program, wharf).nodes.at(-1)?.result;
    expect(rows('Crane => {"a b": _.kg, p15: 2, p15x: _.dock, "p15": _.tags}')).toMatchObject({
      card: "many",
      entity: null,
      columns: [
        ["a b", "num"],
        ["label", "num"],
        ["p15x", "Dock(str)"],
        ["p15", "[str]"],
      ],
    });
    expect(rows('Crane("a") => {k: _.kg}')).toMatchObject({ card: "one" });
    expect(rows('Crane("a") => Dock(_.dock)')).toMatchObject({ card: "many" });
  });
});
