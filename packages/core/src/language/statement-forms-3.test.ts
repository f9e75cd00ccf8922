import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat.",
    "line_break at «.»: Something must follow . on its line. [write what belongs after . on the same line, as in .limit(5)]",
  ],
  [
    "Boat.\nlimit(5)",
    "line_break at «.»: A statement cannot end with .. [write it on one line: Boat.limit(5)] → Boat.limit(5)",
  ],
  [
    "Boat =>",
    "line_break at «=>»: Something must follow => on its line. [write what belongs after => on the same line, as in a => {n: _.name}]",
  ],
  [
    "Boat =>\nPerson(_.id)",
    "line_break at «=>»: A statement cannot end with =>. [write it on one line: Boat => Person(_.id)] → Boat => Person(_.id)",
  ],
  [
    "Boat =>\nx = 5",
    "line_break at «=>»: Something must follow => on its line. [write what belongs after => on the same line, as in a => {n: _.name}]",
  ],
  [
    "Boat => 5",
    "syntax at «5»: 5 cannot stand here. [here may stand an object, or a call per row, as in a => {n: _.name} or a => Boat(_.id).ping()]",
  ],
  [
    "Boat => {}",
    "empty_list at «{}»: The object after => cannot be empty. [write at least one column, as in a => {n: _.name}]",
  ],
  [
    "Boat => {n}",
    "syntax at «}»: } cannot stand here. [here may stand a colon and a value, as in {a: 1, b: 2}]",
  ],
  [
    'Boat => "x"',
    'syntax at «"x"»: "x" cannot stand here. [here may stand an object, or a call per row, as in a => {n: _.name} or a => Boat(_.id).ping()]',
  ],
  [
    "Boat => Boat(_.id).limit(5)",
    "unexpected_text at «.»: . cannot follow the body of =>. [bind the rows first: found = Boat => Boat(_.id), then found.limit(5)] → found = Boat => Boat(_.id)\nfound.limit(5)",
  ],
  [
    "Boat => Boat(_.id).visits",
    "unexpected_text at «.»: . cannot follow the body of =>. [bind the rows first: found = Boat => Boat(_.id), then found.visits] → found = Boat => Boat(_.id)\nfound.visits",
  ],
  [
    "Boat\n,Person",
    "line_break at «,»: A line cannot begin with ,. [write it on the line above: Boat,Person] → Boat,Person",
  ],
  [
    "Boat\n[id]",
    "line_break at «[»: A line cannot begin with [. [write it on the line above: Boat[id]] → Boat[id]",
  ],
  [
    "Boat\n{a=1}",
    "line_break at «{»: A line cannot begin with {. [write it on the line above: Boat{a=1}] → Boat{a=1}",
  ],
  [
    "Boat\n(b1)",
    "line_break at «(»: A line cannot begin with (. [write it on the line above: Boat(b1)] → Boat(b1)",
  ],
  [
    "",
    "empty_program at «»: The program has no statement. [write at least one root, a line that binds nothing: Boat.limit(5)]",
  ],
  [
    "  ",
    "empty_program at «»: The program has no statement. [write at least one root, a line that binds nothing: Boat.limit(5)]",
  ],
  [
    ";; only",
    "empty_program at «»: The program has no statement. [write at least one root, a line that binds nothing: Boat.limit(5)]",
  ],
  ["page()", "syntax at «)»: ) cannot stand here. [here may stand a handle, as in page(s0_pg1)]"],
  ["page(5)", "syntax at «5»: 5 cannot stand here. [here may stand a handle, as in page(s0_pg1)]"],
  [
    "page(s0_pg1, 5)",
    "syntax at «5»: 5 cannot stand here. [here may stand limit=n, as in page(s0_pg1, limit=20)]",
  ],
  [
    "page(s0_pg1, limit)",
    "syntax at «)»: ) cannot stand here. [here may stand = and a count, as in page(s0_pg1, limit=20)]",
  ],
  [
    "page(s0_pg1, limit=0)",
    "bad_count at «0»: 0 is no count for page(…). [write an integer from 1 to 1000, as page(s0_pg1, limit=20)]",
  ],
  [
    "page(s0_pg1, limit=1001)",
    "bad_count at «1001»: 1001 is no count for page(…). [write an integer from 1 to 1000, as page(s0_pg1, limit=20)]",
  ],
  [
    "page(s0_pg1, limit=x)",
    "bad_count at «x»: x is no count for page(…). [write an integer from 1 to 1000, as page(s0_pg1, limit=20)]",
  ],
  [
    "wait(s0_o1, limit=5)",
    "syntax at «limit»: wait takes the handle only. [write wait(…); limit belongs to page]",
  ],
  [
    "cancel(s0_o1, limit=5)",
    "syntax at «limit»: cancel takes the handle only. [write cancel(…); limit belongs to page]",
  ],
  [
    "page(s0_pg1, size=5)",
    "syntax at «size»: size cannot stand here. [here may stand limit=n, as in page(s0_pg1, limit=20)]",
  ],
  [
    "page(s0_pg1 limit=5)",
    'unquoted_text at «s0_pg1 limit=5»: Text with blanks needs quotes. [write "s0_pg1 limit=5"] → page("s0_pg1 limit=5")',
  ],
  [
    "page({a: 1})",
    "syntax at «{»: { cannot stand here. [here may stand a handle, as in page(s0_pg1)]",
  ],
  [
    "page(s0_pg1)\nBoat",
    "not_alone at «page(s0_pg1)»: page(…) must be the whole program. [send page(s0_pg1) by itself]",
  ],
  [
    "wait(s0_o1)\ncancel(s0_o1)",
    "not_alone at «wait(s0_o1)»: wait(…) must be the whole program. [send wait(s0_o1) by itself]",
    "not_alone at «cancel(s0_o1)»: cancel(…) must be the whole program. [send cancel(s0_o1) by itself]",
  ],
];

describe("LANG-021, ERR-006: statements as other languages write them, 3 of 3", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
