import type { Json } from "@plasm/core";
import { expect, test } from "vitest";
import { cleanJson, markupText } from "./api-text.ts";

const words = (markup: string): string => markupText(markup).replace(/\s+/g, " ").trim();

test.each([
  ["<html><body><h1>Bad</h1> gateway</body></html>", "Bad gateway"],
  ["a<script>x < y</script>b<STYLE type='t'>p {}</STYLE>c", "a b c"],
  ["<script>never closed", "never closed"],
  ["<styled>kept</styled>", "kept"],
  ["1 < 2", "1 < 2"],
  ["", ""],
])("RUN-039 %s says %s", (markup, said) => {
  expect(words(markup)).toBe(said);
});

test.each(["<", "<script ", "<style>", "<script></scrip"])(
  "RUN-039 a page of nothing but %s is read in one pass",
  (part) => {
    const page = part.repeat(Math.ceil((64 * 1024) / part.length));
    // A pass for each "<" would take hours for so many pages.
    for (let pages = 0; pages < 200; pages++) markupText(page);
    expect(markupText(page).length).toBeLessThanOrEqual(page.length);
  },
);

test.each([
  [
    ["a", "b\u0007", ["c"]],
    ["a", "b", ["c"]],
  ],
  [
    { a: 1, "b\u0007": { c: ["d", "e\u0000"] }, f: null },
    { a: 1, b: { c: ["d", "e"] }, f: null },
  ],
])("RUN-143 %j is data without control characters", (value, clean) => {
  const before = JSON.stringify(value);
  expect(JSON.stringify(cleanJson(value))).toBe(JSON.stringify(clean));
  expect(JSON.stringify(value)).toBe(before);
  expect(cleanJson(clean)).toBe(clean);
});

test("RUN-143 one character in the deepest of a hundred lists is looked at once", () => {
  let value: Json = "a\u0007";
  for (let depth = 0; depth < 50; depth++) value = [{ in: value }];
  expect(JSON.stringify(cleanJson(value))).toBe(JSON.stringify(value).replace("\\u0007", ""));
});
