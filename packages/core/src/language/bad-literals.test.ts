import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  ["x = [+5]", 'bad_literal at «+5»: +5 is no number. [write 5; for text write "+5"] → x = [5]'],
  ["x = [5.]", 'bad_literal at «5.»: 5. is no number. [write 5; for text write "5."] → x = [5]'],
  [
    "x = [.5]",
    'bad_literal at «.5»: .5 is no number. [write 0.5; for text write ".5"] → x = [0.5]',
  ],
  [
    "x = [-.5]",
    'bad_literal at «-.5»: -.5 is no number. [write -0.5; for text write "-.5"] → x = [-0.5]',
  ],
  [
    "x = [+.5e3]",
    'bad_literal at «+.5e3»: +.5e3 is no number. [write 0.5e3; for text write "+.5e3"] → x = [0.5e3]',
  ],
  [
    "x = [5.e3]",
    'bad_literal at «5.e3»: 5.e3 is no number. [write 5e3; for text write "5.e3"] → x = [5e3]',
  ],
  [
    "x = [2026-02-30]",
    'bad_literal at «2026-02-30»: 2026-02-30 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-02-30"]',
  ],
  [
    "x = [2026-1-5]",
    'bad_literal at «2026-1-5»: 2026-1-5 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-1-5"]',
  ],
  [
    "x = [2026-01-31t10:00]",
    'bad_literal at «2026-01-31t10:00»: 2026-01-31t10:00 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-01-31t10:00"]',
  ],
  [
    "x = [2026-01-01 10:00]",
    'unquoted_text at «2026-01-01 10:00»: A date and its time are one word. [write 2026-01-01T10:00; for text write "2026-01-01 10:00"]',
  ],
  [
    "x = [2026-01-01 25:00]",
    'unquoted_text at «2026-01-01 25:00»: Text with blanks needs quotes. [write "2026-01-01 25:00"] → x = ["2026-01-01 25:00"]',
  ],
];

describe("LANG-006, LANG-007: numbers and dates that are none", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});

describe("LANG-006: what is shaped like a date and is none", () => {
  it.each([
    "2026-13-01",
    "2026-00-01",
    "2026-01-00",
    "2026-04-31",
    "2100-02-29",
    "2026-01-01T24:00",
    "2026-01-01T10:60",
    "2026-01-01T10:00:60",
    "2026-01-01T10:00+24:00",
    "2026-01-01T10:00+01:60",
  ])("%s", (date) => {
    const [told] = toldOf(`x = [${date}]`);
    expect(told).toContain(`bad_literal at «${date}»: ${date} is no date.`);
    expect(told).toContain(`for text write "${date}"`);
  });
});
