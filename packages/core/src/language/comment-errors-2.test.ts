import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat; Person",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
  ],
  [
    "Boat; Person.limit(5)",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
  ],
  [
    "Boat; x = Person",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
  ],
  [
    "Boat; all of them",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
  ],
  [
    "Boat ; ;; x",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment] → Boat  ;; x",
  ],
  [
    "Boat; Person;",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment] → Boat; Person",
  ],
  [
    "Boat;\nPerson",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment] → Boat\nPerson",
  ],
  [
    "Boat; Person\r\n",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
  ],
  [
    "Boat; Person~x",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
  ],
  [
    "Boat; Person, Visit",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
  ],
  [
    "Boat{a=1; b=2}",
    'unquoted_text at «1; b=2»: Text with blanks needs quotes. [write "1; b=2"] → Boat{a="1; b=2"}',
  ],
  ["Boat{a=1;}", 'unquoted_text at «1;»: This text needs quotes. [write "1;"] → Boat{a="1;"}'],
  [
    "x = 5; x",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
  ],
  [
    "x = 5;",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment] → x = 5",
  ],
  [
    "Boat(a; b)",
    'unquoted_text at «a; b»: Text with blanks needs quotes. [write "a; b"] → Boat("a; b")',
  ],
  [
    ";Boat",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
  ],
  [
    "Boat; Person [id]",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
  ],
  [
    "Boat; (x)",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
  ],
  [
    "Boat;Person{a=1}",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
  ],
  [
    "Boat;Person(x)",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment]",
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
    "unexpected_char at «```»: A program stands without a fence. [send the program alone, without the lines of ``` (U+0060)]",
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
    "syntax at «~»: ~ cannot stand here. [here may stand a statement: label = rows, or rows, as in a = Boat{state=lost}]",
  ],
];

describe("LANG-004: comment signs, semicolons and fences, 2 of 2", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
