import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat{a not in [x]}",
    "syntax at «not in»: not in is no operator of the language. [write not{…} around it: not{a in [x]}] → Boat{not{a in [x]}}",
  ],
  [
    "Boat{a NOT  IN [x, y], b=1}",
    "syntax at «NOT  IN»: not in is no operator of the language. [write not{…} around it: not{a in [x, y]}] → Boat{not{a in [x, y]}, b=1}",
  ],
  [
    "Boat{a IN [x]}",
    "syntax at «IN»: IN is no operator of the language. [write a in […]; operators are = != > >= < <= ~ in] → Boat{a in [x]}",
  ],
  [
    "Boat{a In [x, y]}",
    "syntax at «In»: In is no operator of the language. [write a in […]; operators are = != > >= < <= ~ in] → Boat{a in [x, y]}",
  ],
  [
    "Boat{a IN (x, y)}",
    "syntax at «IN»: IN is no operator of the language. [write a in [x, y]; operators are = != > >= < <= ~ in] → Boat{a in [x, y]}",
  ],
  [
    "Boat{a IN x}",
    "syntax at «IN»: IN is no operator of the language. [write a in […]; operators are = != > >= < <= ~ in] → Boat{a in x}",
  ],
  [
    "Boat{a IN (x}",
    "syntax at «IN»: IN is no operator of the language. [write a in […]; operators are = != > >= < <= ~ in]",
  ],
  [
    "Boat{a INSIDE x}",
    "syntax at «INSIDE»: INSIDE cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in p=v]",
  ],
  [
    "Boat{a in (x, y)}",
    "syntax at «(»: A list stands in square brackets. [write a in [x, y]] → Boat{a in [x, y]}",
  ],
  [
    "Boat{a in (x}",
    "syntax at «(»: ( cannot stand here. [here may stand a list or a label's column, as in p in [v, v]]",
  ],
  [
    'Boat{a in "x"}',
    'syntax at «"x"»: "x" is no list. [write a in ["x"]; behind in stands a list or a label\'s column, as in p in [v, v]] → Boat{a in ["x"]}',
  ],
  [
    "Boat{a in 5}",
    "syntax at «5»: 5 is no list. [write a in [5]; behind in stands a list or a label's column, as in p in [v, v]] → Boat{a in [5]}",
  ],
  [
    "Boat{a in 2026-01-01}",
    "syntax at «2026-01-01»: 2026-01-01 is no list. [write a in [2026-01-01]; behind in stands a list or a label's column, as in p in [v, v]] → Boat{a in [2026-01-01]}",
  ],
  [
    "Boat{a in true}",
    "syntax at «true»: true is no list. [write a in [true]; behind in stands a list or a label's column, as in p in [v, v]] → Boat{a in [true]}",
  ],
  [
    "Boat{a in null}",
    "syntax at «null»: null is no list. [write a=null; behind in stands a list or a label's column, as in p in [v, v]] → Boat{a=null}",
  ],
  [
    "Boat{a in Sea Star}",
    'unquoted_text at «Sea Star»: Text with blanks needs quotes. [write ["Sea Star"]] → Boat{a in ["Sea Star"]}',
  ],
  [
    "Boat{a in Person(x)}",
    "syntax at «Person(x)»: Person(x) is no list. [write a in [Person(x)]; behind in stands a list or a label's column, as in p in [v, v]] → Boat{a in [Person(x)]}",
  ],
  [
    "Boat{a in Person{b=1}}",
    "syntax at «Person{b=1}»: A query or step cannot stand inside a value. [bind it on a line above, found = Person{b=1}, and write found here] → found = Person{b=1}\nBoat{a in found}",
  ],
  [
    "Boat{a in Person~x}",
    "syntax at «Person~x»: A query or step cannot stand inside a value. [bind it on a line above, found = Person~x, and write found here] → found = Person~x\nBoat{a in found}",
  ],
  [
    "Boat{a in {b: 1}}",
    "syntax at «{»: { cannot stand here. [here may stand a list or a label's column, as in p in [v, v]]",
  ],
  [
    "Boat{a in <<}",
    "bad_heredoc at «<<»: << needs a tag right behind it. [write <<TAG, newline, the text, newline, TAG; a TAG is letters, digits and _]",
  ],
  [
    "Boat{a in <<T\nx\nT}",
    "syntax at «<<T\nx\nT»: <<T cannot stand here. [here may stand a list or a label's column, as in p in [v, v]]",
  ],
  [
    "Boat{a in}",
    "syntax at «}»: } cannot stand here. [here may stand a list or a label's column, as in p in [v, v]]",
  ],
  [
    "Boat{a in,}",
    "syntax at «,»: , cannot stand here. [here may stand a list or a label's column, as in p in [v, v]]",
  ],
  [
    "Boat{a in []}",
    "empty_list at «[]»: The list after in cannot be empty. [write at least one value, as in p in [v, v]]",
  ],
  [
    "Boat{a in =}",
    "syntax at «=»: = cannot stand here. [here may stand a list or a label's column, as in p in [v, v]]",
  ],
];

describe("LANG-051, errors section 2: in and its list", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
