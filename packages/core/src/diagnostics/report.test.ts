import { describe, expect, it } from "vitest";
import { sourceText, spanIn } from "../base/source.ts";
import { type Diagnostic, DiagnosticCollector, type Edit, formatErrors } from "./diagnostic.ts";
import { applyEdits, mends } from "./suggestion.ts";
import { defineMessages, diagnose } from "./messages.ts";
import { reportErrors } from "./report.ts";

const messages = defineMessages({
  unknownColumn: {
    code: "unknown_column",
    message: "%found% is no column of %entity%.",
    fix: "use %near%. Columns: %columns%",
  },
});

const program = "Boat{state=moored}.sort(lenght, desc)";
const source = sourceText(program);
const args = {
  found: "lenght",
  entity: "Boat",
  near: "length",
  columns: "built, flags, id, length, meta, name, note, owner, state",
};

function mistake(start: number, end: number, edits?: readonly Edit[]): Diagnostic {
  return diagnose(messages.unknownColumn, spanIn(source, start, end), args, edits);
}

const mended = mistake(24, 30, [{ span: { start: 24, end: 30 }, replacement: "length" }]);

describe("the error object and its text", () => {
  it("ERR-010: the text form", () => {
    expect(formatErrors(reportErrors(source, [mended], () => true))).toBe(
      [
        "error unknown_column at 1:25",
        "Boat{state=moored}.sort(lenght, desc)",
        "                        ^^^^^^",
        "lenght is no column of Boat.",
        "fix: use length. Columns: built, flags, id, length, meta, name, note, owner, state",
        "try:",
        "Boat{state=moored}.sort(length, desc)",
      ].join("\n"),
    );
  });

  it("quotes at most 2,600 characters of a program in a message, however long the offending text", () => {
    const long = diagnose(messages.unknownColumn, spanIn(source, 24, 30), {
      ...args,
      found: "z".repeat(262_144),
    });
    expect(long.message).toBe(`${"z".repeat(2_599)}… is no column of Boat.`);
  });

  it("ERR-001: code, message, span, snippet, correction, suggested program", () => {
    expect(reportErrors(source, [mistake(24, 30)], () => true).errors).toEqual([
      {
        code: "unknown_column",
        message: "lenght is no column of Boat.",
        span: { start: 24, end: 30, line: 1, column: 25 },
        snippet: `${program}\n${" ".repeat(24)}^^^^^^`,
        correction: "use length. Columns: built, flags, id, length, meta, name, note, owner, state",
        suggestedProgram: null,
      },
    ]);
  });

  it("ERR-004: the first ten by start, then `n more`, separated by empty lines", () => {
    const many = Array.from({ length: 12 }, (_, at) => mistake(11 - at, 12 - at));
    const report = reportErrors(source, many, () => true);
    expect(report.errors.map(({ span }) => span.start)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(report.more).toBe(2);
    expect(formatErrors(report).split("\n\n").at(-1)).toBe("2 more");
  });

  it("ERR-005: one mistake is reported once", () => {
    const collector = new DiagnosticCollector();
    for (const found of [mistake(5, 6), mistake(0, 4), mistake(5, 9)]) collector.add(found);
    expect(collector.sorted().map(({ span }) => span.start)).toEqual([0, 5]);
  });
});

describe("ERR-008: suggestions", () => {
  it("a suggestion that does not stand the recheck is not given", () => {
    expect(reportErrors(source, [mended], () => false).errors[0]?.suggestedProgram).toBe(null);
  });

  it("the recheck sees the edited program and the other mistakes", () => {
    const other = mistake(0, 4);
    const { errors } = reportErrors(source, [mended, other], (suggestion) => {
      expect(suggestion.program).toBe("Boat{state=moored}.sort(length, desc)");
      expect(suggestion.mended).toBe(mended);
      expect(suggestion.others).toEqual([other]);
      return true;
    });
    expect(errors.map(({ suggestedProgram }) => suggestedProgram)).toEqual([
      null,
      "Boat{state=moored}.sort(length, desc)",
    ]);
  });

  const after = mistake(32, 36);
  const suggestion = (edits: readonly Edit[]) => ({
    program: applyEdits(program, edits),
    edits,
    mended,
    others: [mistake(0, 4), after],
  });
  const shorter = [{ span: { start: 24, end: 30 }, replacement: "id" }];

  it.each([
    ["no mistake is left", [], true],
    ["a known one is where it was", [mistake(0, 4)], true],
    ["a known one is where the edit moved it", [mistake(28, 32)], true],
    ["a known one is not where the edit moved it", [after], false],
    ["the mended one is still there", [mistake(24, 26)], false],
    ["there is a new one", [mistake(0, 4), mistake(1, 4)], false],
    ["there are as many as before", [mistake(0, 4), mistake(28, 32), mistake(30, 32)], false],
  ])("mends when %s: %s", (_, remaining, expected) => {
    expect(mends(suggestion(shorter), remaining)).toBe(expected);
  });

  it("edits are applied in order of place, insertions included", () => {
    const edits = [
      { span: { start: 4, end: 4 }, replacement: "!" },
      { span: { start: 0, end: 1 }, replacement: "" },
      { span: { start: 5, end: 7 }, replacement: "xyz" },
    ];
    expect(applyEdits("abcdefgh", edits)).toBe("bcd!exyzh");
  });
});
