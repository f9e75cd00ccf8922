import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
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
];

describe("LANG-002, LANG-006: strings and escapes", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
