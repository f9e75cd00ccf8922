import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    '"Boat.limit(5)"',
    'syntax at «"Boat.limit(5)"»: A program stands by itself, not inside quotes. [send its text alone: Boat.limit(5)] → Boat.limit(5)',
  ],
  [
    "'Boat{a=1}'",
    "syntax at «'Boat{a=1}'»: A program stands by itself, not inside quotes. [send its text alone: Boat{a=1}] → Boat{a=1}",
  ],
  [
    '{"program": "Boat.limit(5)"}',
    'syntax at «{"program": "Boat.limit(5)"}»: A program stands by itself, not inside JSON. [send its text alone: Boat.limit(5)] → Boat.limit(5)',
  ],
  [
    '{"query": "Boat.limit(5)"}',
    'syntax at «{"query": "Boat.limit(5)"}»: A program stands by itself, not inside JSON. [send its text alone: Boat.limit(5)] → Boat.limit(5)',
  ],
  [
    '["Boat"]',
    'syntax at «["Boat"]»: A program stands by itself, not inside JSON. [write it as text, as in E.limit(5); to return a literal, bind it first, as in found = [1, 2]]',
  ],
  [
    '{"entity": "Boat", "limit": 5}',
    'syntax at «{"entity": "Boat", "limit": 5}»: A program stands by itself, not inside JSON. [write it as text, as in E.limit(5); to return a literal, bind it first, as in found = [1, 2]]',
  ],
  [
    '{"program": 5}',
    'syntax at «{"program": 5}»: A program stands by itself, not inside JSON. [write it as text, as in E.limit(5); to return a literal, bind it first, as in found = [1, 2]]',
  ],
  [
    "“Boat”",
    'unexpected_char at «“»: “ is no character of the language. [U+201C may stand only inside quotes: write " in its place]',
  ],
  [
    "`Boat`",
    "syntax at «`Boat`»: A program stands by itself, not inside backticks. [send its text alone: Boat] → Boat",
  ],
  [
    "`Boat.limit(5)`",
    "syntax at «`Boat.limit(5)`»: A program stands by itself, not inside backticks. [send its text alone: Boat.limit(5)] → Boat.limit(5)",
  ],
  [
    "‘Boat’",
    "unexpected_char at «‘»: ‘ is no character of the language. [U+2018 may stand only inside quotes: write ' in its place]",
  ],
  [
    "“Boat.limit(5)”",
    "syntax at «“Boat.limit(5)”»: A program stands by itself, not inside quotes. [send its text alone: Boat.limit(5)] → Boat.limit(5)",
  ],
  [
    "```\nBoat\n```",
    "unexpected_char at «```»: A program stands without a fence. [send the program alone, without the lines of ``` (U+0060)] → Boat\n",
  ],
  [
    "```plasm\nBoat\n```",
    "unexpected_char at «```»: A program stands without a fence. [send the program alone, without the lines of ``` (U+0060)] → Boat\n",
  ],
  [
    "~~~\nBoat\n~~~",
    "unexpected_char at «~~~»: A program stands without a fence. [send the program alone, without the lines of ~~~ (U+0060)] → Boat\n",
  ],
  [
    "```\nBoat",
    "unexpected_char at «```»: A program stands without a fence. [send the program alone, without the lines of ``` (U+0060)] → Boat",
  ],
  [
    "Boat\n```",
    "unexpected_char at «```»: A program stands without a fence. [send the program alone, without the lines of ``` (U+0060)] → Boat\n",
  ],
  [
    "```\n```",
    "unexpected_char at «```»: A program stands without a fence. [send the program alone, without the lines of ``` (U+0060)]",
  ],
  [
    "````\nBoat\n````",
    "unexpected_char at «````»: A program stands without a fence. [send the program alone, without the lines of ```` (U+0060)] → Boat\n",
  ],
  [
    "``\nBoat",
    "unexpected_char at «`»: ` is no character of the language. [U+0060 may stand only inside quotes: write ' in its place]",
  ],
  [
    "```\nBoat\n```\nPerson\n```",
    "unexpected_char at «```»: A program stands without a fence. [send the program alone, without the lines of ``` (U+0060)]",
  ],
  [
    "  ```\nBoat\n  ```",
    "unexpected_char at «```»: A program stands without a fence. [send the program alone, without the lines of ``` (U+0060)] →   Boat\n",
  ],
  [
    "```\n\nBoat\n\n```\n",
    "unexpected_char at «```»: A program stands without a fence. [send the program alone, without the lines of ``` (U+0060)] → \nBoat\n\n",
  ],
  [
    "```\nBoat.limit(0)\n```",
    "unexpected_char at «```»: A program stands without a fence. [send the program alone, without the lines of ``` (U+0060)] → Boat.limit(0)\n",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(0)\n```",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
    "unexpected_char at «```»: A program stands without a fence. [send the program alone, without the lines of ``` (U+0060)] → Boat.limit(0)\n",
  ],
  [
    "```",
    "unexpected_char at «```»: A program stands without a fence. [send the program alone, without the lines of ``` (U+0060)]",
  ],
  [
    "~~\nBoat",
    "syntax at «~»: ~ cannot stand here. [here may stand a statement: label = rows, or rows, as in a = E{p=v}]",
  ],
];

describe("LANG-002, errors section 2: a program stands by itself", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
