import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat.limit(0)",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(-1)",
    "bad_count at «-1»: -1 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(2.5)",
    "bad_count at «2.5»: 2.5 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(007)",
    "bad_count at «007»: 007 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(100001)",
    "bad_count at «100001»: 100001 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(n=5)",
    "bad_count at «n=5»: n=5 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)] → Boat.limit(5)",
  ],
  [
    'Boat.limit("5")',
    'bad_count at «"5"»: "5" is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)] → Boat.limit(5)',
  ],
  [
    "Boat.limit('7')",
    "bad_count at «'7'»: '7' is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)] → Boat.limit(7)",
  ],
  [
    "Boat.limit(five)",
    "bad_count at «five»: five is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(5 rows)",
    "bad_count at «5 rows»: 5 rows is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.page_size(x=20)",
    "bad_count at «x=20»: x=20 is no count for .page_size(…). [write an integer from 1 to 100000, as .page_size(5)] → Boat.page_size(20)",
  ],
  [
    "Boat.limit()",
    "bad_count at «»: () is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(",
    "unclosed_bracket at «»: The ( at 1:11 is not closed. [close the ( at 1:11 with )]",
  ],
  [
    "Boat.limit(5",
    "unclosed_bracket at «»: The ( at 1:11 is not closed. [close the ( at 1:11 with )] → Boat.limit(5)",
  ],
  [
    "Boat.limit(5]",
    "unclosed_bracket at «]»: ] does not close the ( at 1:11. [write ), which closes the ( at 1:11, in place of ]] → Boat.limit(5)",
  ],
  [
    "Boat.limit(5}",
    "unclosed_bracket at «}»: } does not close the ( at 1:11. [write ), which closes the ( at 1:11, in place of }] → Boat.limit(5)",
  ],
  [
    "Boat.limit(5, 6)",
    "bad_count at «5, 6»: 5, 6 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(5,\n6)[id]",
    "bad_count at «5,\n6»: 5, 6 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(x]",
    "bad_count at «x»: x is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
    "unclosed_bracket at «]»: ] does not close the ( at 1:11. [write ), which closes the ( at 1:11, in place of ]] → Boat.limit(x)",
  ],
  [
    "Boat.limit 5",
    "unexpected_text at «5»: 5 cannot follow here. [write it as a step: .limit(5)] → Boat.limit(5)",
  ],
  [
    "Boat.page_size 20",
    "unexpected_text at «20»: 20 cannot follow here. [write it as a step: .page_size(20)] → Boat.page_size(20)",
  ],
  [
    "Boat. limit 7",
    "unexpected_text at «7»: 7 cannot follow here. [write it as a step: .limit(7)] → Boat. limit(7)",
  ],
  [
    "Boat.limit x",
    "unexpected_text at «x»: x cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]",
  ],
];

describe("LANG-016, LANG-062: counts", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
