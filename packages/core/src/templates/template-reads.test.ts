import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../values/value-type.ts";
import { evaluateTemplate, type TemplateOutcome } from "./evaluate/evaluate-template.ts";
import { parseTemplate } from "./parse/parse-template.ts";
import { placeAsWritten, renameOuter } from "./template-reads.ts";
import { CATALOG_LIMITS } from "./testing/render.ts";
import { bindingsArbitrary, templateArbitrary } from "./testing/template-arbitrary.ts";

test.each<[string, Record<string, string>, string]>([
  ["{{ a.b }} a {{ b.a }}", { a: "n1" }, "{{ n1.b }} a {{ b.a }}"],
  [
    "{% for r in a %}{{ r.a }}{{ a }}{% endfor %}",
    { a: "n1" },
    "{% for r in n1 %}{{ r.a }}{{ n1 }}{% endfor %}",
  ],
  [
    "{% for a in a %}{{ a.x }}{% endfor %}{{ a }}",
    { a: "n1" },
    "{% for a in n1 %}{{ a.x }}{% endfor %}{{ n1 }}",
  ],
  ["{% set n1 = 2 %}{{ n1 }}{{ a }}", { a: "n1" }, "{% set n1 = 2 %}{{ n1 }}{{ n1_ }}"],
  ["{{ a }}{{ b }}{{ c }}", { a: "b", b: "a" }, "{{ b }}{{ a }}{{ c }}"],
  ["{{ a }}{{ b }}", { a: "n1", b: "n1" }, "{{ n1 }}{{ n1 }}"],
  ["{% set n1 = 1 %}{{ a }}{{ b }}", { a: "n1", b: "n1" }, "{% set n1 = 1 %}{{ n1_ }}{{ n1_ }}"],
  ["{{ a }}{{ c }}", { a: "c" }, "{{ c_ }}{{ c }}"],
  [
    "{% for r in a %}{{ loop.index }}{% endfor %}",
    { a: "loop" },
    "{% for r in loop_ %}{{ loop.index }}{% endfor %}",
  ],
  [
    "{{ a ~ 'a' }}{# a #}{{ x.split(a)[a] }}",
    { a: "b" },
    "{{ b ~ 'a' }}{# a #}{{ x.split(b)[b] }}",
  ],
])("%s with %j is %s", (text, wanted, expected) => {
  expect(renameOuter(text, new Map(Object.entries(wanted))).text).toBe(expected);
});

function outcomeOf(text: string, bindings: JsonObject): TemplateOutcome {
  const { template } = parseTemplate(text);
  if (template === null) throw new Error(`no template: ${text}`);
  return evaluateTemplate(template, bindings, CATALOG_LIMITS);
}

const OUTER = ["n", "m", "f", "big", "s", "t", "b", "z", "xs", "ws", "o", "rows"];

test("PLAN-011: other names for what a template is given change nothing of what it does", () => {
  // Some are names that the templates give themselves.
  const wish = fc.constantFrom("v", "x", "r", "a_longer_name", "n1", "n", "rows", "loop", "in");
  const wishes = fc.uniqueArray(wish, { minLength: 1, maxLength: 6 });
  const bound = fc.shuffledSubarray(OUTER, { minLength: 6 });
  fc.assert(
    fc.property(templateArbitrary, bindingsArbitrary, wishes, bound, (text, bindings, to, from) => {
      const wanted = new Map(to.map((name, at) => [from[at] ?? "", name]));
      const renamed = renameOuter(text, wanted);
      const others = [...renamed.names].map(([name, other]) => [other, bindings[name] ?? null]);
      const written = outcomeOf(text, { ...bindings });
      const planned = outcomeOf(renamed.text, { ...bindings, ...Object.fromEntries(others) });
      const place = planned.ok ? planned : placeAsWritten(text, renamed.text, planned);
      expect(place).toEqual(written.ok ? written : { start: written.start, end: written.end });
    }),
    { numRuns: 1_000 },
  );
});

/** The text that stands where `of` was in the planned text. */
function writtenAt(written: string, planned: string, of: string): string {
  const start = planned.indexOf(of);
  const range = placeAsWritten(written, planned, { start, end: start + of.length });
  return written.slice(range.start, range.end);
}

test.each([
  ["{{ a.x }} {{ b.y }}", "{{ n10.x }} {{ n2.y }}", "y", "y"],
  ["{{ a.p15 }}{{ rows[0].p2.dock }}", "{{ n1.name }}{{ rows[0].meta.dock }}", "dock", "dock"],
  ["{{ a.p15 }}\n{{ 1 / 0 }}", "{{ n1.name }}\n{{ 1 / 0 }}", "1 / 0", "1 / 0"],
  ["{{ a ~ (1 / 0) }}", "{{ n10 ~ (1 / 0) }}", "1 / 0", "1 / 0"],
  ["{{ r9[0].p15 }}", "{{ n1[0].name }}", "name", "p15"],
  [
    "{% for r in rows %}{{ r.owner.name }}{{ r.p1.z }}{% endfor %}",
    '{% for r in rows %}{{ r["owner.name"] }}{{ r.meta.z }}{% endfor %}',
    "z",
    "z",
  ],
  ["{{ a }} text", "{{ a }} text", "text", "text"],
])("%j planned as %j: %s is %s", (written, planned, of, expected) => {
  expect(writtenAt(written, planned, of)).toBe(expected);
});
