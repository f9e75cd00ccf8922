import { expect, test } from "vitest";
import { parseTemplate } from "./parse/parse-template.ts";
import { templateNames } from "./template-names.ts";

/** Names as `written → root.path`, `[]` an item, `[?]` something computed, `?` in front if maybe set. */
function namesOf(text: string): readonly string[] {
  const { template } = parseTemplate(text);
  if (template === null) throw new Error(`no template: ${text}`);
  return templateNames(template).map(({ root, steps, start, end, maybeSet }) => {
    const path = steps.map((step) => {
      if (step.kind === "item") return "[]";
      if (step.kind === "computed") return "[?]";
      const written = text.slice(step.start, step.end);
      expect(written.includes(step.key)).toBe(true);
      return step.quoted ? `[${step.key}]` : `.${step.key}`;
    });
    return `${maybeSet ? "?" : ""}${text.slice(start, end)} → ${root}${path.join("")}`;
  });
}

test.each<[string, readonly string[]]>([
  ["text {# c #}", []],
  ["{{ a }}", ["a → a"]],
  ["{{ a.b.c }}", ["a → a.b.c"]],
  ["{{ a['b c'].d }}", ["a → a[b c].d"]],
  ["{{ a[0].b }} {{ a[-1].c }}", ["a → a[].b", "a → a[].c"]],
  ["{{ a[i].b }} {{ a[b.c] }}", ["a → a[?].b", "i → i", "a → a[?]", "b → b.c"]],
  ["{{ 'a' ~ 1 ~ true ~ none }}", []],
  ["{{ [a, b.c] }}", ["a → a", "b → b.c"]],
  ["{{ not a and b or -c }}", ["a → a", "b → b", "c → c"]],
  ["{{ a if b.c else d }}", ["a → a", "b → b.c", "d → d"]],
  ["{{ a | replace(b, c.d) }}", ["a → a", "b → b", "c → c.d"]],
  ["{{ a is defined }} {{ b.c is none }}", ["a → a", "b → b.c"]],
  ["{{ a.split(b)[0] }}", ["a → a", "b → b"]],
  ["{{ (a | first).b }} {{ (a | last).c }}", ["a → a[].b", "a → a[].c"]],
  ["{{ (a | default(b)).c }}", ["a → a", "b → b"]],
  [
    "{% for r in rows %}{{ r.x }}{% else %}{{ r }}{% endfor %}{{ r.y }}",
    ["rows → rows", "r → rows[].x", "r → r", "r → r.y"],
  ],
  ["{% for r in a.b %}{{ r }}{% endfor %}", ["a → a.b", "r → a.b[]"]],
  [
    "{% for r in rows %}{% for t in r.tags %}{{ t.n }}{{ r.x }}{% endfor %}{% endfor %}",
    ["rows → rows", "r → rows[].tags", "t → rows[].tags[].n", "r → rows[].x"],
  ],
  ["{% for x in [a] %}{{ x.b }}{% endfor %}", ["a → a"]],
  ["{% for x in x %}{{ x.b }}{% endfor %}", ["x → x", "x → x[].b"]],
  [
    "{% for r in rows %}{{ loop.index }}{{ loop.previtem.x }}{% endfor %}{{ loop.y }}",
    ["rows → rows", "loop.previtem → rows[].x", "loop → loop.y"],
  ],
  ["{% set a = b %}{{ a.c }}", ["b → b", "a → b.c"]],
  ["{% set a = rows[0].owner %}{{ a.c }}", ["rows → rows[].owner", "a → rows[].owner.c"]],
  ["{% set a = b ~ c %}{{ a.d }}", ["b → b", "c → c"]],
  ["{{ a }}{% set a = 1 %}{{ a }}", ["a → a"]],
  ["{% set a = a %}{{ a.b }}", ["a → a", "a → a.b"]],
  ["{% if c %}{% set a = 1 %}{% endif %}{{ a }}", ["c → c", "?a → a"]],
  ["{% if c %}{% set a = 1 %}{% else %}{% set a = 2 %}{% endif %}{{ a }}", ["c → c"]],
  ["{% set a = b %}{% if c %}{% set a = d %}{% endif %}{{ a.e }}", ["b → b", "c → c", "d → d"]],
  ["{% set a = b %}{% if c %}x{% endif %}{{ a.e }}", ["b → b", "c → c", "a → b.e"]],
  [
    "{% for r in rows %}{% set a = r %}{{ a.x }}{% endfor %}{{ a }}",
    ["rows → rows", "r → rows[]", "a → rows[].x", "a → a"],
  ],
  ["{% for r in rows %}{% else %}{% set a = 1 %}{% endfor %}{{ a }}", ["rows → rows", "?a → a"]],
])("LANG-081: the names of %s", (text, expected) => {
  expect(namesOf(text)).toEqual(expected);
});

test("paths that only chains of set make end with a computed step", () => {
  const text = `{% set a = b %}${"{% set a = a.c %}".repeat(3_000)}{{ a.d }}`;
  const { template } = parseTemplate(text);
  const last = template && templateNames(template).at(-1);
  expect(last?.root).toBe("b");
  expect(last?.steps).toHaveLength(201);
  expect(last?.steps.at(-1)).toEqual({ kind: "computed" });
});

test.each<[string, readonly string[]]>([
  ["{{ rows }}", ["rows"]],
  ["{% for r in rows %}{{ r.x }}{{ r }}{% endfor %}", ["rows[].x", "rows[]"]],
  ["{% for r in rows %}{{ loop.index }}{% else %}none{% endfor %}", []],
  ["{{ rows | length }}{% if rows %}y{% endif %}{{ 1 if not a }}{{ b is none }}", []],
  ["{{ a or b }}", ["a", "b"]],
  ["{{ rows | json_encode }}", ["rows"]],
  ["{% set a = rows[0] %}{{ a.x }}", ["rows[].x"]],
  ["{% if a %}{% set b = c %}{% else %}{% set b = d %}{% endif %}{{ b.x }}", ["c", "d"]],
  ["{% if a %}{% set b = c %}{% endif %}{{ b }}", ["c", "b"]],
  ["{% set b = c %}{% if a %}{% set b = d %}{% endif %}{{ b.x }}", ["c", "d"]],
])("LANG-081: values that %s uses themselves", (text, expected) => {
  const { template } = parseTemplate(text);
  if (template === null) throw new Error(`no template: ${text}`);
  const used = templateNames(template).filter(({ use }) => use === "whole");
  const paths = used.map(({ root, steps }) => {
    return root + steps.map((step) => (step.kind === "key" ? `.${step.key}` : "[]")).join("");
  });
  expect(paths).toEqual(expected);
});
