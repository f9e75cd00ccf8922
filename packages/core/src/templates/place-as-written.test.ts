import { expect, test } from "vitest";
import { placeAsWritten } from "./place-as-written.ts";

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
