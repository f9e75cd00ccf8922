import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "x =",
    "line_break at «=»: Something must follow = on its line. [write what belongs after = on the same line, as in x = E]",
  ],
  [
    "x = \nBoat",
    "line_break at «=»: = cannot end a statement. [write it on one line: x = Boat] → x = Boat",
  ],
  [
    "x =\ny = Boat",
    "line_break at «=»: Something must follow = on its line. [write what belongs after = on the same line, as in x = E]",
  ],
  [
    "Boat,",
    "line_break at «,»: , cannot end a statement. [leave the comma out, or write another root behind it on the same line, as in E.limit(1), E.limit(2)] → Boat",
  ],
  [
    "Boat,\nPerson",
    "line_break at «,»: , cannot end a statement. [write it on one line: Boat, Person] → Boat, Person",
  ],
  [
    "Boat,\nx = 5",
    "line_break at «,»: , cannot end a statement. [leave the comma out, or write another root behind it on the same line, as in E.limit(1), E.limit(2)] → Boat\nx = 5",
  ],
  [
    "Boat.",
    "line_break at «.»: Something must follow . on its line. [write what belongs after . on the same line, as in .limit(5)]",
  ],
  [
    "Boat.\nlimit(5)",
    "line_break at «.»: . cannot end a statement. [write it on one line: Boat.limit(5)] → Boat.limit(5)",
  ],
  [
    "Boat =>",
    "line_break at «=>»: Something must follow => on its line. [write what belongs after => on the same line, as in rows => {k: _.p}]",
  ],
  [
    "Boat =>\nPerson(_.id)",
    "line_break at «=>»: => cannot end a statement. [write it on one line: Boat => Person(_.id)] → Boat => Person(_.id)",
  ],
  [
    "Boat =>\nx = 5",
    "line_break at «=>»: Something must follow => on its line. [write what belongs after => on the same line, as in rows => {k: _.p}]",
  ],
  [
    "Boat\n,Person",
    "line_break at «,»: , cannot begin a line. [write it on the line above: Boat,Person] → Boat,Person",
  ],
  [
    "Boat\n[id]",
    "line_break at «[»: [ cannot begin a line. [write it on the line above: Boat[id]] → Boat[id]",
  ],
  [
    "Boat\n{a=1}",
    "line_break at «{»: { cannot begin a line. [write it on the line above: Boat{a=1}] → Boat{a=1}",
  ],
  [
    "Boat\n(b1)",
    "line_break at «(»: ( cannot begin a line. [write it on the line above: Boat(b1)] → Boat(b1)",
  ],
  [
    "Boat\n# x\n[id]",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat\n;; x\n[id]",
    "line_break at «[»: [ cannot begin a line. [write it on the line above: Boat[id]] → Boat[id]",
  ],
];

describe("LANG-005: where a statement ends", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
