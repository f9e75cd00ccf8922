import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "./parse.ts";
import { parseProgram } from "./parse-program.ts";

const PIECES = [
  ..."()[]{},=.~<>!:;&|+-*/@#$\"'\\ \t\n\r",
  "\r\n",
  "=>",
  "<<",
  "<<T",
  "<<T\n",
  "\nT\n",
  "\nT)",
  "..",
  ";;",
  "==",
  "Boat",
  "a = ",
  "\na = ",
  "Boat{state=lost}",
  ".limit(5)",
  ".sort(length desc)",
  ".aggregate(n=count)",
  ".group_by(owner, n=count)",
  "[id,name]",
  "any{",
  "not{",
  "exists(",
  " in ",
  " and ",
  " or ",
  "_.id",
  "007",
  "-1.5e3",
  "2026-01-05",
  "2026-02-30",
  "today-7d",
  "page(",
  "limit=",
  "return ",
  "true",
  "null",
  "e1",
  "“",
  "ø",
  "\u00a0",
  "\u200b",
  "\u0000",
  "\ud83d\ude00",
  "\ud800",
  "```",
  "\\u00e9",
  "\\q",
];

const garbage = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 60 })
  .map((pieces) => pieces.join(""));
const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), garbage);

/** Every span of a tree, at any depth. */
function* spansOf(node: unknown): Generator<{ start: number; end: number; kind: string }> {
  if (typeof node !== "object" || node === null) return;
  const { span, kind } = node as { span?: { start: number; end: number }; kind?: string };
  if (span !== undefined) yield { start: span.start, end: span.end, kind: kind ?? "part" };
  for (const [key, child] of Object.entries(node)) if (key !== "span") yield* spansOf(child);
}

function hasBad(node: unknown): boolean {
  return [...spansOf(node)].some(({ kind }) => kind === "Bad");
}

describe("LANG-001: any input gives a tree or positioned errors", () => {
  it("never throws, and every span lies in the text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { program, diagnostics } = parse(text);
        const spans = [...spansOf(program), ...diagnostics.map(({ span }) => span)];
        for (const { start, end } of spans) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("reports something whenever the tree holds something in error", () => {
    fc.assert(
      fc.property(garbage, (text) => {
        const { program, diagnostics } = parse(text);
        expect(hasBad(program) && diagnostics.length === 0).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

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
