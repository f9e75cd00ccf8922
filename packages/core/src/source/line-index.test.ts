import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wellFormedText } from "../../test/arbitrary-text.ts";
import { indexLines, spanAt } from "./line-index.ts";

describe("ERR-002: spans", () => {
  it.each([
    ["", 0, 0, { start: 0, end: 0, line: 1, column: 1 }],
    ["ab", 1, 2, { start: 1, end: 2, line: 1, column: 2 }],
    ["a\nb", 2, 3, { start: 2, end: 3, line: 2, column: 1 }],
    ["a\r\nb", 3, 4, { start: 3, end: 4, line: 2, column: 1 }],
    ["😀b", 2, 3, { start: 2, end: 3, line: 1, column: 2 }],
    ["😀\n😀😀x", 7, 8, { start: 7, end: 8, line: 2, column: 3 }],
    ["ab", 5, 9, { start: 2, end: 2, line: 1, column: 3 }],
    ["ab", 2, 1, { start: 2, end: 2, line: 1, column: 3 }],
  ])("%j %d..%d", (text, start, end, expected) => {
    expect(spanAt(indexLines(text), start, end)).toEqual(expected);
  });

  it("line and column are those a count from the start gives", () => {
    fc.assert(
      fc.property(wellFormedText(), fc.nat(), (text, number) => {
        const points = Array.from(text);
        const before = points.slice(0, number % (points.length + 1)).join("");
        const span = spanAt(indexLines(text), before.length, before.length);
        const lines = before.split("\n");
        expect([span.line, span.column]).toEqual([
          lines.length,
          Array.from(lines.at(-1) ?? "").length + 1,
        ]);
      }),
    );
  });
});
