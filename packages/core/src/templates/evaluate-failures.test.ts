import { describe, expect, test } from "vitest";
import { parseTemplate } from "./parse/parse-template.ts";
import { evaluateTemplate } from "./evaluate/evaluate-template.ts";
import { CATALOG_LIMITS, render } from "./testing/render.ts";

const data = {
  n: 7,
  s: "text",
  yes: true,
  gone: null,
  big: "12345678901234567890",
  xs: [1, 2],
  o: { a: { b: 1 } },
  rows: [{ id: 1, name: "Ada" }, { id: 2 }],
};

describe("LANG-081: what cannot be done fails at its place and says what is allowed", () => {
  test.each<[string, string, readonly string[]]>([
    // Strict undefined
    ["{{ nowhere }}", "nowhere", ["no nowhere here"]],
    ["{{ nowhere.x }}", "nowhere", ["no nowhere here"]],
    ["{{ o.c }}", "c", ["no c", "is defined", "default"]],
    ["{{ o.c.d }}", "c", ["no c"]],
    ["{{ o['c d'] }}", "'c d'", ["no c d"]],
    ["{{ gone.x }}", "x", ["What is null has no x"]],
    ["{{ n.x }}", "x", ["What is a number has no x"]],
    ["{{ xs[2] }}", "2", ["2 items", "no item 2"]],
    ["{{ xs[-3] }}", "-3", ["no item -3"]],
    ["{{ s[9] }}", "9", ["no character 9"]],
    ["{{ xs['a'] }}", "'a'", ["What is a list has no a"]],
    ["{{ [] | first }}", "[] | first", ["no first of nothing"]],
    ["{{ s.split('x')[5] }}", "5", ["no item 5"]],
    ["{{ s | split_part('x', 5) }}", "s | split_part('x', 5)", ["no part 5", "default"]],
    ["{% if nowhere %}{% endif %}", "nowhere", ["no nowhere"]],
    ["{% for x in nowhere %}{% endfor %}", "nowhere", ["no nowhere"]],
    ["{% set a = nowhere %}", "nowhere", ["no nowhere"]],
    ["{{ nowhere is none }}", "nowhere", ["no nowhere"]],
    ["{{ 'a' ~ nowhere }}", "nowhere", ["no nowhere"]],
    ["{{ [nowhere] }}", "nowhere", ["no nowhere"]],
    ["{{ nowhere == 1 }}", "nowhere", ["no nowhere"]],
    ["{{ nowhere | upper }}", "nowhere", ["no nowhere"]],
    ["{{ n | default(1, nowhere) }}", "nowhere", ["no nowhere"]],
    ["{{ nowhere | default(elsewhere) }}", "elsewhere", ["no elsewhere"]],
    ["{{ nowhere.x is defined }}", "nowhere", ["no nowhere"]],
    ["{{ (o.c if yes else 1) }}", "c", ["no c"]],
    ["{% for x in xs %}{{ loop.previtem }}{% endfor %}", "loop.previtem", ["first turn"]],
    // Kinds that do not fit
    ["{{ n + s }}", "n + s", ["a number + a text", "~", "int"]],
    ["{{ big + 1 }}", "big + 1", ["a text + a number", "x | int"]],
    ["{{ gone + 1 }}", "gone + 1", ["null + a number"]],
    ["{{ yes + 1 }}", "yes + 1", ["true + a number"]],
    ["{{ s - s }}", "s - s", ["two numbers"]],
    ["{{ [1] * 2 }}", "[1] * 2", ["a text and a count"]],
    ["{{ s * -1 }}", "s * -1", ["negative"]],
    ["{{ -s }}", "s", ["Allowed: a number"]],
    ["{{ 1 / 0 }}", "1 / 0", ["Division by zero"]],
    ["{{ 1 // 0 }}", "1 // 0", ["Division by zero"]],
    ["{{ 1.5 % 0.0 }}", "1.5 % 0.0", ["Division by zero"]],
    ["{{ 1e308 * 10 }}", "1e308 * 10", ["too large"]],
    [`{{ ${"9".repeat(38)} * 100 }}`, `${"9".repeat(38)} * 100`, ["2^127"]],
    ["{{ 1 < 'a' }}", "1 < 'a'", ["two numbers or two texts"]],
    ["{{ gone < 1 }}", "gone < 1", ["null", "is not none"]],
    ["{{ 1 < 2 < 3 }}", "1 < 2 < 3", ["a < b and b < c"]],
    ["{{ xs < xs }}", "xs < xs", ["a list"]],
    ["{{ 1 in 'a1' }}", "1 in 'a1'", ["a number in a text"]],
    ["{{ 1 in gone }}", "1 in gone", ["in null"]],
    ["{{ xs[1.0] }}", "1.0", ["a whole number or a key"]],
    ["{% for x in n %}{% endfor %}", "n", ["a number in for", "a list"]],
    // Filters
    ["{{ xs | upper }}", "xs", ["a list | upper"]],
    ["{{ n | length }}", "n", ["a number | length"]],
    ["{{ gone | length }}", "gone", ["null | length"]],
    ["{{ o | first }}", "o", ["an object | first"]],
    ["{{ n | join }}", "n", ["a number | join"]],
    ["{{ xs | join(1) }}", "1", ["a number as argument of join", "a text"]],
    ["{{ s | replace('a', none) }}", "none", ["null as argument of replace"]],
    ["{{ 'abc' | int }}", "'abc'", ["a text that is a number"]],
    ["{{ '' | int }}", "''", ["a text that is a number"]],
    ["{{ gone | int }}", "gone", ["null | int"]],
    ["{{ xs | int }}", "xs", ["a list | int"]],
    ["{{ 1e40 | int }}", "1e40 | int", ["2^127"]],
    ["{{ '3.7' | round }}", "'3.7'", ["x | int"]],
    ["{{ 1.5 | round('1') }}", "'1'", ["from -15 to 15"]],
    ["{{ 1.5 | round(99) }}", "99", ["from -15 to 15"]],
    ["{{ n | default(1, 1) }}", "1", ["true or false"]],
    ["{{ n | split(',') }}", "n", ["a number | split", "a text"]],
    ["{{ gone.split(',') }}", "gone", ["null | split"]],
    ["{{ s | split('') }}", "''", ["empty separator"]],
    ["{{ s | join_sanitize('_', '') }}", "''", ["empty separator"]],
    ["{{ s | wire_time('unix_ms') }}", "s", ["a date such as 2026-01-31"]],
    ["{{ -5 | wire_time('unix_ms') }}", "-5", ["a date such as"]],
    ["{{ '2026-01-31' | wire_time(s) }}", "s", ["format text", "rfc3339"]],
    ["{{ xs | wire_query_suffix }}", "xs", ["a JSON object"]],
    ["{{ s | wire_query_suffix }}", "s", ["a JSON object"]],
    ["{{ '[1]' | wire_query_suffix }}", "'[1]'", ["a JSON object"]],
  ])("%s", (template, at, says) => {
    const rendered = render(template, data);
    if (!("failure" in rendered)) throw new Error(JSON.stringify(rendered));
    expect(rendered.at).toBe(at);
    expect(says.filter((part) => !rendered.failure.includes(part))).toEqual([]);
  });
});

test("only what is reached fails", () => {
  expect(
    render("{% if no_such is defined %}{{ no_such }}{% endif %}{{ 1 if yes else nowhere }}", data),
  ).toEqual({ text: "1" });
});

test("a failure names the item of the outermost loop, from 0", () => {
  const row = (text: string) => {
    const { template } = parseTemplate(text);
    if (template === null) throw new Error(text);
    const outcome = evaluateTemplate(template, data, CATALOG_LIMITS);
    return outcome.ok ? "ok" : outcome.row;
  };
  expect(row("{% for r in rows %}{{ r.name }}{% endfor %}")).toBe(1);
  expect(row("{% for r in rows %}{% for x in xs %}{{ r.name }}{% endfor %}{% endfor %}")).toBe(1);
  expect(row("{% for r in rows %}{% endfor %}{{ nowhere }}")).toBeNull();
});
