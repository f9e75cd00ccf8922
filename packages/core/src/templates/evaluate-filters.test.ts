import { describe, expect, test } from "vitest";
import { render } from "./testing/render.ts";

const data = {
  n: 7,
  f: -2.5,
  s: " Añb ",
  gone: null,
  empty: "",
  xs: [1, "a", null, true, 2.5],
  o: {
    q: "a b",
    n: 1,
    yes: true,
    gone: null,
    tags: ["x", "y&z"],
    none: [],
    deep: { b: [1], a: 2 },
  },
};

describe("RUN-101: filters", () => {
  test.each<[string, string]>([
    ["{{ s | lower }}|{{ s | upper }}|{{ s | trim }}|", " añb | AÑB |Añb|"],
    ["{{ n | upper }}{{ true | upper }}{{ gone | upper }}{{ 12.5 | lower }}", "7TRUE12.5"],
    ["{{ '\u00a0\u2003x\ufeff' | trim }}", "x\ufeff"],
    ["{{ 'aXbX' | replace('X', '--') }} {{ 121 | replace('1', '3') }}", "a--b-- 323"],
    ["{{ 'a.b' | replace('.', '$&') }} {{ 'ab' | replace('', '-') }}", "a$&b -a-b-"],
    ["{{ nowhere | default('d') }} {{ o.nothing | default(n) }} {{ n | default(1) }}", "d 7 7"],
    ["[{{ nowhere | default }}] [{{ gone | default('d') }}]", "[] []"],
    [
      "{{ gone | default('d', true) }} {{ 0 | default('d', true) }} {{ 0 | default('d', false) }}",
      "d d 0",
    ],
    ["{{ 'hé👋' | length }} {{ xs | length }} {{ o | length }} {{ [] | length }}", "3 5 7 0"],
    ["{{ xs | first }} {{ xs | last }} {{ '👋b' | first }} {{ 'b👋' | last }}", "1 2.5 👋 👋"],
    ["{{ [] | first is defined }} {{ [] | last | default('d') }}", "false d"],
    [
      "{{ xs | join(', ') }}|{{ xs | join }}|{{ [] | join(',') }}|{{ gone | join(',') }}",
      "1, a, , true, 2.5|1atrue2.5||",
    ],
    ["{{ 'abc' | join('-') }} {{ o.deep | join('-') }}", "a-b-c a-b"],
    [
      "{{ '12' | int }} {{ '-12.9' | int }} {{ f | int }} {{ '1e3' | int }} {{ true | int }}",
      "12 -12 -2 1000 1",
    ],
    ["{{ '12345678901234567890123' | int }} {{ 5.0 | int }}", "12345678901234567890123 5"],
    [
      "{{ 3.7 | round }} {{ 2.5 | round }} {{ f | round }} {{ 2.675 | round(2) }} {{ 5 | round }}",
      "4.0 3.0 -3.0 2.68 5",
    ],
    ["{{ 1234.5 | round(-2) }} {{ 3.7 | round | int }}", "1200.0 4"],
    // Form style: application/x-www-form-urlencoded
    [
      "{{ 'a b&c=d/é~*-._+' | urlencode }} {{ n | urlencode }}{{ gone | urlencode }}",
      "a+b%26c%3Dd%2F%C3%A9%7E*-._%2B 7",
    ],
    ["{{ '👋' | urlencode }}", "%F0%9F%91%8B"],
    ["{{ o.deep | json_encode }} {{ xs | json_encode }}", '{"a":2,"b":[1]} [1,"a",null,true,2.5]'],
    [
      "{{ 'a\"\\n<é' | json_encode }} {{ gone | json_encode }} {{ 12345678901234567890 | json_encode }}",
      '"a\\"\\n<é" null 12345678901234567890',
    ],
    ["{{ 'https://x/' | strip_trailing_slash }} {{ 'x' | strip_trailing_slash }}", "https://x x"],
    ["{{ 'a//' | strip_trailing_slash }}", "a/"],
    ["{{ 'a,b,,c' | split(',') }} {{ ('a,b' | split(','))[1] }}", '["a", "b", "", "c"] b'],
    ["{{ 'a,b'.split(',')[0] }} {{ 'a,b'.split(',')[-1] }} {{ 'a'.split(',') | length }}", "a b 1"],
    [
      "{{ 'abcdef'[1:3] }} {{ 'abcdef'[:2] }} {{ 'abcdef'[-2:] }} {{ [1, 2, 3][1:] }}",
      "bc ab ef [2, 3]",
    ],
    ["{{ 'äö😀x' | slice(1, 3) }}", "ö😀"],
    ["{{ [1, 2.5, '0.10'] | sum }} {{ [] | sum }}", "3.6 0"],
    ["{{ 1234.5 | money }} {{ '0.005' | money }} {{ 3 | money }}", "1234.50 0.01 3.00"],
    ["{{ '2026-01-31T08:05:00Z' | date }}", "2026-01-31"],
    ["{{ '2026-01-31' | date('%a %d.%m.%Y') }}", "Sat 31.01.2026"],
    ["{{ 'a,b'.split(',')[5] | default('none') }}", "none"],
    ["{{ 'o/r/x' | split_part('/', 0) }} {{ 'o/r/x' | split_part('/', -1) }}", "o x"],
    ["{{ 'o' | split_part('/', 1) | default('none') }}", "none"],
    [
      "{{ 'Grö ße (cm)' | sanitize_identifier }} {{ 'a__b' | sanitize_identifier }}",
      "Gr_e_cm a__b",
    ],
    ["{{ '2024 plan' | sanitize_identifier }} {{ '_x_' | sanitize_identifier }}", "_2024_plan _x_"],
    [
      "{{ '' | sanitize_identifier }} {{ 'é' | sanitize_identifier }} {{ 7 | sanitize_identifier }}",
      "_ _ _7",
    ],
    ["{{ 'a b/c d//2' | join_sanitize('__', '/') }}", "a_b__c_d___2"],
    ["[{{ '' | join_sanitize('__', '/') }}]", "[]"],
  ])("%s", (template, text) => {
    expect(render(template, data)).toEqual({ text });
  });
});

describe("RUN-101: wire_time writes a date's value formats in UTC, and passes digits and now…", () => {
  test.each<[string, string, string]>([
    ["2026-01-31", "iso8601_date", "2026-01-31"],
    ["2026-01-31", "rfc3339", "2026-01-31T00:00:00Z"],
    ["2026-01-31T10:00:00+02:00", "rfc3339", "2026-01-31T08:00:00Z"],
    ["2026-01-31T23:00:00-02:00", "iso8601_date", "2026-02-01"],
    ["2026-01-31T10:00:00.25Z", "unix_ms", "1769853600250"],
    ["2026-01-31T10:00:00Z", "unix_sec", "1769853600"],
    ["1769853600", "rfc3339", "1769853600"],
    ["now", "unix_ms", "now"],
    ["now-1h", "rfc3339", "now-1h"],
  ])("%s as %s", (value, format, text) => {
    const bindings = { value, format };
    expect(render("{{ value | wire_time(format) }}", bindings)).toEqual({ text });
    expect(render(`{{ value | wire_time('${format}') }}`, bindings)).toEqual({ text });
  });

  test("numbers pass, null gives nothing, the result can be calculated with", () => {
    const template =
      "{{ 1769853600 | wire_time('rfc3339') }}|{{ none | wire_time('rfc3339') }}|{{ (d | wire_time('unix_sec')) + 1 }}";
    expect(render(template, { d: "1970-01-01" })).toEqual({ text: "1769853600||1" });
  });
});

describe("RUN-101: wire_query_suffix turns a JSON object into &k=v", () => {
  test.each<[unknown, string]>([
    [data.o, "&deep=%7B%22a%22%3A2%2C%22b%22%3A%5B1%5D%7D&n=1&q=a+b&tags=x&tags=y%26z&yes=true"],
    [{}, ""],
    ['{"b": 1, "a": "x y"}', "&a=x+y&b=1"],
    [
      '{"id": 12345678901234567890, "f": 0.5, "e": 1e400, "t": "12345678901234567890"}',
      "&e=1e400&f=0.5&id=12345678901234567890&t=12345678901234567890",
    ],
    [null, ""],
    ["", ""],
    ["  ", ""],
    [{ "a&b": "c=d" }, "&a%26b=c%3Dd"],
  ])("%j", (value, text) => {
    const bindings = JSON.parse(JSON.stringify({ value }));
    expect(render("{{ value | wire_query_suffix }}", bindings)).toEqual({ text });
  });
});
