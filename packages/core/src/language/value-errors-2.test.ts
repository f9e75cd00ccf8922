import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat(a=Person(x).ping())",
    "effect_in_value at «.ping()»: A value cannot call ping. [bind the call on a line above, found = Person(x).ping(), and write found here]",
  ],
  [
    "Boat(a=Person(x).login)",
    "syntax at «Person(x).login»: A query or step cannot stand inside a value. [bind it on a line above, found = Person(x).login, and write found here] → found = Person(x).login\nBoat(a=found)",
  ],
  [
    "Boat(Person(x)[id])",
    "syntax at «Person(x)[id]»: A query or step cannot stand inside a value. [bind it on a line above, found = Person(x)[id], and write found here] → found = Person(x)[id]\nBoat(found)",
  ],
  [
    "a => Boat(x=Person{b=_.c})",
    "syntax at «Person{b=_.c}»: A query or step cannot stand inside a value. [bind it on a line above, found = a => Person{b=_.c}, and write found here]",
  ],
  [
    "a => {n: Person(_.id).ping()}",
    "effect_in_value at «.ping()»: A value cannot call ping. [bind the call on a line above, found = a => Person(_.id).ping(), and write found here]",
  ],
  [
    "a => {n: (_.id)}",
    'syntax at «(»: ( cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
  ],
  [
    "found = 1\nBoat(Person{})",
    "syntax at «Person{}»: A query or step cannot stand inside a value. [bind it on a line above, found_2 = Person{}, and write found_2 here] → found = 1\nfound_2 = Person{}\nBoat(found_2)",
  ],
  [
    "x = {5: 1}",
    'syntax at «5»: A key with this character needs quotes. [write "5": …] → x = {"5": 1}',
  ],
  [
    "x = {a-b: 1}",
    'syntax at «a-b»: A key with this character needs quotes. [write "a-b": …] → x = {"a-b": 1}',
  ],
  [
    "x = {5a: 1}",
    'syntax at «5a»: A key with this character needs quotes. [write "5a": …] → x = {"5a": 1}',
  ],
  [
    "x = {a=1}",
    "syntax at «=»: The key of an object is followed by a colon. [write a: …] → x = {a: 1}",
  ],
  [
    "x = {a => 1}",
    "syntax at «=>»: The key of an object is followed by a colon. [write a: …] → x = {a: 1}",
  ],
  [
    "x = {a 1}",
    "syntax at «1»: 1 cannot stand here. [here may stand a colon and a value, as in {a: 1, b: 2}]",
  ],
  [
    "x = {a}",
    "syntax at «}»: } cannot stand here. [here may stand a colon and a value, as in {a: 1, b: 2}]",
  ],
  [
    "x = {[a]: 1}",
    'syntax at «[»: [ cannot stand here. [here may stand a key, as in {a: 1, "other key": 2}]',
  ],
  [
    "x = {: 1}",
    'syntax at «:»: : cannot stand here. [here may stand a key, as in {a: 1, "other key": 2}]',
  ],
  [
    "x = {a:}",
    'syntax at «}»: } cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
  ],
  [
    'x = {"a"=1}',
    'syntax at «=»: The key of an object is followed by a colon. [write "a": …] → x = {"a": 1}',
  ],
  [
    'x = "a',
    'unterminated_string at «"a»: The string has no closing quote on its line. [close it with "; for several lines write \\n, or a heredoc: <<TEXT, newline, the lines, newline, TEXT]',
  ],
  [
    "x = 'a",
    "unterminated_string at «'a»: The string has no closing quote on its line. [close it with '; for several lines write \\n, or a heredoc: <<TEXT, newline, the lines, newline, TEXT]",
  ],
  [
    'x = "a\\',
    'unterminated_string at «"a\\»: The string has no closing quote on its line. [close it with "; for several lines write \\n, or a heredoc: <<TEXT, newline, the lines, newline, TEXT]',
  ],
  [
    'x = "\\q"',
    'bad_escape at «\\q»: \\q is no escape. [legal are \\n \\t \\r \\b \\f \\/ \\\\ \\" \\\' \\uXXXX, surrogates in pairs; for a backslash itself write \\\\q] → x = "\\\\q"',
  ],
  [
    'x = "\\u12"',
    'bad_escape at «\\u12»: \\u12 is no escape. [legal are \\n \\t \\r \\b \\f \\/ \\\\ \\" \\\' \\uXXXX, surrogates in pairs; for a backslash itself write \\\\u12] → x = "\\\\u12"',
  ],
  [
    'x = "\\u"',
    'bad_escape at «\\u»: \\u is no escape. [legal are \\n \\t \\r \\b \\f \\/ \\\\ \\" \\\' \\uXXXX, surrogates in pairs; for a backslash itself write \\\\u] → x = "\\\\u"',
  ],
  [
    'x = "\\ud800"',
    'bad_escape at «\\ud800»: \\ud800 is no escape. [legal are \\n \\t \\r \\b \\f \\/ \\\\ \\" \\\' \\uXXXX, surrogates in pairs; for a backslash itself write \\\\ud800] → x = "\\\\ud800"',
  ],
  [
    'x = "\\udc00"',
    'bad_escape at «\\udc00»: \\udc00 is no escape. [legal are \\n \\t \\r \\b \\f \\/ \\\\ \\" \\\' \\uXXXX, surrogates in pairs; for a backslash itself write \\\\udc00] → x = "\\\\udc00"',
  ],
  [
    'x = "\\ud800\\u0041"',
    'bad_escape at «\\ud800»: \\ud800 is no escape. [legal are \\n \\t \\r \\b \\f \\/ \\\\ \\" \\\' \\uXXXX, surrogates in pairs; for a backslash itself write \\\\ud800] → x = "\\\\ud800\\u0041"',
  ],
  [
    'x = "\\u0000"',
    "bad_escape at «\\u0000»: \\u0000 stands for U+0000, which text may not hold. [leave \\u0000 out; legal are \\n \\t \\r \\b \\f \\/ \\\\ \\\" \\' \\uXXXX; for a backslash itself write \\\\u0000]",
  ],
  [
    'x = "\\x41"',
    'bad_escape at «\\x»: \\x is no escape. [legal are \\n \\t \\r \\b \\f \\/ \\\\ \\" \\\' \\uXXXX, surrogates in pairs; for a backslash itself write \\\\x] → x = "\\\\x41"',
  ],
  [
    'x = "\\😀"',
    'bad_escape at «\\😀»: \\😀 is no escape. [legal are \\n \\t \\r \\b \\f \\/ \\\\ \\" \\\' \\uXXXX, surrogates in pairs; for a backslash itself write \\\\😀] → x = "\\\\😀"',
  ],
  [
    'x = "a\u0001b"',
    'unexpected_char at «\u0001»: U+0001 may not stand raw in a string. [write U+0001 as the escape \\u0001] → x = "a\\u0001b"',
  ],
  [
    'x = "a\u0085b"',
    'unexpected_char at «\u0085»: U+0085 may not stand raw in a string. [write U+0085 as the escape \\u0085] → x = "a\\u0085b"',
  ],
  [
    'x = "\\',
    'unterminated_string at «"\\»: The string has no closing quote on its line. [close it with "; for several lines write \\n, or a heredoc: <<TEXT, newline, the lines, newline, TEXT]',
  ],
  [
    'x = ["a\n"b"]',
    'unterminated_string at «"a»: The string has no closing quote on its line. [close it with "; for several lines write \\n, or a heredoc: <<TEXT, newline, the lines, newline, TEXT]',
  ],
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

describe("LANG-007, LANG-008, LANG-017: values, 2 of 2", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
