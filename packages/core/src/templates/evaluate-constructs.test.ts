import { describe, expect, test } from "vitest";
import { render } from "./testing/render.ts";

const data = {
  n: 7,
  f: 2.5,
  s: "a,b,c",
  yes: true,
  no: false,
  gone: null,
  big: "12345678901234567890",
  xs: [1, 2, 3],
  none_at_all: [],
  o: { b: 2, a: 1, "a b": { c: "deep" } },
  rows: [
    { id: 1, name: "Ada", owner: null },
    { id: 2, name: "Bo", owner: { name: "Cy" } },
  ],
};

describe("RUN-101: what templates give", () => {
  test.each<[string, string]>([
    // Output, comments, line breaks at the end
    ["plain { } }} %} text", "plain { } }} %} text"],
    ["a{# {{ n }} #}b", "ab"],
    ["{{ n }} {{ f }} {{ s }} {{ yes }}", "7 2.5 a,b,c true"],
    ["a\n", "a"],
    ["a\r\n", "a"],
    ["a\n\n", "a\n"],
    // LANG-081: null prints as nothing
    ["[{{ gone }}|{{ none }}|{{ gone ~ 'x' }}|{{ rows[0].owner }}]", "[||x|]"],
    ["<b>{{ '<i>&\"' }}</b>", '<b><i>&"</b>'],
    ["{{ xs }} {{ o }}", '[1, 2, 3] {"a": 1, "a b": {"c": "deep"}, "b": 2}'],
    ["{{ [gone, 'x\"', 2.0] }}", '[null, "x\\"", 2.0]'],
    // Whitespace control
    ["a {{- n -}} b", "a7b"],
    ["a {%- if yes -%} b {%- endif -%} c", "abc"],
    ["a {#- x -#} b", "ab"],
    ["a\n  {{- n }}\n", "a7"],
    ["a {%+ if yes +%} b {% endif %}", "a  b "],
    ["{{ -n }} {{- -n -}} x", "-7-7x"],
    // set
    ["{% set a = 1 %}{{ a }}{% set a = a + 1 %}{{ a }}", "12"],
    ["{% if yes %}{% set a = 1 %}{% endif %}{{ a }}", "1"],
    ["{% set n = 1 %}{% for x in xs %}{% set n = n + x %}{{ n }}{% endfor %}{{ n }}", "2341"],
    // if
    ["{% if no %}a{% elif yes %}b{% else %}c{% endif %}", "b"],
    ["{% if no %}a{% elif gone %}b{% else %}c{% endif %}", "c"],
    ["{% if none_at_all %}a{% endif %}", ""],
    ["{{ 'a' if yes else 'b' }}{{ 'a' if no else 'b' }}{{ 'a' if no }}", "ab"],
    ["{{ 1 if no else 2 if no else 3 }}", "3"],
    ["{{ ('a' if no) is defined }} {{ ('a' if no) | default('d') }}", "false d"],
    // for, loop
    ["{% for x in xs %}{{ x }}{% else %}none{% endfor %}", "123"],
    ["{% for x in none_at_all %}{{ x }}{% else %}none{% endfor %}", "none"],
    ["{% for x in gone %}{{ x }}{% else %}none{% endfor %}", "none"],
    ["{% for k in o %}{{ k }}={{ o[k] }};{% endfor %}", 'a=1;a b={"c": "deep"};b=2;'],
    ["{% for c in 'hé👋' %}{{ c }}.{% endfor %}", "h.é.👋."],
    [
      "{% for x in xs %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }} {% endfor %}",
      "1032 2121 3210 ",
    ],
    ["{% for x in xs %}{{ x }}{{ ', ' if not loop.last }}{% endfor %}", "1, 2, 3"],
    ["{% for x in xs %}{{ 'first of ' ~ loop.length if loop.first }}{% endfor %}", "first of 3"],
    [
      "{% for x in xs %}{{ loop.previtem | default('-') }}{{ loop.nextitem | default('-') }} {% endfor %}",
      "-2 13 2- ",
    ],
    [
      "{% for x in xs %}{% for y in [loop.index] %}{{ y }}{{ loop.index }} {% endfor %}{% endfor %}",
      "11 21 31 ",
    ],
    ["{% for x in xs %}{% for y in [] %}{% else %}{{ loop.index }}{% endfor %}{% endfor %}", "123"],
    ["{% for n in xs %}{{ n }}{% endfor %}{{ n }}", "1237"],
    // Logic
    ["{{ yes and no }} {{ yes or no }} {{ not yes }}", "false true false"],
    ["{{ 0 or 'a' }} {{ '' or 0 }} {{ 1 and 2 }}", "a 0 2"],
    ["{{ no and nowhere }} {{ yes or nowhere }}", "false true"],
    ["{{ not yes or yes }} {{ not (yes or yes) }} {{ yes or yes and no }}", "true false true"],
    ["{{ 2 in xs }} {{ 9 in xs }} {{ 9 not in xs }} {{ not 9 in xs }}", "true false true true"],
    ["{{ 'b' in s }} {{ 'a' in o }} {{ 'c' in o }} {{ 1 in o }}", "true true false false"],
    ["{{ n is defined }} {{ nowhere is defined }} {{ nowhere is not defined }}", "true false true"],
    ["{{ o.c is defined }} {{ gone is defined }} {{ gone.x is defined }}", "false true false"],
    ["{{ gone is none }} {{ n is none }} {{ n is not none }}", "true false true"],
    // Arithmetic: whole numbers exact, / always a float
    ["{{ 7 + 2 }} {{ 7 - 2 }} {{ 7 * 2 }} {{ 7 / 2 }} {{ 8 / 2 }}", "9 5 14 3.5 4.0"],
    ["{{ 7 // 2 }} {{ -7 // 2 }} {{ 7 % 3 }} {{ -7 % 3 }} {{ 7.5 // 2 }}", "3 -4 1 2 3.0"],
    ["{{ 1 + 2 * 3 }} {{ (1 + 2) * 3 }} {{ 2 * 3 ~ 4 }} {{ 10 - 2 - 3 }}", "7 9 64 5"],
    [
      "{{ 9007199254740993 + 1 }} {{ 12345678901234567890 * 10 }}",
      "9007199254740994 123456789012345678900",
    ],
    [
      "{{ 0.1 + 0.2 }} {{ 1e3 }} {{ 1e-7 }} {{ 1e21 }}",
      "0.30000000000000004 1000.0 0.0000001 1000000000000000000000.0",
    ],
    ["{{ 0 * -1 }} {{ 0.0 * -1 }}", "0 0.0"],
    ["{{ -n }} {{ - -n }} {{ 2 - -n }} {{ -o.a }}", "-7 7 9 -1"],
    ["{{ 'a' + 'b' }} {{ [1] + [2] }} {{ '-' * 3 }}", "ab [1, 2] ---"],
    // Decimal text is text
    [
      "{{ big }} {{ big ~ 1 }} {{ big == '12345678901234567890' }}",
      "12345678901234567890 123456789012345678901 true",
    ],
    ["{{ big == 12345678901234567890 }} {{ (big | int) + 1 }}", "false 12345678901234567891"],
    // Comparison
    [
      "{{ 1 < 2 }} {{ 2 <= 2 }} {{ 1 > 2 }} {{ 2 >= 3 }} {{ 1 != 2 }}",
      "true true false false true",
    ],
    ["{{ 1 == 1.0 }} {{ '1' == 1 }} {{ gone == none }} {{ yes == 1 }}", "true false true true"],
    [
      "{{ 9007199254740993 == 9007199254740992.0 }} {{ 9007199254740993 > 9007199254740992.0 }}",
      "false true",
    ],
    ["{{ 'a' < 'b' }} {{ 'Z' < 'a' }} {{ '\\uffff' < '😀' }}", "true true true"],
    [
      "{{ xs == [1, 2, 3] }} {{ [1, [2]] == [1.0, [2]] }} {{ o == o }} {{ o == xs }}",
      "true true true false",
    ],
    // Members and items
    [
      "{{ o.a }} {{ o['a b'].c }} {{ xs[0] }} {{ xs[-1] }} {{ s[0] }} {{ 'hé👋'[-1] }}",
      "1 deep 1 3 a 👋",
    ],
    ["{{ rows[1].owner.name }} {{ rows[n - 6].name }} {{ o[s[0]] }}", "Cy Bo 1"],
    ["{{ o.in | default('no') }} {{ o.is is defined }}", "no false"],
    // Literals
    [
      "{{ \"it's\" }} {{ 'say \"x\"' }} {{ '\\n\\t\\\\\\x41\\u00e9\\ud83d\\udc4b' }}",
      'it\'s say "x" \n\t\\Aé👋',
    ],
    ["{{ [] }} {{ [1, 'a', [true]] }} {{ [1, 2,] }}", '[] [1, "a", [true]] [1, 2]'],
    [
      "{{ True }} {{ False }} {{ None }}{{ 1.50 }} {{ 2e3 }} {{ 2E-1 }}",
      "true false 1.5 2000.0 0.2",
    ],
    ["{{ '}}' }} {{ '%}' }}", "}} %}"],
  ])("%s", (template, text) => {
    expect(render(template, data)).toEqual({ text });
  });
});
