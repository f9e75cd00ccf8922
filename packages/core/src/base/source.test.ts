import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wellFormedText } from "../../test/arbitrary-text.ts";
import { indexLines, snippet, sourceText, spanAt, spanIn } from "./source.ts";

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

const show = (text: string, start: number, end: number) => {
  const source = sourceText(text);
  return snippet(source, spanIn(source, start, end)).split("\n");
};

describe("ERR-003: snippets", () => {
  it.each([
    ["one line", "Boat limit(5)", 5, 10, ["Boat limit(5)", "     ^^^^^"]],
    ["a later line", "a\nBoat x\nb", 7, 8, ["Boat x", "     ^"]],
    ["an empty span", "a = Boat", 8, 8, ["a = Boat", "        ^"]],
    ["an empty line", "a\n\nb", 2, 2, ["", "^"]],
    ["at most to the line's end", "a\r\nb", 0, 4, ["a", "^"]],
    ["one caret per code point", "a😀😀b", 1, 5, ["a😀😀b", " ^^"]],
    ["a tab is one blank", "\tBoat x", 6, 7, [" Boat x", "      ^"]],
    ["a control is no control", "a\u0001b", 2, 3, ["a\ufffdb", "  ^"]],
    ["no sign turns what follows", "a\u202e\u2028b", 3, 4, ["a\ufffd\ufffdb", "   ^"]],
    ["half a pair is none", "a\ud83db", 2, 3, ["a\ufffdb", "  ^"]],
  ])("%s", (_, text, start, end, expected) => {
    expect(show(text, start, end)).toEqual(expected);
  });

  it("a line of 120 code points is whole, a longer one is cut around the span", () => {
    expect(show("a".repeat(120), 60, 61)[0]).toBe("a".repeat(120));
    expect(show(`${"a".repeat(200)}B${"a".repeat(200)}`, 200, 201)).toEqual([
      `…${"a".repeat(58)}B${"a".repeat(59)}…`,
      `${" ".repeat(59)}^`,
    ]);
    expect(show(`B${"a".repeat(200)}`, 0, 1)).toEqual([`B${"a".repeat(117)}…`, "^"]);
    expect(show(`${"a".repeat(200)}B`, 200, 201)).toEqual([
      `…${"a".repeat(117)}B`,
      `${" ".repeat(118)}^`,
    ]);
  });

  it("a very long line is cut, and at no half of a character", () => {
    const text = "😀".repeat(50_000);
    expect(show(text, 50_000, 50_002)).toEqual([`…${"😀".repeat(118)}…`, `${" ".repeat(59)}^`]);
    expect(show(`a${text}`, 0, 100_000)).toEqual([`a${"😀".repeat(117)}…`, "^".repeat(118)]);
  });

  it("never takes more than 120 code points, and carets stand below what they mark", () => {
    fc.assert(
      fc.property(wellFormedText({ maxLength: 400 }), fc.nat(), fc.nat(), (text, a, b) => {
        const start = a % (text.length + 1);
        const lines = show(text, start, start + (b % 200));
        expect(lines).toHaveLength(2);
        const [line, marks] = lines.map((shown) => Array.from(shown));
        expect(line?.length).toBeLessThanOrEqual(120);
        expect(marks?.join("")).toMatch(/^ *\^+$/);
        expect(marks?.length).toBeLessThanOrEqual(Math.max(1, (line?.length ?? 0) + 1));
      }),
    );
  });
});
