import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "x = <<<T",
    "bad_heredoc at «<<<T»: <<<T opens no heredoc. [write <<T, newline, the text, newline, T]",
  ],
  [
    "x = <<<",
    "bad_heredoc at «<<<»: <<< opens no heredoc. [write <<TAG, newline, the text, newline, TAG]",
  ],
  [
    "x = <<",
    "bad_heredoc at «<<»: << needs a tag right behind it. [write <<TAG, newline, the text, newline, TAG; a TAG is letters, digits and _]",
  ],
  [
    "x = << T",
    "bad_heredoc at «<<»: << needs a tag right behind it. [write <<TAG, newline, the text, newline, TAG; a TAG is letters, digits and _]",
  ],
  [
    "x = <<T y\nz\nT",
    "bad_heredoc at «y»: Nothing may follow <<T on its line. [write <<T, newline, the text, newline, T; what follows, a second opener too, stands after that T or on a new line]",
  ],
  [
    "x = <<T\ny",
    "unterminated_heredoc at «<<T»: No line closes T. [after the text of <<T on line 1 write a line T]",
  ],
  [
    "x = [<<T\ny",
    "unterminated_heredoc at «<<T»: No line closes T. [after the text of <<T on line 1 write a line T]]",
  ],
  [
    "Boat(a={b: <<T\ny",
    "unterminated_heredoc at «<<T»: No line closes T. [after the text of <<T on line 1 write a line T})]",
  ],
  [
    "x = <<T\ny\nT z",
    'unterminated_heredoc at «<<T»: No line closes T. [after the text of <<T on line 1 write a line T ; line 3 has "T z", which does not close it]',
  ],
  [
    "x = [<<A, <<B\nx\nB]",
    "bad_heredoc at «, <<B»: Nothing may follow <<A on its line. [write <<A, newline, the text, newline, A; what follows, a second opener too, stands after that A or on a new line]",
  ],
  [
    "x = <<T ;; c\ny\nT",
    "bad_heredoc at «;; c»: Nothing may follow <<T on its line. [write <<T, newline, the text, newline, T; what follows, a second opener too, stands after that T or on a new line]",
  ],
];

describe("LANG-008: heredocs that open or close wrongly", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
