import { describe, expect, test } from "vitest";
import { fixtureExposure, quayExposure } from "../../../test/fixture-exposure.ts";
import { errorsOf, planOf } from "../../../test/plan-of.ts";
import { CURRENT_FEATURES } from "../../policy/policy.ts";

interface Found {
  /** the text the error points at */
  readonly marks: string;
  readonly says: readonly string[];
  readonly suggests?: string;
}

/** The errors of a template over `before`, and what the first of them points at. */
function errorsIn(before: string, template: string) {
  const text = [`${before} <<T`, template, "T"].join("\n");
  const errors = errorsOf(text);
  const [error] = errors;
  return {
    codes: errors.map(({ code }) => code),
    marks: text.slice(error?.span.start, error?.span.end),
    words: `${error?.message}\n${error?.correction}`,
    suggests: error?.suggestedProgram ?? undefined,
  };
}

const COLUMNS = "built, flags, id, length, meta, name, note, owner, papers, state";
const boat = 'Boat("b1")';

describe("LANG-081, ERR-010: what is no name and no column is template_error", () => {
  test.each<[string, string, Found]>([
    [
      boat,
      "{{ rows[0].nme }}",
      {
        marks: "nme",
        says: ["line 1, column 12 of the template", "use name", COLUMNS],
        suggests: `${boat} <<T\n{{ rows[0].name }}\nT`,
      },
    ],
    [
      boat,
      "{% for r in rows %}{{ r.nme }}{% endfor %}",
      {
        marks: "nme",
        says: ["line 1, column 25", "use name"],
        suggests: `${boat} <<T\n{% for r in rows %}{{ r.name }}{% endfor %}\nT`,
      },
    ],
    [
      boat,
      "{% set a = rows | first %}{{ a.nme }}",
      {
        marks: "nme",
        says: ["use name"],
        suggests: `${boat} <<T\n{% set a = rows | first %}{{ a.name }}\nT`,
      },
    ],
    [boat, '{{ rows[0]["nme"] }}', { marks: '"nme"', says: ["nme is no column of Boat", COLUMNS] }],
    [boat, "{{ zz }}", { marks: "zz", says: ["line 1, column 4", "Names: rows", "(name)"] }],
    [
      boat,
      "{{ row }}",
      { marks: "row", says: ["use rows"], suggests: `${boat} <<T\n{{ rows }}\nT` },
    ],
    [boat, "{{ zz is defined }}", { marks: "zz", says: ["Names: rows"] }],
    [boat, "{{ rows.name }}", { marks: "name", says: ["rows is a list", "rows[0].name"] }],
    [boat, "{{ rows[0].visits }}", { marks: "visits", says: ["relation", "Columns:"] }],
    [boat, "{{ rows[0].flags.x }}", { marks: "x", says: ["[str]", "Columns:"] }],
    [boat, "{% for f in rows[0].flags %}{{ f.x }}{% endfor %}", { marks: "x", says: ["str"] }],
    [boat, "{{ rows[0].name.x }}", { marks: "x", says: ["str", "no part x"] }],
    [
      boat,
      "{% for r in rows %}{% for c in r %}{{ c }}{{ c.x }}{% endfor %}{% endfor %}",
      { marks: "r", says: ["an item of rows is one row", "like r.built", "Columns:"] },
    ],
    [
      boat,
      "{% for r in rows %}{{ r[0] }}{% endfor %}",
      { marks: "r", says: ["an item of rows is one row", "like r.built", "Columns:"] },
    ],
    [
      boat,
      "{% for r in rows %}{% set x = r[0] %}{{ x.nme }}{% endfor %}",
      { marks: "r", says: ["an item of rows is one row", "like r.built"] },
    ],
    [
      boat,
      "{% set a = rows %}{{ a[0][0] }}",
      { marks: "a", says: ["an item of rows is one row", "like rows[0].built"] },
    ],
    [
      boat,
      "{% set o = rows[0].owner %}{{ o.name }}",
      {
        marks: "name",
        says: ["in one piece", "r.owner.name"],
      },
    ],
    [boat, "{{ rows[0].p99 }}", { marks: "p99", says: ["not in the table", "p1..", "Columns:"] }],
    [boat, "{{ rows[0].e1 }}", { marks: "e1", says: ["an entity", "Columns:"] }],
    [
      "Boat[id]",
      "{{ rows[0].length }}",
      { marks: "length", says: ["[id] left it out", "Columns now: "] },
    ],
    [
      'p = Person("ann")\nBoat',
      "{{ p[0].name }}",
      { marks: "p", says: ["p is one row", "p.boats"] },
    ],
    [
      'p = Person("ann")\nBoat',
      "{% for x in p %}.{% endfor %}",
      { marks: "p", says: ["p is one row"] },
    ],
    [
      "a = Boat\nPerson(ann)",
      "{{ a.name }}",
      { marks: "name", says: ["a is a list", "a[0].name"] },
    ],
    [
      'a = Boat("b1")\nPerson(ann)',
      "{{ a.logn }}",
      {
        marks: "logn",
        says: ["no column of Boat", COLUMNS],
      },
    ],
    ["ids = [1, 2]\nBoat", "{{ ids[0].x }}", { marks: "x", says: ["value"] }],
    [
      'a = Person("ann")\nBoat',
      "{% if rows %}{% set a = 1 %}{% endif %}{{ a }}",
      {
        marks: "a",
        says: ["may set", "a_"],
      },
    ],
  ])("%s <<T %s", (before, template, { says, ...found }) => {
    const { words, ...rest } = errorsIn(before, template);
    expect(rest).toEqual({ codes: ["template_error"], suggests: undefined, ...found });
    for (const word of says) expect(words).toContain(word);
  });

  test("a label bound below, and the template's own", () => {
    const errors = errorsOf('t = Boat <<T\n{{ t.x }}{{ later }}\nT\nlater = Boat("b1")\nt, later');
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      ["template_error", "t is what this template makes, it cannot read itself."],
      ["template_error", "later is bound on line 4, below this template."],
    ]);
  });

  test("C-108 names: unknown, by symbol, unknown", () => {
    const loop = (of: string): string => `Boat <<T\n{% for r in rows %}{{ ${of} }}{% endfor %}\nT`;
    const code = (text: string) => errorsOf(text).map((error) => error.code);
    expect(code(loop("r.nme"))).toEqual(["template_error"]);
    expect(code(loop("zz"))).toEqual(["template_error"]);
    expect(planOf(loop("r.p15")).commit).toBe(planOf(loop("r.name")).commit);
  });

  test("a label in error is no error of the template (ERR-005)", () => {
    const codes = errorsOf("a = Boat.nosuch()\nBoat <<T\n{{ a.x }}\nT").map(({ code }) => code);
    expect(codes).toEqual(["unknown_method"]);
  });

  test("json and whatever a template itself makes are open until the run", () => {
    const text = [
      'a = Boat("b1")\nBoat <<T',
      "{{ rows[0].meta.x.y[0].z }}{% set b = a if rows else rows[0] %}{{ b.anything }}",
      '{% set c = "x" %}{{ c.d }}{{ rows[0].name[0] }}{{ rows[a.length].name }}',
      "T",
    ].join("\n");
    expect(planOf(text).nodes).toHaveLength(3);
  });
});

describe("RUN-101, LANG-080: what is no template of the subset", () => {
  test.each<[string, string, string]>([
    ["{{ rows[0].name", "{{", "}}"],
    ["{% include 'x' %}", "include", "Allowed"],
    ["{% macro x() %}{% endmacro %}", "macro", "Allowed"],
    ["{{ rows | shout }}", "shout", "filter"],
    ["{% for r in rows %}x", "{% for r in rows %}", "endfor"],
    ["{{ 1 + }}", "}}", "a value"],
  ])("%s", (template, marks, says) => {
    const [error] = errorsOf(`Boat <<T\n${template}\nT`);
    expect(error?.code).toBe("template_error");
    expect(`Boat <<T\n${template}\nT`.slice(error?.span.start, error?.span.end)).toBe(marks);
    expect(`${error?.message}`).toContain(says);
    expect(error?.correction).toMatch(/^line 1, column \d+ of the template; columns of rows: /);
  });

  test("LANG-082 more than 65,536 characters are too_large; so many are not", () => {
    const of = (length: number): string =>
      `Boat <<T\n${"😀".repeat(30_000)}${"x".repeat(length - 30_000)}\nT`;
    expect(planOf(of(65_536)).nodes).toHaveLength(2);
    const [error] = errorsOf(of(65_537));
    expect([error?.code, error?.correction]).toEqual([
      "too_large",
      "at most 65536 characters are allowed, this has 65537",
    ]);
  });
});

describe("ERR-002: places inside the heredoc, in the program as sent", () => {
  const template = "å😀 {# c #}\n{% for r in rows %}\n  😀{{ r.nme }}\n{% endfor %}";

  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
  ])("%s", (_name, newline) => {
    const text = ["Boat <<T", template, "T"].join("\n").replaceAll("\n", newline);
    const [error] = errorsOf(text);
    expect(text.slice(error?.span.start, error?.span.end)).toBe("nme");
    expect([error?.span.line, error?.span.column]).toEqual([4, 9]);
    expect(error?.correction).toContain("line 3, column 9 of the template");
    expect(error?.suggestedProgram).toContain("r.name");
  });

  test("an unclosed tag at the end of the text", () => {
    const [error] = errorsOf("Boat <<T\r\na\r\n{{ rows[0].\r\nT");
    expect([error?.code, error?.span.line]).toEqual(["template_error", 3]);
  });
});

test("hostile templates end in positioned errors (LANG-001, C-057)", () => {
  const fill = (piece: string): string => piece.repeat(Math.floor(60_000 / piece.length));
  const sets = Array.from({ length: 1_500 }, (_none, n) => `{% set a${n} = rows[0] %}`).join("");
  const bodies = [fill("{{"), fill("{% "), fill("{{ zz }}"), fill("{{rows[0].nme}}"), fill("{{ (")];
  for (const body of [...bodies, sets + "{% if 1 %}{% endif %}".repeat(1_000) + "{{ a9.nme }}"]) {
    const errors = errorsOf(`Boat <<T\r\n${body}\r\nT`);
    expect(errors[0]).toMatchObject({ code: "template_error", span: { line: 2 } });
  }
});

test("without the feature a template is told apart, not run (PLAN-001)", () => {
  const settings = { features: { ...CURRENT_FEATURES, templates: false } };
  const [error] = errorsOf("Boat <<T\nhi\nT", quayExposure, settings);
  expect(error?.message).toContain("A template");
});

test("what templates name need not be exposed to be read by its wire name", () => {
  const boats = fixtureExposure([["quay", "Boat"]]);
  const text = "Boat.limit(2) <<T\n{{ rows[0].owner }}\nT";
  expect(planOf(text, boats).nodes).toHaveLength(2);
});
