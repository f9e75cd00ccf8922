import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
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
    'x = {a: "b" and c: 1}',
    'syntax at «and»: and is no operator of the language. [write a comma, which means and: a: "b", c: 1] → x = {a: "b", c: 1}',
  ],
  [
    "x = {a: 1 or b: 2}",
    "syntax at «or»: or joins no keys. [an object holds all its keys, as in {a: 1, b: 2}; alternatives are two objects]",
  ],
];

describe("LANG-007: keys of objects", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
