import { describe, expect, test } from "vitest";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { errorsOf, planOf } from "../../test/plan-of.ts";

const twenty = (text: string): string => Array.from({ length: 20 }, () => text).join(", ");

/** A literal, lines that each nest the one before twenty times, and a return of the last. */
function nested(lines: number, line: (before: string) => string, first = '{v: "x"}'): string {
  const text = [`a0 = ${first}`];
  for (let at = 1; at <= lines; at += 1) text.push(`a${at} = ${line(`a${at - 1}`)}`);
  return [...text, `a${lines}`].join("\n");
}

const ROWS = (before: string): string => `${before} => {v: [${twenty("_.v")}]}`;
const WHOLE = (before: string): string => `${before} => {v: [${twenty("_")}], w: 1}`;
const CELLS = (before: string): string => `{v: [${twenty(`${before}.v`)}]}`;
const COLUMNS = (before: string): string => `${before}.limit(5)[v] => {v: [${twenty("_.v")}]}`;

describe("18.13 literals that are nested by binding", () => {
  test.each([
    ["rows of rows", ROWS],
    ["whole rows", WHOLE],
    ["cells of literals", CELLS],
    ["rows with steps between them", COLUMNS],
  ])("18.13 %s are refused when planned, with the size they would have", (_, line) => {
    const [error, ...others] = errorsOf(nested(7, line), quayExposure);
    expect(others).toEqual([]);
    expect(error).toMatchObject({ code: "too_large", span: { line: 7 } });
    expect(error?.message).toBe("What this makes, written out, is too large.");
    expect(error?.correction).toMatch(
      /^at most [\d,]+ (cells|bytes) are allowed, this has [\d,]+$/,
    );
  });

  test.each([
    ["rows of rows", ROWS],
    ["cells of literals", CELLS],
  ])("18.13 %s that fit are planned", (_, line) => {
    expect(planOf(nested(4, line), quayExposure).nodes).toHaveLength(5);
  });

  test("18.13 a long text that is nested counts by its bytes", () => {
    const first = `{v: "${"x".repeat(2_000)}"}`;
    expect(errorsOf(nested(4, ROWS, first), quayExposure)).toMatchObject([
      { code: "too_large", correction: expect.stringContaining("bytes") as string },
    ]);
  });

  test("18.13 what an API has to give is left to the run", () => {
    const text = nested(7, ROWS, "Boat => {v: _.name}");
    expect(planOf(text, quayExposure).nodes).toHaveLength(9);
  });
});
