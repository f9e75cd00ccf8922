import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat{a in []}",
    "empty_list at «[]»: The list after in cannot be empty. [write at least one value, as in state in [lost]]",
  ],
  [
    "Boat{a in =}",
    "syntax at «=»: = cannot stand here. [here may stand a list or a label's column, as in state in [lost, moored]]",
  ],
  [
    "Boat{a between 1 and 5}",
    "syntax at «between»: between is no operator of the language. [write a>=1, a<=5; operators are = != > >= < <= ~ in] → Boat{a>=1, a<=5}",
  ],
  [
    "Boat{a BETWEEN 1 AND 5, b=1}",
    "syntax at «BETWEEN»: BETWEEN is no operator of the language. [write a>=1, a<=5; operators are = != > >= < <= ~ in] → Boat{a>=1, a<=5, b=1}",
  ],
  [
    "Boat{owner.age between  1  and  5}",
    "syntax at «between»: between is no operator of the language. [write owner.age>=1, owner.age<=5; operators are = != > >= < <= ~ in] → Boat{owner.age>=1, owner.age<=5}",
  ],
  [
    "Boat{a between 1}",
    "syntax at «between»: between cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in state=lost]",
  ],
  [
    "Boat{a between 1 to 5}",
    "syntax at «between»: between cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in state=lost]",
  ],
  [
    'Boat{a like "x"}',
    'syntax at «like»: like is no operator of the language. [write a~"…"; operators are = != > >= < <= ~ in] → Boat{a~"x"}',
  ],
  [
    "Boat{a LIKE '%x%'}",
    "syntax at «LIKE»: LIKE is no operator of the language. [write a~\"…\"; operators are = != > >= < <= ~ in] → Boat{a~'x'}",
  ],
  [
    'Boat{a ilike "%x"}',
    'syntax at «ilike»: ilike is no operator of the language. [write a~"…"; operators are = != > >= < <= ~ in] → Boat{a~"x"}',
  ],
  [
    'Boat{a contains "x"}',
    'syntax at «contains»: contains is no operator of the language. [write a~"…"; operators are = != > >= < <= ~ in] → Boat{a~"x"}',
  ],
  [
    "Boat{a matches x}",
    'syntax at «matches»: matches is no operator of the language. [write a~"…"; operators are = != > >= < <= ~ in] → Boat{a~x}',
  ],
  [
    'Boat{a includes "x%"}',
    'syntax at «includes»: includes is no operator of the language. [write a~"…"; operators are = != > >= < <= ~ in] → Boat{a~"x"}',
  ],
  [
    "Boat{a like}",
    "syntax at «like»: like cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in state=lost]",
  ],
  [
    "Boat{a like x}",
    'syntax at «like»: like is no operator of the language. [write a~"…"; operators are = != > >= < <= ~ in] → Boat{a~x}',
  ],
  [
    'Boat{a likes "x"}',
    "syntax at «likes»: likes cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in state=lost]",
  ],
  [
    'Boat{a like "x%y"}',
    'syntax at «like»: like is no operator of the language. [write a~"…"; operators are = != > >= < <= ~ in] → Boat{a~"x%y"}',
  ],
  [
    'Boat{owner.name contains "x"}',
    'syntax at «contains»: contains is no operator of the language. [write owner.name~"…"; operators are = != > >= < <= ~ in] → Boat{owner.name~"x"}',
  ],
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
    "syntax at «b»: b cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in state=lost]",
  ],
  [
    "Boat{a 5}",
    "syntax at «5»: 5 cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in state=lost]",
  ],
  [
    'Boat{a "x"}',
    'syntax at «"x"»: "x" cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in state=lost]',
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
    'unexpected_char at «&»: & is no character of the language. [U+0026 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat{a+1}",
    "syntax at «+»: + cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in state=lost]",
  ],
  [
    "Boat{.a=1}",
    "syntax at «.»: . cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {state=lost, length>10}]",
  ],
  [
    "Boat{5=1}",
    "syntax at «5»: 5 cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {state=lost, length>10}]",
  ],
  [
    "Boat{$=1}",
    "syntax at «$»: $ cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {state=lost, length>10}]",
  ],
  ['Boat{"a"=1}', 'syntax at «"a"»: Names stand without quotes. [write a] → Boat{a=1}'],
  ['Boat{"a": 1}', 'syntax at «"a"»: Names stand without quotes. [write a] → Boat{a=1}'],
  ["Boat{'a' : 1}", "syntax at «'a'»: Names stand without quotes. [write a] → Boat{a=1}"],
  [
    'Boat{"a b"=1}',
    'syntax at «"a b"»: "a b" cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {state=lost, length>10}]',
  ],
  ['Boat{"a"}', 'syntax at «"a"»: Names stand without quotes. [write a]'],
  [
    'Boat{"a',
    'unterminated_string at «"a»: The string has no closing quote on its line. [close it with "; for several lines write \\n, or a heredoc: <<TEXT, newline, the lines, newline, TEXT]',
  ],
  [
    "Boat{[a]=1}",
    "syntax at «[»: [ cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {state=lost, length>10}]",
  ],
  [
    "Boat{<<T\nx\nT}",
    "syntax at «<<T\nx\nT»: <<T\nx\nT cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {state=lost, length>10}]",
  ],
  [
    "Boat{..}",
    "syntax at «.»: . cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {state=lost, length>10}]",
  ],
  [
    "Boat{,a=1}",
    "syntax at «,»: , cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {state=lost, length>10}]",
  ],
  [
    "Boat{=1}",
    "syntax at «=»: = cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {state=lost, length>10}]",
  ],
];

describe("LANG-015, ERR-006: conditions as other languages write them, 2 of 3", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
