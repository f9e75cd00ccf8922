import { expect, test } from "vitest";
import { renameOuter } from "./rewrite-template.ts";

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
