import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTemplate } from "./parse-template.ts";

const problemsOf = (text: string) =>
  parseTemplate(text).problems.map(({ message, start, end }) => [text.slice(start, end), message]);

/** The construct, the words at fault, and what the message must contain. */
describe("RUN-101: what is not of the subset is told with what is allowed", () => {
  test.each<[string, string, readonly string[]]>([
    ["{% macro f(a) %}x{% endmacro %}", "macro", ["no tag macro", "set, if, elif, else, endif"]],
    ["{% include 'x' %}", "include", ["no tag include"]],
    ["{% import 'x' as y %}", "import", ["no tag import"]],
    ["{% extends 'x' %}", "extends", ["no tag extends"]],
    ["{% block b %}{% endblock %}", "block", ["no tag block"]],
    ["{% raw %}x{% endraw %}", "raw", ["no tag raw"]],
    ["{% fore x in y %}", "fore", ["(nearest: for)"]],
    ["{% set x %}a{% endset %}", "%}", ["= and a value"]],
    ["{% set a, b = c %}", ",", ["one name after set"]],
    ["{% set in = 1 %}", "in", ["reserved"]],
    ["{% set loop = 1 %}", "loop", ["reserved"]],
    ["{% for k, v in o %}{% endfor %}", ",", ["one name after for"]],
    ["{% for x of y %}{% endfor %}", "of", ["in and a list"]],
    ["{% for a in b if c %}{% endfor %}", "if", ["{% if %} inside the loop"]],
    ["{% for a in b recursive %}{% endfor %}", "recursive", ["the end of the tag"]],
    ["{% for a in b %}{% break %}{% endfor %}", "break", ["no tag break"]],
    ["{% for a in b %}{{ loop.cycle(1) }}{% endfor %}", "loop.cycle", ["loop.index, loop.index0"]],
    ["{% for a in b %}{{ loop }}{% endfor %}", "loop", ["loop alone", "loop.first"]],
    ["{{ a|foo }}", "foo", ["no filter foo", "lower, upper, trim"]],
    ["{{ a|uper }}", "uper", ["(nearest: upper)"]],
    ["{{ a|tojson }}", "tojson", ["json_encode"]],
    ["{{ a|replace('x') }}", "replace", ["1 argument", "replace(from, to)"]],
    ["{{ a|lower(1) }}", "lower", ["1 argument", "Allowed: lower."]],
    ["{{ a|default(1, true, 2) }}", "default", ["3 arguments"]],
    ["{{ a|default(value=1) }}", "=", ["arguments without names"]],
    ["{{ a|wire_time('seconds') }}", "'seconds'", ['"rfc3339", "iso8601_date"', "unix_sec"]],
    ["{{ a is odd }}", "odd", ["is defined, is not defined, is none"]],
    ["{{ a is undefined }}", "undefined", ["is not defined"]],
    ["{{ range(3) }}", "(", ["x.split(separator)"]],
    ["{{ a.items() }}", "items", ["method items", "x.split(separator)"]],
    ["{{ a.split() }}", ")", ["one separator"]],
    ["{{ a.split(',', 1) }}", ",", ["after one separator"]],
    ["{{ a[1:2:3] }}", ":", ["closing ]"]],
    ["{{ a.0 }}", "0", ["write x[0]"]],
    ["{{ {'a': 1} }}", "{", ["map"]],
    ["{{ (1, 2) }}", ",", ["lists are written in [ ]"]],
    ["{{ [1 2] }}", "2", ["a comma"]],
    ["{{ 2 ** 3 }}", "**", ["x * x"]],
    ["{{ a b }}", "b", ["an operator"]],
    ["{{ +1 }}", "+", ["a value"]],
    ["{{ 'a' 'b' }}", "'b'", ["an operator"]],
    ["{{ not }}", "}}", ["a value"]],
    ["{{ and }}", "and", ["not this word"]],
    ["{{ }}", "}}", ["a value"]],
    ["{%%}", "%}", ["Allowed tags: set"]],
    ["{{ é }}", "é", ["Found é"]],
    ["{{ a & b }}", "&", ["Found &"]],
    ["{{ 007 }}", "007", ["leading zeros"]],
    ["{{ 1_000 }}", "1_000", ["12, 1.5 or 2e3"]],
    ["{{ 0x1f }}", "0x1f", ["12, 1.5 or 2e3"]],
    ["{{ 1e999 }}", "1e999", ["too large"]],
    [`{{ ${"9".repeat(39)} }}`, "9".repeat(39), ["2^127"]],
    ["{{ '\\q' }}", "\\q", ["\\n \\t"]],
    ["{{ '\\ud83d' }}", "'\\ud83d'", ["surrogate"]],
    ["{{ 'abc }}", "'", ["not closed"]],
    ["x {{ a", "{{", ["not closed", "}}"]],
    ["{{ a } {{ b }}", "{{", ["not closed"]],
    ["{% if a", "{%", ["not closed", "%}"]],
    ["{# a", "{#", ["not closed", "#}"]],
    ["{% if a %}b", "{% if a %}", ["{% endif %}"]],
    ["{% for a in b %}c", "{% for a in b %}", ["{% endfor %}"]],
    ["{% endif %}", "endif", ["without an open if"]],
    ["{% else %}", "else", ["without an open if or for"]],
    ["{% if a %}{% else %}{% elif b %}{% endif %}", "elif", ["Allowed here: endif"]],
    ["{% for x in y %}{% elif c %}{% endfor %}", "elif", ["else, endfor"]],
    ["{% for x in y %}{% if a %}{% endfor %}", "endfor", ["in an open if", "endif"]],
    ["{% if a %}{% endif b %}", "b", ["the end of the tag"]],
  ])("%s", (text, at, says) => {
    const [[found, message] = [], ...others] = problemsOf(text);
    expect([found, ...others.map(([each]) => each)]).toEqual([at]);
    expect(says.filter((part) => !message?.includes(part))).toEqual([]);
    expect(parseTemplate(text).template).toBeNull();
  });
});

test("each tag tells its first problem, in the order of the text", () => {
  const text = "{{ a b c }}{% if %}{{ x|uper|lowr }}{% endif %}{% foo %}";
  expect(problemsOf(text).map(([at]) => at)).toEqual(["b", "%}", "uper", "foo"]);
});

test("expressions and blocks nest at most 100 deep", () => {
  const deep = (levels: number) => `{{ ${"(".repeat(levels)}1${")".repeat(levels)} }}`;
  expect(problemsOf(deep(98))).toEqual([]);
  expect(problemsOf(deep(20_000))[0]?.[1]).toContain("at most 100 levels");
  expect(problemsOf(`{{ 1${" + 1".repeat(99)} }}`)).toEqual([]);
  expect(problemsOf(`{{ 1${" + 1".repeat(9_999)} }}`)[0]?.[1]).toContain("at most 100 levels");
  expect(problemsOf(`{{ ${"not ".repeat(9_999)}1 }}`)[0]?.[1]).toContain("at most 100 levels");
  expect(problemsOf(`{{ x${"|trim".repeat(9_999)} }}`)[0]?.[1]).toContain("at most 100 levels");
  const blocks = (levels: number) => "{% if a %}".repeat(levels) + "{% endif %}".repeat(levels);
  expect(problemsOf(blocks(100))).toEqual([]);
  expect(problemsOf(blocks(9_999))).toHaveLength(1);
});

const HOSTILE = [
  "{{",
  "{%",
  "{#",
  "}}",
  "%}",
  "#}",
  "-",
  "'",
  '"',
  "\\",
  "(",
  "[",
  ".",
  "|",
  " if ",
  " for ",
  " in ",
  " set ",
  "x",
  "loop",
  "=",
  "1",
  "é",
  "👋",
  "\ud83d",
  " ",
  "\n",
  "else",
  "endif",
  "endfor",
  "not ",
  "is ",
  "split(",
];

test("any text gives a tree or problems, each within the text", () => {
  const pieces = fc.array(fc.constantFrom(...HOSTILE), { maxLength: 40 });
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join("");
      const { template, problems } = parseTemplate(text);
      expect(template === null).toBe(problems.length > 0);
      for (const { start, end } of problems) {
        expect(start >= 0 && start <= end && end <= text.length).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

// How the time grows is measured in bench/; what is quadratic would not end before the test's limit.
test.each([
  "{{ a.b | default('x') }} ",
  "{% if a %}b{% endif %}",
  "{# c #}",
  "{{",
  "'",
  "\\",
  "{% set x = x.y %}",
  "{{ ' \\\" ",
  "     ",
  "{% x %}",
])("64 KB of %j are read to their end", (piece) => {
  const text = piece.repeat(Math.ceil((64 * 1024) / piece.length));
  const { template, problems } = parseTemplate(text);
  expect(template === null).toBe(problems.length > 0);
  for (const { start, end } of problems) {
    expect(start >= 0 && start <= end && end <= text.length).toBe(true);
  }
});
