import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat #x",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat ;;x",
  ],
  [
    "Boat # x",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat ;; x",
  ],
  [
    "Boat #",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat ;;",
  ],
  [
    "Boat // x",
    "unexpected_char at «//»: // starts no comment. [// (U+002F) is no comment sign: start a comment with ;;] → Boat ;; x",
  ],
  [
    "Boat //",
    "unexpected_char at «//»: // starts no comment. [// (U+002F) is no comment sign: start a comment with ;;] → Boat ;;",
  ],
  [
    "Boat -- x",
    "unexpected_char at «--»: -- starts no comment. [-- (U+002D) is no comment sign: start a comment with ;;] → Boat ;; x",
  ],
  [
    "Boat --",
    "unexpected_char at «--»: -- starts no comment. [-- (U+002D) is no comment sign: start a comment with ;;] → Boat ;;",
  ],
  [
    "Boat{a=1 # x\n}",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat{a=1 ;; x\n}",
  ],
  [
    "Boat{a=1 #x\n}",
    'unquoted_text at «1 #x»: Text with blanks needs quotes. [write "1 #x"] → Boat{a="1 #x"\n}',
  ],
  [
    "Boat{a=1 // x\n}",
    "unexpected_char at «//»: // starts no comment. [// (U+002F) is no comment sign: start a comment with ;;] → Boat{a=1 ;; x\n}",
  ],
  [
    "Boat{a=1 //\n}",
    "unexpected_char at «//»: // starts no comment. [// (U+002F) is no comment sign: start a comment with ;;] → Boat{a=1 ;;\n}",
  ],
  [
    "Boat{a=1 -- x\n}",
    "unexpected_char at «--»: -- starts no comment. [-- (U+002D) is no comment sign: start a comment with ;;] → Boat{a=1 ;; x\n}",
  ],
  [
    "Boat{a=1 -- x\n, b=2}",
    "unexpected_char at «--»: -- starts no comment. [-- (U+002D) is no comment sign: start a comment with ;;] → Boat{a=1 ;; x\n, b=2}",
  ],
  [
    "Boat{a=one # x\n}",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat{a=one ;; x\n}",
  ],
  [
    "Boat{a=one // x\n, b=2}",
    "unexpected_char at «//»: // starts no comment. [// (U+002F) is no comment sign: start a comment with ;;] → Boat{a=one ;; x\n, b=2}",
  ],
  [
    "Boat{a=one -- x}",
    "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{a=one} -- x}",
    "unexpected_char at «--»: -- starts no comment. [-- (U+002D) is no comment sign: start a comment with ;;] → Boat{a=one ;; x}",
  ],
  [
    "Boat(x # y\n)",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat(x ;; y\n)",
  ],
  [
    "x = a # b",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → x = a ;; b",
  ],
  [
    "x = 5 # b\nx",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → x = 5 ;; b\nx",
  ],
  [
    "x = 5 #b",
    'unquoted_text at «5 #b»: Text with blanks needs quotes. [write "5 #b"] → x = "5 #b"',
  ],
  [
    "x = 5 -- b\nx",
    "unexpected_char at «--»: -- starts no comment. [-- (U+002D) is no comment sign: start a comment with ;;] → x = 5 ;; b\nx",
  ],
  [
    "x = 5 // b\nx",
    "unexpected_char at «//»: // starts no comment. [// (U+002F) is no comment sign: start a comment with ;;] → x = 5 ;; b\nx",
  ],
  [
    "x = 5 //b",
    'unquoted_text at «5 //b»: Text with blanks needs quotes. [write "5 //b"] → x = "5 //b"',
  ],
  [
    "# x",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;]",
  ],
  [
    "#x\nBoat",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → ;;x\nBoat",
  ],
  [
    "// x\nBoat",
    "unexpected_char at «//»: // starts no comment. [// (U+002F) is no comment sign: start a comment with ;;] → ;; x\nBoat",
  ],
  [
    "--x\nBoat",
    "unexpected_char at «--»: -- starts no comment. [-- (U+002D) is no comment sign: start a comment with ;;] → ;;x\nBoat",
  ],
  [
    "Boat - x",
    "unexpected_text at «-»: - cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat / x",
    "unexpected_text at «/»: / cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat{# x\na=1}",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat{;; x\na=1}",
  ],
  [
    "Boat{a= # x\n1}",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat{a= ;; x\n1}",
  ],
  [
    "Boat /- x",
    "unexpected_text at «/»: / cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat;",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment] → Boat",
  ],
  [
    "Boat; ",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment] → Boat ",
  ],
];

describe("LANG-004: comment signs, semicolons and fences, 1 of 2", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
