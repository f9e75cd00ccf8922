import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    'Boat{a="x" and "y"}',
    'syntax at «and»: and joins no values. [write a="x", a="y"] → Boat{a="x", a="y"}',
  ],
  ["Boat{a=x && y}", "syntax at «&&»: && joins no values. [write a=x, a=y] → Boat{a=x, a=y}"],
  ["Boat{a=x || y}", "syntax at «||»: || joins no values. [write a in [x, y]] → Boat{a in [x, y]}"],
  [
    'Boat{a="x" || "y", b=1}',
    'syntax at «||»: || joins no values. [write a in ["x", "y"]] → Boat{a in ["x", "y"], b=1}',
  ],
  [
    'Boat{a~"x" or "y" or "z"}',
    'syntax at «or»: or joins no values. [write any{a~"x", a~"y", a~"z"}] → Boat{any{a~"x", a~"y", a~"z"}}',
  ],
  [
    "Boat{a!=x || y}",
    "syntax at «||»: || joins no values. [write any{a!=x, a!=y}] → Boat{any{a!=x, a!=y}}",
  ],
  [
    "Boat{a=x or y}",
    'unquoted_text at «x or y»: Text with blanks needs quotes. [write "x or y" for one text; for one of several values write a in [x, y]]',
  ],
  [
    "Boat{name=Tom and Jerry}",
    'unquoted_text at «Tom and Jerry»: Text with blanks needs quotes. [write "Tom and Jerry"] → Boat{name="Tom and Jerry"}',
  ],
  [
    "Boat{a=x && y || z}",
    "syntax at «&&»: && joins no values. [write any{all{a=x, a=y}, a=z}] → Boat{any{all{a=x, a=y}, a=z}}",
  ],
  [
    "Boat{a=1|2}",
    "unquoted_text at «1|2»: Several options are a list. [write a in [1, 2]; text that holds | needs quotes] → Boat{a in [1, 2]}",
  ],
  [
    "Boat{a=x|y}",
    "unquoted_text at «x|y»: Several options are a list. [write a in [x, y]; text that holds | needs quotes] → Boat{a in [x, y]}",
  ],
  [
    "Boat{a=x | y | z}",
    "unquoted_text at «x | y | z»: Several options are a list. [write a in [x, y, z]; text that holds | needs quotes] → Boat{a in [x, y, z]}",
  ],
  [
    "Boat{a!=x|y}",
    "unquoted_text at «x|y»: Several options are a list. [write not{a in [x, y]}; text that holds | needs quotes] → Boat{not{a in [x, y]}}",
  ],
  ["Boat{a>x|y}", 'unquoted_text at «x|y»: This text needs quotes. [write "x|y"] → Boat{a>"x|y"}'],
  [
    "Boat{a= x|y}",
    "unquoted_text at «x|y»: Several options are a list. [write a in [x, y]; text that holds | needs quotes] → Boat{a in [x, y]}",
  ],
  ["Boat{a=x||y}", "syntax at «||»: || joins no values. [write a in [x, y]] → Boat{a in [x, y]}"],
  ["Boat{a=x|}", 'unquoted_text at «x|»: This text needs quotes. [write "x|"] → Boat{a="x|"}'],
  ["Boat(a=x|y)", 'unquoted_text at «x|y»: This text needs quotes. [write "x|y"] → Boat(a="x|y")'],
  [
    "Boat{a=x|y, b=1}",
    "unquoted_text at «x|y»: Several options are a list. [write a in [x, y]; text that holds | needs quotes] → Boat{a in [x, y], b=1}",
  ],
  [
    "Boat{a in x|y}",
    "unquoted_text at «x|y»: Several options are a list. [write [x, y]; text that holds | needs quotes] → Boat{a in [x, y]}",
  ],
  [
    "Boat{a in null|x}",
    "unquoted_text at «null|x»: Several options are a list. [write [null, x]; text that holds | needs quotes] → Boat{a in [null, x]}",
  ],
];

describe("LANG-007, errors section 2: values of one condition joined as in other languages", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
