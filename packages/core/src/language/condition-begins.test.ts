import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat{a}",
    "syntax at «a»: a alone is no condition. [compare it, as in a=true, or test it with exists(a)]",
  ],
  [
    "Boat{a, b=1}",
    "syntax at «a»: a alone is no condition. [compare it, as in a=true, or test it with exists(a)]",
  ],
  [
    "Boat{owner.name}",
    "syntax at «owner.name»: owner.name alone is no condition. [compare it, as in owner.name=true, or test it with exists(owner.name)]",
  ],
  [
    "Boat{a b}",
    "syntax at «b»: b cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in p=v]",
  ],
  [
    "Boat{a 5}",
    "syntax at «5»: 5 cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in p=v]",
  ],
  [
    'Boat{a "x"}',
    'syntax at «"x"»: "x" cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in p=v]',
  ],
  [
    "Boat{a ~}",
    'syntax at «}»: } cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
  ],
  [
    "Boat{a=}",
    'syntax at «}»: } cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
  ],
  [
    "Boat{a=,}",
    'syntax at «,»: , cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
  ],
  [
    "Boat{a !}",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat{a !x}",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat{a&b}",
    "syntax at «a»: a alone is no condition. [compare it, as in a=true, or test it with exists(a)]",
  ],
  [
    "Boat{.a=1}",
    "syntax at «.»: . cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {p=v, p=v}]",
  ],
  [
    "Boat{5=1}",
    "syntax at «5»: 5 cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {p=v, p=v}]",
  ],
  [
    "Boat{$=1}",
    "syntax at «$»: $ cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {p=v, p=v}]",
  ],
  ['Boat{"a"=1}', 'syntax at «"a"»: Names stand without quotes. [write a] → Boat{a=1}'],
  ['Boat{"a": 1}', 'syntax at «"a"»: Names stand without quotes. [write a] → Boat{a=1}'],
  ["Boat{'a' : 1}", "syntax at «'a'»: Names stand without quotes. [write a] → Boat{a=1}"],
  [
    'Boat{"a b"=1}',
    'syntax at «"a b"»: "a b" cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {p=v, p=v}]',
  ],
  ['Boat{"a"}', 'syntax at «"a"»: Names stand without quotes. [write a]'],
  [
    'Boat{"a',
    'unterminated_string at «"a»: The string has no closing quote on its line. [close it with "; for several lines write \\n, or a heredoc: <<TEXT, newline, the lines, newline, TEXT]',
  ],
  [
    "Boat{[a]=1}",
    "syntax at «[»: [ cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {p=v, p=v}]",
  ],
  [
    "Boat{<<T\nx\nT}",
    "syntax at «<<T\nx\nT»: <<T cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {p=v, p=v}]",
  ],
  [
    "Boat{..}",
    "syntax at «.»: . cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {p=v, p=v}]",
  ],
  [
    "Boat{,a=1}",
    "syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {p=v, p=v}] → Boat{a=1}",
  ],
  [
    "Boat{=1}",
    "syntax at «=»: = cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {p=v, p=v}]",
  ],
  ["Boat{a.=1}", "syntax at «=»: = cannot stand here. [here may stand a name, as in p.p]"],
  [
    "Boat{exists}",
    "syntax at «exists»: exists alone is no condition. [write exists(column), as in exists(p)]",
  ],
  [
    "Boat{exists()}",
    "syntax at «)»: ) cannot stand here. [here may stand a column, as in exists(p)]",
  ],
  [
    "Boat{exists(5)}",
    "syntax at «5»: 5 cannot stand here. [here may stand a column, as in exists(p)]",
  ],
  ['Boat{exists("a")}', 'syntax at «"a"»: Names stand without quotes. [write a] → Boat{exists(a)}'],
  ["Boat{exists(a b)}", "syntax at «b»: b cannot stand here. [here may stand ), as in exists(p)]"],
  ["Boat{exists(a, b)}", "syntax at «b»: b cannot stand here. [here may stand ), as in exists(p)]"],
  [
    "Boat{exists{a}}",
    "syntax at «exists»: exists takes parentheses. [write exists(a)] → Boat{exists(a)}",
  ],
  ["Boat{any}", "syntax at «any»: any alone is no condition. [write any{…}, as in any{p=v, p=v}]"],
  [
    "Boat{a && b}",
    "syntax at «a»: a alone is no condition. [compare it, as in a=true, or test it with exists(a)]",
  ],
  [
    "Boat{a and b=2}",
    "syntax at «a»: a alone is no condition. [compare it, as in a=true, or test it with exists(a)]",
  ],
];

describe("LANG-050, LANG-051: where a condition or its operator belongs", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
