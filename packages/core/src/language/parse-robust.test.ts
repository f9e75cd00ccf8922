import fc from "fast-check";
import { assertProperty } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { garbage } from "../../test/arbitrary-garbage.ts";
import { parsedTexts } from "../../test/properties/texts.ts";
import { parse, parseProgram } from "./grammar/parse.ts";

describe("LANG-001: any input gives a tree or positioned errors", () => {
  it("never throws; spans lie in the text; a tree in error is reported", () =>
    assertProperty(parsedTexts));

  it("shows at most ten errors and counts the rest (ERR-004)", () => {
    fc.assert(
      fc.property(garbage, (text) => {
        const { errors, more } = parseProgram(text);
        expect(errors.length + more).toBe(parse(text).diagnostics.length);
        expect(errors.length).toBeLessThanOrEqual(10);
        expect(errors.map(({ span }) => span.start)).toEqual(
          errors.map(({ span }) => span.start).toSorted((a, b) => a - b),
        );
      }),
    );
  });

  it("suggests only programs with fewer errors and none of a new code (ERR-008)", () => {
    fc.assert(
      fc.property(garbage, (text) => {
        const before = parse(text).diagnostics;
        for (const { suggestedProgram } of parseProgram(text).errors) {
          if (suggestedProgram === null) continue;
          const after = parse(suggestedProgram).diagnostics;
          expect(after.length).toBeLessThan(before.length);
          const codes = before.map(({ code }) => code);
          expect(after.every(({ code }) => codes.includes(code))).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("LANG-001: the parser takes linear time", () => {
  const shapes: readonly [string, (size: number) => string][] = [
    ["heredoc openers in one run", (size) => "<<".repeat(size / 2)],
    ["heredoc openers on one line", (size) => "<<A ".repeat(size / 4)],
    ["heredoc openers, one a line", (size) => "<<A\n".repeat(size / 4)],
    ["unclosed heredocs of many tags", (size) => lines(size, (n) => `a${n} = <<T${n} x`)],
    ["round brackets", (size) => "(".repeat(size)],
    ["opened and closed brackets", (size) => "f(".repeat(size / 4) + ")".repeat(size / 2)],
    ["conditions in conditions", (size) => `Boat${"{any".repeat(size / 4)}`],
    ["unclosed statements", (size) => "a{\n".repeat(size / 3)],
    ["double quotes", (size) => '"'.repeat(size)],
    ["escaped quotes", (size) => '"\\'.repeat(size / 2)],
    ["apostrophes and quotes", (size) => `"${"' ".repeat(size / 2)}`],
    ["one word", (size) => "a".repeat(size)],
    ["hyphens behind a dot", (size) => `Boat.a${"-".repeat(size)}`],
    ["blanks", (size) => `Boat${" ".repeat(size)}`],
    ["blank lines", (size) => `Boat${"\n".repeat(size)}`],
    ["comments", (size) => ";; c\n".repeat(size / 5)],
    ["steps", (size) => `Boat${".limit(5)".repeat(size / 9)}`],
    ["steps on lines", (size) => `Boat${"\n.limit(5)".repeat(size / 10)}`],
    ["list items", (size) => `a = [${"1,".repeat(size / 2)}]`],
    ["bad list items", (size) => `a = [${"5.,".repeat(size / 3)}]`],
    ["unquoted list items", (size) => `a = [${"a b,".repeat(size / 4)}]`],
    ["bad statements", (size) => "a b c\n".repeat(size / 6)],
    ["bad labels", (size) => "e1 = Boat\n".repeat(size / 10)],
    ["line breaks", (size) => `Boat${"\n,a".repeat(size / 3)}`],
    ["strange characters", (size) => "é".repeat(size / 2)],
    ["strange blanks", (size) => "a\u00a0".repeat(size / 3)],
    ["semicolons", (size) => ";".repeat(size)],
    ["fences", (size) => "```\n".repeat(size / 4)],
    ["one fence", (size) => "`".repeat(size)],
    ["comment signs of other languages", (size) => `Boat${"\n# c".repeat(size / 4)}\n.limit(5)`],
    ["statements apart by semicolons", (size) => "a; ".repeat(size / 3)],
    ["line ends of other systems", (size) => "a, \u2028".repeat(size / 6)],
    ["joined conditions", (size) => `Boat{a=1${" and b=2 or (c=3)".repeat(size / 17 - 1)}}`],
    ["joined values", (size) => `Boat{a=x${" || y".repeat(size / 5 - 2)}}`],
    ["clauses", (size) => `Boat${" order by a".repeat(size / 11 - 1)}`],
    ["literals in a binding", (size) => `x = ${"5, ".repeat(size / 3 - 2)}`],
    ["dots", (size) => ".".repeat(size)],
    ["missing commas", (size) => `Boat{${"a=b ".repeat(size / 4)}}`],
  ];

  function lines(size: number, line: (n: number) => string): string {
    const parts: string[] = [];
    for (let length = 0, n = 0; length < size; n++) {
      const text = `${line(n)}\n`;
      parts.push(text);
      length += text.length;
    }
    return parts.join("").slice(0, size);
  }

  it.each(shapes)("%s: at most 60 steps a character at 1, 16 and 256 KB", (_, shape) => {
    for (const size of [1 << 10, 1 << 14, (1 << 18) - 16]) {
      const text = shape(size);
      const { steps } = parse(text);
      expect(steps).toBeLessThanOrEqual(60 * text.length + 1000);
    }
  });

  it.each(shapes)("%s: errors are shown, too, at 256 KB", (_, shape) => {
    const { errors } = parseProgram(shape((1 << 18) - 16));
    expect(errors.length).toBeLessThanOrEqual(10);
  });
});
