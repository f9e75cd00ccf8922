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
    "Boat -- x",
    "unexpected_char at «--»: -- starts no comment. [-- (U+002D) is no comment sign: start a comment with ;;] → Boat ;; x",
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
    "unexpected_char at «--»: -- starts no comment. [-- (U+002D) is no comment sign: a comment starts with ;; and takes the rest of its line, so write it behind }; text that holds -- needs quotes]",
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
    "Boat{# x\na=1}",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat{;; x\na=1}",
  ],
  [
    "Boat{a= # x\n1}",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat{a= ;; x\n1}",
  ],
  [
    'Boat{a="x" # y}.limit(5)',
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: a comment starts with ;; and takes the rest of its line, so write it behind }; text that holds # needs quotes]",
  ],
  [
    "Boat\n# x\n.limit(5)",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat\n;; x\n.limit(5)",
  ],
  [
    "Boat\n# x\n;; y\n// z\n=> {n: _.id}",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat\n;; x\n;; y\n// z\n=> {n: _.id}",
    "unexpected_char at «//»: // starts no comment. [// (U+002F) is no comment sign: start a comment with ;;] → Boat\n# x\n;; y\n;; z\n=> {n: _.id}",
  ],
  [
    "Boat\n# x\nPerson",
    "unexpected_char at «#»: # starts no comment. [# (U+0023) is no comment sign: start a comment with ;;] → Boat\n;; x\nPerson",
  ],
];

describe("LANG-004: comment signs of other languages", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
