import { expect, it } from "vitest";
import { beyondYamlLimits, type YamlLimits } from "./read-yaml.ts";
import { parseYaml } from "./parse-yaml.ts";

const MOST: YamlLimits = { tokens: 100, nodes: 20, depth: 5 };

it.each([
  ["blanks without end", "\n".repeat(101), "100 signs", 100],
  ["brackets that nothing opened", "]".repeat(101), "100 signs", 100],
  ["texts", "- a\n".repeat(21), "20 nodes", 82],
  ["texts in quotes", "- 'a'\n".repeat(21), "20 nodes", 122],
  ["aliases", `[${"*a ,".repeat(21)}`, "20 nodes", 77],
  ["empty lists", `[${"[],".repeat(21)}`, "20 nodes", 58],
  ["lists in lists", "[".repeat(6), "depth 5", 5],
  ["maps in lists behind others", "[{},[[[[{", "depth 5", 8],
  ["maps in maps in one line", "a: ".repeat(6), "depth 5", 16],
  ["lists in lists in one line", "- ".repeat(6), "depth 5", 10],
])("CAT-013: %s, told where it is too much", (_what, text, what, start) => {
  expect(beyondYamlLimits(text, MOST)).toMatchObject({
    code: "CAT013",
    what: expect.stringContaining(what),
    at: { start },
  });
});

it.each([
  ["brackets in texts", "- '[[[[[[['\n- \"[[[[[[[\"\n- a[[[[[[[\n- |\n  [[[[[[[\n"],
  ["brackets in comments", "# [[[[[[[\na: b # [[[[[[[\n"],
  ["many maps", "a: b\n".repeat(8)],
  ["maps in brackets", "a: {b: c, d: e, f: g, h: i, j: k, l: m}\n"],
  ["colons in texts", "a: b:c:d:e:f:g:h\nb: 'c: d: e: f: g: h: '\n"],
  ["lists one after another", "[[[[]]]]\n"],
  ["dashes in texts and lines", "- - - a\n- - - b - - - c\n- a - - - - -\n"],
])("CAT-013: %s are within them", (_what, text) => {
  expect(beyondYamlLimits(text, MOST)).toBeNull();
  expect(parseYaml(text).problems).toEqual([]);
});
