import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat(,)",
    'syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]] → Boat()',
  ],
  [
    "Boat{,}",
    "syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {p=v, p=v}] → Boat{}",
  ],
  [
    "Boat[,]",
    "syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a column, as in [p, p.p]]",
  ],
  [
    "x = [,]",
    'syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]] → x = []',
  ],
  [
    "x = {,}",
    'syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a key, as in {a: 1, "other key": 2}] → x = {}',
  ],
  [
    "Boat(a,,b)",
    'syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]] → Boat(a,b)',
  ],
  [
    "Boat{a=1,,b=2}",
    "syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {p=v, p=v}] → Boat{a=1,b=2}",
  ],
  [
    "Boat[a,,b]",
    "syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a column, as in [p, p.p]] → Boat[a,b]",
  ],
  [
    "Boat.sort(,)",
    "syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a column, as in .sort(p, p desc)]",
  ],
  [
    "Boat.aggregate(,)",
    "syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand an aggregate: count, count(x), sum(x), avg(x), min(x), max(x), first(x) or last(x), as in .aggregate(n=count, total=sum(p))]",
  ],
  [
    "Boat.group_by(,)",
    "syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a column or an aggregate, as in .group_by(p, n=count)]",
  ],
  [
    "Boat.distinct(,)",
    "syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a column, as in .distinct(p, p)] → Boat.distinct()",
  ],
  [
    "Boat{any{}}",
    "empty_list at «any{}»: any{} cannot be empty. [write at least one condition, as in any{p=v}]",
  ],
  [
    "Boat{all{}}",
    "empty_list at «all{}»: all{} cannot be empty. [write at least one condition, as in all{p=v}]",
  ],
  [
    "Boat{not{}}",
    "empty_list at «not{}»: not{} cannot be empty. [write at least one condition, as in not{p=v}]",
  ],
  [
    "Boat{any{,}}",
    "syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {p=v, p=v}]",
  ],
  [
    "x = {a: 1,, b: 2}",
    'syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand a key, as in {a: 1, "other key": 2}] → x = {a: 1, b: 2}',
  ],
  [
    "Boat,,Person",
    "syntax at «,»: A comma stands here without anything before it. [leave it out; here may stand rows, as in E.limit(1), E.limit(5)] → Boat,Person",
  ],
];

describe("LANG-005, LANG-051: commas without an item, and groups without a condition", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
