import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat{a=(1,\n  b=2\n  c=3}\nPerson.limit(0)",
    "unclosed_bracket at «»: The ( at 1:8 is not closed. [close the ( at 1:8 with )]",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat(a=)\n  x\nPerson.limit(0)",
    'syntax at «)»: ) cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    'Boat{a="x" y=<<T\nPerson.limit(0)\nT\n}\nVisit.limit(0)',
    'syntax at «»: A comma is missing before y. [write a comma, which means and: a="x", y=<<T] → Boat{a="x", y=<<T\nPerson.limit(0)\nT\n}\nVisit.limit(0)',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat{(a, \"}\", ';;')}\nVisit.limit(0)",
    "syntax at «a»: a alone is no condition. [compare it, as in a=true, or test it with exists(a)]",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat{(a ;; }\n)}\nVisit.limit(0)",
    "syntax at «)»: ) cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in p=v]",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat{(\n[1,\n2]\n)}\nVisit.limit(0)",
    "syntax at «[»: [ cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {p=v, p=v}]",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat)\n\n  \nVisit.limit(0)",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:5, so no closer is expected] → Boat\n\n  \nVisit.limit(0)",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat)\n.limit(0)\nVisit.limit(0)",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:5, so no closer is expected]",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat)\n=> {}\nVisit.limit(0)",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:5, so no closer is expected]",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat)\r\nVisit.limit(0)",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:5, so no closer is expected] → Boat\r\nVisit.limit(0)",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat(a=!\n  b=1,\nc=2\n)\nVisit.limit(0)",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat(a=!,\nb=1\nVisit.limit(0)",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat{a=! <<T x\ny\nT\nVisit.limit(0)",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat{a=! <<<T\ny\nT\nVisit.limit(0)",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat{a=! <<\nVisit.limit(0)",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat{a=! <<A, <<B\ny\nB\nVisit.limit(0)",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    'Boat{a=! "b\nVisit.limit(0)',
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat{a=! 'it\nVisit.limit(0)",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.f(a=[!)\nVisit.limit(0)",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.f(a={b: [!}\nVisit.limit(0)",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.f([!\n]\nVisit.limit(0)",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.f(=!\n)\nVisit.limit(0)",
    'syntax at «=»: = cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
];

describe("ERR-004: a mistake costs its statement, reading goes on at the next", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
