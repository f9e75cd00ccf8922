import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../values/value-type.ts";
import { evaluateTemplate } from "./evaluate/evaluate-template.ts";
import { parseTemplate } from "./parse/parse-template.ts";
import { CATALOG_LIMITS, render } from "./testing/render.ts";
import { templateArbitrary } from "./testing/template-arbitrary.ts";

const PROGRAM_LIMITS = { steps: 1_000_000, output: 1_048_576 };
const numbers = (length: number) => Array.from({ length }, (_, index) => index);

describe("RUN-101, LANG-082: steps", () => {
  test("each tag, turn, operator, filter and list item is one", () => {
    const needs = (template: string, steps: number, bindings = {}) => {
      const limits = { steps, output: 1000 };
      expect(render(template, bindings, limits)).toHaveProperty("text");
      const fewer = render(template, bindings, { ...limits, steps: steps - 1 });
      expect(fewer).toHaveProperty("failure", `The template takes more than ${steps - 1} steps.`);
    };
    needs("{{ 1 }}", 1);
    needs("text {{ 1 }}{{ 2 }}", 2);
    needs("{{ a.b.c }}", 1, { a: { b: { c: 1 } } });
    needs("{{ 1 + 2 * 3 }}", 3);
    needs("{{ 'a' | upper | lower }}", 3);
    needs("{% set a = 1 %}{% if a %}{% endif %}", 2);
    needs("{% for x in xs %}{{ x }}{% endfor %}", 6, { xs: [1, 2, 3] });
    needs("{% for x in [1, 2] %}{% endfor %}", 5);
  });

  test("100,000 steps are enough for 1,000 rows of 40 columns, and stop more loops", () => {
    const cells = "{{ r.x }} ".repeat(40);
    const rows = numbers(1000).map((x) => ({ x }));
    const template = `{% for r in rows %}${cells}{% endfor %}`;
    expect(render(template, { rows })).toHaveProperty("text");
    const loops = "{% for a in xs %}{% for b in xs %}{% endfor %}{% endfor %}";
    expect(render(loops, { xs: numbers(1000) })).toEqual({
      failure: "The template takes more than 100000 steps.",
      at: "xs",
    });
  });

  test("10,000 rows of 50 columns fit a program's limits", () => {
    const rows = numbers(10_000).map((x) => ({ x }));
    const template = `{% for r in rows %}${"{{ r.x }} ".repeat(20)}{% endfor %}`;
    expect(render(template, { rows }, PROGRAM_LIMITS)).toHaveProperty("text");
  });
});

describe("RUN-101, LANG-082: characters", () => {
  test("the output has at most so many", () => {
    const limits = { steps: 100, output: 10 };
    expect(render("12345{{ x }}", { x: "67890" }, limits)).toEqual({ text: "1234567890" });
    expect(render("12345{{ x }}", { x: "678901" }, limits)).toEqual({
      failure: "The output is longer than 10 characters.",
      at: "x",
    });
    expect(render("12345{{ x }}6789", { x: "ab" }, limits)).toHaveProperty("at", "6789");
  });

  test.each([
    "{{ 'a' * 100000000000000 }}",
    "{{ 100000000000000 * 'ab' }}",
    "{{ x | replace('a', x) | length }}",
    "{{ y | replace('', x) | length }}",
    "{{ [x, x, x] | join(x) | length }}",
    "{{ (x ~ x ~ x) | length }}",
    "{{ (x + x + x) | length }}",
    "{{ [x, x, x] | json_encode | length }}",
    "{{ ([x, x, x] ~ '') | length }}",
    "{{ xs | join_sanitize(x, ',') }}",
  ])("no text on the way is longer: %s", (template) => {
    const bindings = { x: "a".repeat(100_000), y: "aaa", xs: "b,".repeat(1000) };
    const rendered = render(template, bindings);
    expect(rendered).toHaveProperty(
      "failure",
      expect.stringMatching(/^The text is longer than 262144 characters\.$/),
    );
  });

  test("doubling a text again and again ends at the limit", () => {
    const template = `{% set a = 'x' %}${"{% set a = a ~ a %}".repeat(1000)}{{ a | length }}`;
    expect(render(template)).toHaveProperty("failure");
    const list = `{% set a = [1] %}${"{% set a = a + a %}".repeat(1000)}{{ a | length }}`;
    expect(render(list)).toHaveProperty("failure", "The template takes more than 100000 steps.");
    const number = `{% set a = 3 %}${"{% set a = a * a %}".repeat(1000)}{{ a }}`;
    expect(render(number)).toHaveProperty("failure", expect.stringContaining("2^127"));
  });
});

test("long work on long texts counts as steps", () => {
  const bindings = { xs: numbers(10_000), long: "ab".repeat(500_000) };
  const limits = { steps: 1_000_000, output: 1_048_576 };
  for (const part of [
    "long | length",
    "long | upper",
    "long == long ~ ''",
    "'z' in long",
    "long[-1]",
    "long.split('z') | length",
  ]) {
    const template = `{% for x in xs %}{% if ${part} %}{% endif %}{% endfor %}`;
    expect(render(template, bindings, limits)).toHaveProperty(
      "failure",
      "The template takes more than 1000000 steps.",
    );
  }
});

const HOSTILE = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "length",
  "then",
];

describe("RUN-101: no host objects", () => {
  test.each(HOSTILE)("%s is a plain key", (name) => {
    expect(render(`{{ ${name} is defined }}`)).toEqual({ text: "false" });
    for (const holder of ["{}", "[]", '"text"', "1", "null", "true"]) {
      const bindings = { x: JSON.parse(holder) };
      expect(render(`{{ x.${name} is defined }}{{ x['${name}'] is defined }}`, bindings)).toEqual({
        text: "falsefalse",
      });
    }
    const own = JSON.parse(`{"x": {"${name}": 1}, "${name}": 2}`);
    expect(render(`{{ x.${name} }}{{ x['${name}'] }}{{ ${name} }}`, own)).toEqual({ text: "112" });
    expect(render(`{% set ${name} = 3 %}{{ ${name} }}`)).toEqual({ text: "3" });
    expect(render(`{{ '${name}' in x }}`, { x: {} })).toEqual({ text: "false" });
  });

  test("what is no JSON is not there, and never run", () => {
    let ran = 0;
    const touch = () => ++ran;
    const x: JsonObject = {};
    Object.assign(x, { date: new Date(0), map: new Map(), call: touch, nan: Number.NaN, big: 1n });
    Object.defineProperty(x, "getter", { get: touch, enumerable: true });
    const bindings: JsonObject = { x, proxy: Object.create({ inherited: 1 }) };
    for (const key of ["date", "map", "call", "getter", "nan", "big"]) {
      expect(render(`{{ x.${key} is defined }}`, bindings)).toEqual({ text: "false" });
    }
    expect(render("{{ proxy is defined }}", bindings)).toEqual({ text: "false" });
    expect(render("{{ x }}", bindings)).toHaveProperty("text", expect.stringContaining("null"));
    expect(ran).toBe(0);
  });
});

test("data of any depth is no danger", () => {
  let deep: Json = 1;
  for (let level = 0; level < 50_000; level++) deep = level % 2 === 0 ? [deep] : { x: deep };
  for (const template of ["{{ x }}", "{{ x | json_encode }}", "{{ x == y }}", "{{ x in [y] }}"]) {
    const rendered = render(template, { x: deep, y: structuredCloneOf(deep) });
    expect(rendered).toHaveProperty("failure", "The data nests more than 200 levels deep.");
  }
});

/** The same data in other objects, however deep. */
function structuredCloneOf(value: Json): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { ...value }
    : value;
}

test("any template over any data ends with a text or a failure within the template", () => {
  fc.assert(
    fc.property(
      templateArbitrary,
      fc.dictionary(fc.constantFrom(..."nmfsbozt", "xs", "ws", "rows", "big"), fc.jsonValue()),
      (text, data) => {
        const { template } = parseTemplate(text);
        if (template === null) throw new Error(`no template: ${text}`);
        const bindings = JSON.parse(JSON.stringify(data));
        const outcome = evaluateTemplate(template, bindings, CATALOG_LIMITS);
        if (outcome.ok) return;
        expect(outcome.start >= 0 && outcome.end <= text.length).toBe(true);
        expect(outcome.message).not.toMatch(/undefined|\[object/);
      },
    ),
    { numRuns: 1000 },
  );
});

test("the same template and data give the same text, whatever the order of members", () => {
  const template = "{% for k in o %}{{ k }}{% endfor %}{{ o }}{{ o | json_encode }}{{ o | join }}";
  const one = render(template, { o: { b: 1, a: 2, é: 3, Z: 4 } });
  expect(render(template, { o: { Z: 4, é: 3, a: 2, b: 1 } })).toEqual(one);
});
