import { expect, test } from "vitest";
import { markupText } from "./api-text.ts";

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
