import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../../test/told.ts";
import { applyEdits } from "../../diagnostics/suggestion.ts";
import { labelWithoutRoot, noResult } from "./foreign-statements.ts";
import { parse } from "../grammar/parse.ts";

const rows: readonly ToldRow[] = [
  [
    "return Boat",
    "unexpected_text at «return»: return is no word of the language. [leave return out: x = E binds, a line that binds nothing is a result; one statement per line] → Boat",
  ],
  [
    "let x = Boat\nx",
    "unexpected_text at «let»: let is no word of the language. [leave let out: x = E binds, a line that binds nothing is a result; one statement per line] → x = Boat\nx",
  ],
  [
    "const x = Boat\nx",
    "unexpected_text at «const»: const is no word of the language. [leave const out: x = E binds, a line that binds nothing is a result; one statement per line] → x = Boat\nx",
  ],
  [
    "var Boat",
    "unexpected_text at «var»: var is no word of the language. [leave var out: x = E binds, a line that binds nothing is a result; one statement per line] → Boat",
  ],
  [
    "await Boat",
    "unexpected_text at «await»: await is no word of the language. [leave await out: x = E binds, a line that binds nothing is a result; one statement per line] → Boat",
  ],
  [
    "return",
    "unexpected_text at «return»: return is no word of the language. [leave return out: x = E binds, a line that binds nothing is a result; one statement per line]",
  ],
  [
    "let\nBoat",
    "unexpected_text at «let»: let is no word of the language. [leave let out: x = E binds, a line that binds nothing is a result; one statement per line] → \nBoat",
  ],
  [
    "select * from Boat",
    "syntax at «select»: select begins no statement. [write the entity first, conditions in braces, columns in brackets: E{p=v}[p, p]; a count is .aggregate(n=count) behind it]",
  ],
  [
    "SELECT id FROM Boat",
    "syntax at «SELECT»: SELECT begins no statement. [write the entity first, conditions in braces, columns in brackets: E{p=v}[p, p]; a count is .aggregate(n=count) behind it]",
  ],
  [
    "select count(*)",
    "syntax at «select»: select begins no statement. [write the entity first, conditions in braces, columns in brackets: E{p=v}[p, p]; a count is .aggregate(n=count) behind it]",
  ],
  [
    "delete from Boat",
    "syntax at «delete»: delete begins no statement. [write a row first, then the method: E(id).m()]",
  ],
  [
    "DELETE FROM Boat where a=1",
    "syntax at «DELETE»: DELETE begins no statement. [write a row first, then the method: E(id).m()]",
  ],
  [
    "update Boat set a=1",
    "syntax at «update»: update begins no statement. [write a row first, then the method: E(id).m(p=v)]",
  ],
  [
    "insert into Boat values(1)",
    "syntax at «insert»: insert begins no statement. [write the entity first, then the method: E.m(p=v)]",
  ],
  [
    "for b in Boat",
    "syntax at «for»: for begins no statement. [write => for each row, which makes new rows: rows => {k: _.p}; or calls a method: rows => E(_.p).m(); conditions choose rows: E{p=v}]",
  ],
  [
    "for b of Boat",
    "syntax at «for»: for begins no statement. [write => for each row, which makes new rows: rows => {k: _.p}; or calls a method: rows => E(_.p).m(); conditions choose rows: E{p=v}]",
  ],
  [
    "- Boat",
    "syntax at «-»: A statement begins with a name. [write each statement without numbers or marks before it] → Boat",
  ],
  [
    "* Boat",
    "syntax at «*»: A statement begins with a name. [write each statement without numbers or marks before it] → Boat",
  ],
  [
    "+ Boat",
    "syntax at «+»: A statement begins with a name. [write each statement without numbers or marks before it] → Boat",
  ],
  [
    "1. Boat",
    "syntax at «1.»: A statement begins with a name. [write each statement without numbers or marks before it] → Boat",
  ],
  [
    "2) Boat.limit(5)",
    "syntax at «2)»: A statement begins with a name. [write each statement without numbers or marks before it] → Boat.limit(5)",
  ],
  [
    "-Boat",
    "syntax at «-»: A statement begins with a name. [write each statement without numbers or marks before it] → Boat",
  ],
];

describe("LANG-021, errors section 2: statements as other languages write them", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});

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
