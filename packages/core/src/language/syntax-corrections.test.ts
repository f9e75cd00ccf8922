import { describe, expect, it } from "vitest";
import { parseProgram } from "./grammar/parse.ts";

/** program, code, the text the span covers, what the correction contains, suggested program. */
type Row = readonly [string, string, string, string, string | null];

/** What is reported of a program with one mistake. */
function reported(program: string) {
  const { errors } = parseProgram(program);
  const [error] = errors;
  return {
    codes: errors.map(({ code }) => code),
    text: program.slice(error?.span.start, error?.span.end),
    correction: error?.correction,
    suggestion: error?.suggestedProgram,
  };
}

const expected = ([, code, text, contains, suggestion]: Row) => ({
  codes: [code],
  text,
  correction: expect.stringContaining(contains) as string,
  suggestion,
});

describe("errors section 2, syntax: forms of other languages name the form of this one", () => {
  const rows: readonly Row[] = [
    ["Boat{a==5}", "syntax", "==", "a=…", "Boat{a=5}"],
    ["Boat{a===5}", "syntax", "===", "a=…", "Boat{a=5}"],
    ["Boat{a=>5}", "syntax", "=>", "a>=…", "Boat{a>=5}"],
    ["Boat{a=<5}", "syntax", "=<", "a<=…", "Boat{a<=5}"],
    ["Boat{a<>5}", "syntax", "<>", "a!=…", "Boat{a!=5}"],
    ['Boat{a=~"x"}', "syntax", "=~", "a~…", 'Boat{a~"x"}'],
    ["Boat{state: lost}", "syntax", ":", "state=…", "Boat{state=lost}"],
    ["Boat{a=1 AND b=2}", "syntax", "AND", "a=1, b=2", "Boat{a=1, b=2}"],
    ["Boat{a=1 && b=2}", "syntax", "&&", "a=1, b=2", "Boat{a=1, b=2}"],
    ["Boat{a=1 || b=2}", "syntax", "||", "any{a=1, b=2}", "Boat{any{a=1, b=2}}"],
    ["Boat{!a=1}", "syntax", "!", "not{a=1}", "Boat{not{a=1}}"],
    ["Boat{any(a=1, b=2)}", "syntax", "any", "any{a=1, b=2}", "Boat{any{a=1, b=2}}"],
    ["Boat{a not in [x, y]}", "syntax", "not in", "not{a in [x, y]}", "Boat{not{a in [x, y]}}"],
    ["Boat{a in (x, y)}", "syntax", "(", "a in [x, y]", "Boat{a in [x, y]}"],
    [
      "Boat{a in Person{}}",
      "syntax",
      "Person{}",
      "found = Person{}",
      "found = Person{}\nBoat{a in found}",
    ],
    ["Boat{a in 5}", "syntax", "5", "a list", "Boat{a in [5]}"],
    ['Boat{a in Person("x")}', "syntax", 'Person("x")', "a list", 'Boat{a in [Person("x")]}'],
    ["Boat{a between 1 and 5}", "syntax", "between", "a>=1, a<=5", "Boat{a>=1, a<=5}"],
    [
      'Boat.update(\nname="x"\nnote="y"\n)',
      "syntax",
      "",
      "a comma between them",
      'Boat.update(\nname="x",\nnote="y"\n)',
    ],
    ["Boat.map(b => b.name)", "syntax", "b =>", "rows => {k: _.p}", null],
    ["Boat{a is null}", "syntax", "is null", "a=null", "Boat{a=null}"],
    ["Boat{a is not null}", "syntax", "is not null", "a!=null", "Boat{a!=null}"],
    ["Boat{a is 5}", "syntax", "is", "a=", "Boat{a=5}"],
    ['Boat{name like "x"}', "syntax", "like", 'name~"…"', 'Boat{name~"x"}'],
    ["Boat{archived}", "syntax", "archived", "exists(archived)", null],
    ['Boat{"name"=x}', "syntax", '"name"', "write name", "Boat{name=x}"],
    ["Boat.sort(-length)", "syntax", "-", ".sort(length desc)", "Boat.sort(length desc)"],
    [
      "Boat.sort(length descending)",
      "syntax",
      "descending",
      ".sort(length desc)",
      "Boat.sort(length desc)",
    ],
    ["Boat.sort(length DESC)", "syntax", "DESC", ".sort(length desc)", "Boat.sort(length desc)"],
    ["Boat.sort(length desc, asc)", "syntax", "asc", "one of asc and desc", null],
    [
      "Boat.filter(state=lost)",
      "syntax",
      "filter",
      ".filter{state=lost}",
      "Boat.filter{state=lost}",
    ],
    ["Boat.aggregate(n=count(*))", "syntax", "*", "count", "Boat.aggregate(n=count)"],
    ["Boat.aggregate(n=median(length))", "syntax", "median", "avg(x)", null],
    [
      "Boat.aggregate(sum(length) as t)",
      "syntax",
      "as",
      "t=sum(length)",
      "Boat.aggregate(t=sum(length))",
    ],
    ["Boat.group_by(n=count)", "syntax", "n", ".aggregate(…)", null],
    ["a := Boat", "syntax", ":=", "label = rows", "a = Boat"],
    ["a == Boat", "syntax", "==", "label = rows", "a = Boat"],
    ["x = {a = 1}", "syntax", "=", "a: …", "x = {a: 1}"],
    ["x = {a-b: 1}", "syntax", "a-b", '"a-b": …', 'x = {"a-b": 1}'],
    ["x = {a: b c: d}", "syntax", "", "a: b, c: d", "x = {a: b, c: d}"],
    ['Boat.update(name: "x")', "syntax", ":", "name=…", 'Boat.update(name="x")'],
    ['Boat.update("name"="x")', "syntax", '"name"', "write name", 'Boat.update(name="x")'],
    ["Boat.update(name==x)", "syntax", "==", "name=…", "Boat.update(name=x)"],
    ["Boat.update(name=x note=y)", "syntax", "", "name=x, note=y", "Boat.update(name=x, note=y)"],
    ['Boat["id"]', "syntax", '"id"', "write id", "Boat[id]"],
    [
      "Boat{owner=Person{}.login}",
      "syntax",
      "Person{}.login",
      "found = Person{}",
      "found = Person{}.login\nBoat{owner=found}",
    ],
    ["Boat(Person~x)", "syntax", "Person~x", "found = Person~x", "found = Person~x\nBoat(found)"],
    [
      'Boat(Person("a").login)',
      "syntax",
      'Person("a").login',
      "found = Person",
      'found = Person("a").login\nBoat(found)',
    ],
    [
      "a => {x: Person{login=_.owner}}",
      "syntax",
      "Person{login=_.owner}",
      "read the other rows by themselves",
      null,
    ],
    ["Boat{owner=$owner}", "syntax", "$owner", "owner", null],
    ["wait(s0_o1, limit=3)", "syntax", "limit=3", "limit belongs to page", null],
    ['"text"', "syntax", '"text"', 'found = "text"', 'found = "text"\nfound'],
    ["Boat.", "line_break", ".", ".limit(5)", null],
  ];
  it.each(rows.map((row) => [row[0], row] as const))("%s", (program, row) => {
    expect(reported(program)).toEqual(expected(row));
  });
});

describe("errors section 2, unclosed_bracket", () => {
  it.each(
    (
      [
        ["Boat.limit(5", "unclosed_bracket", "", "( at 1:11 with )", "Boat.limit(5)"],
        ["Boat.limit(5))", "unclosed_bracket", ")", "leave ) out", "Boat.limit(5)"],
        [
          "Boat(a=[1,2)",
          "unclosed_bracket",
          ")",
          "write ], which closes the [ at 1:8",
          "Boat(a=[1,2])",
        ],
        [
          "a = Boat{state=lost\nb = a\nb",
          "unclosed_bracket",
          "",
          "{ at 1:9 with }",
          "a = Boat{state=lost}\nb = a\nb",
        ],
        ['Boat("b1".ping()', "unclosed_bracket", "", "( at 1:5 with )", 'Boat("b1").ping()'],
        ["a = [1, 2\nBoat", "unclosed_bracket", "", "[ at 1:5 with ]", "a = [1, 2]\nBoat"],
      ] as const satisfies readonly Row[]
    ).map((row) => [row[0], row] as const),
  )("%j", (program, row) => {
    expect(reported(program)).toEqual(expected(row));
  });
});

describe("LANG-005: line_break gives the joined statement", () => {
  it.each(
    (
      [
        ["Boat\n, Person", "line_break", ",", "Boat, Person", "Boat, Person"],
        ["Boat\n{state=lost}", "line_break", "{", "Boat{state=lost}", "Boat{state=lost}"],
        ['Boat\n("b1")', "line_break", "(", 'Boat("b1")', 'Boat("b1")'],
        ["Boat,\nPerson", "line_break", ",", "Boat, Person", "Boat, Person"],
        ["a =\n\nBoat", "line_break", "=", "a = Boat", "a = Boat"],
        ["a =>\n{n: _.id}", "line_break", "=>", "a => {n: _.id}", "a => {n: _.id}"],
        ["Boat.\nlimit(5)", "line_break", ".", "Boat.limit(5)", "Boat.limit(5)"],
        [
          "a = Boat,\nb = Person",
          "unexpected_text",
          ",",
          "one statement per line",
          "a = Boat\nb = Person",
        ],
      ] as const satisfies readonly Row[]
    ).map((row) => [row[0], row] as const),
  )("%j", (program, row) => {
    expect(reported(program)).toEqual(expected(row));
  });
});
