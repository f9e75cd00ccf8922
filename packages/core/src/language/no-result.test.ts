import { describe, expect, it } from "vitest";
import { applyEdits } from "../diagnostics/edits.ts";
import { labelWithoutRoot, noResult } from "./no-result.ts";
import { parse } from "./parse.ts";

describe("C-058, LANG-012: a program that only binds", () => {
  it.each([
    ["x = Boat", "x"],
    ["x = Boat\ny = x.limit(5)", "y"],
    ["x = Boat\nx", null],
    ["x = Boat\nPerson", null],
    ["page(s0_pg1)", null],
    ["", null],
    ["x = Boat{a==1}", null],
    ["Boat{a==1}", null],
  ])("%j: the last label without root is %s", (text, expected) => {
    expect(labelWithoutRoot(parse(text).program)?.text ?? null).toBe(expected);
  });

  it.each([
    ["x = Boat", "x = Boat\nx"],
    ["x = Boat ;; all", "x = Boat ;; all\nx"],
    ["x = Boat\n", "x = Boat\nx"],
  ])("%j: the fix names the last label as root", (text, expected) => {
    const { source, program } = parse(text);
    const label = labelWithoutRoot(program);
    if (label === null) throw new Error("there is a label");
    const found = noResult(source, label);
    expect(found).toMatchObject({
      code: "no_result",
      span: { start: text.length, end: text.length },
    });
    expect(found.correction).toContain("x");
    expect(applyEdits(text, found.edits ?? [])).toBe(expected);
  });
});
