import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat{a=1 b=2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b=2] → Boat{a=1, b=2}",
  ],
  [
    "Boat{a=1\nb=2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b=2] → Boat{a=1,\nb=2}",
  ],
  [
    "Boat{a=1 b.c=2}",
    "syntax at «»: A comma is missing before b.c. [write a comma, which means and: a=1, b.c=2] → Boat{a=1, b.c=2}",
  ],
  [
    "Boat{a=1 b<2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b<2] → Boat{a=1, b<2}",
  ],
  [
    "Boat{a=1 b>2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b>2] → Boat{a=1, b>2}",
  ],
  [
    "Boat{a=1 b~x}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b~x] → Boat{a=1, b~x}",
  ],
  [
    "Boat{a=1 b!=x}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b!=x] → Boat{a=1, b!=x}",
  ],
  [
    "Boat{a=1 b in [x]}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b in [x]] → Boat{a=1, b in [x]}",
  ],
  [
    "Boat{a=1 b not in [x]}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b not in [x]]",
  ],
  [
    "Boat{a=1 b is null}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b is null]",
  ],
  [
    'Boat{a=1 b like "x"}',
    'syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b like "x"]',
  ],
  [
    "Boat{a=1 any{b=2}}",
    "syntax at «»: A comma is missing before any. [write a comma, which means and: a=1, any{b=2}] → Boat{a=1, any{b=2}}",
  ],
  [
    "Boat{a=1 all {b=2}}",
    "syntax at «»: A comma is missing before all. [write a comma, which means and: a=1, all {b=2}] → Boat{a=1, all {b=2}}",
  ],
  [
    "Boat{a=1 not{b=2}}",
    "syntax at «»: A comma is missing before not. [write a comma, which means and: a=1, not{b=2}] → Boat{a=1, not{b=2}}",
  ],
  [
    "Boat{a=1 exists(b)}",
    "syntax at «»: A comma is missing before exists. [write a comma, which means and: a=1, exists(b)] → Boat{a=1, exists(b)}",
  ],
  [
    "Boat{a=1 not b}",
    "syntax at «»: A comma is missing before not. [write a comma, which means and: a=1, not b]",
  ],
  [
    "Boat{exists(a) b=2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: exists(a), b=2] → Boat{exists(a), b=2}",
  ],
  [
    "Boat{any{a=1} b=2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: any{a=1}, b=2] → Boat{any{a=1}, b=2}",
  ],
  [
    "Boat{a in [x] b=2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a in [x], b=2] → Boat{a in [x], b=2}",
  ],
  [
    "Boat{a=1 and b=2}",
    "syntax at «and»: and is no operator of the language. [write a comma, which means and: a=1, b=2] → Boat{a=1, b=2}",
  ],
  [
    "Boat{a=1 AND b=2, c=3}",
    "syntax at «AND»: AND is no operator of the language. [write a comma, which means and: a=1, b=2] → Boat{a=1, b=2, c=3}",
  ],
  [
    "Boat{a=1 && b=2}",
    "syntax at «&&»: && is no operator of the language. [write a comma, which means and: a=1, b=2] → Boat{a=1, b=2}",
  ],
  [
    "Boat{a=1 & b=2}",
    "syntax at «&»: & is no operator of the language. [write a comma, which means and: a=1, b=2] → Boat{a=1, b=2}",
  ],
  [
    "Boat{a=1 or b=2}",
    "syntax at «or»: or is no operator of the language. [write any{…}: any{a=1, b=2}] → Boat{any{a=1, b=2}}",
  ],
  [
    "Boat{a=1 OR b=2, c=3}",
    "syntax at «OR»: OR is no operator of the language. [write any{…}: any{a=1, b=2}] → Boat{any{a=1, b=2}, c=3}",
  ],
  [
    "Boat{a=1 || b=2}",
    "syntax at «||»: || is no operator of the language. [write any{…}: any{a=1, b=2}] → Boat{any{a=1, b=2}}",
  ],
  [
    "Boat{a=1 | b=2}",
    "syntax at «|»: | is no operator of the language. [write any{…}: any{a=1, b=2}] → Boat{any{a=1, b=2}}",
  ],
  [
    'Boat{a="x" or b=2}',
    'syntax at «or»: or is no operator of the language. [write any{…}: any{a="x", b=2}] → Boat{any{a="x", b=2}}',
  ],
  [
    "Boat{c=3, a=1 or b=2}",
    "syntax at «or»: or is no operator of the language. [write any{…}: any{a=1, b=2}] → Boat{c=3, any{a=1, b=2}}",
  ],
  [
    'Boat{a="x" and b="y z"}',
    'syntax at «and»: and is no operator of the language. [write a comma, which means and: a="x", b="y z"] → Boat{a="x", b="y z"}',
  ],
  [
    "Boat{a>10 and <20}",
    "syntax at «and»: and is no operator of the language. [write a comma, which means and: a>10, a<20] → Boat{a>10, a<20}",
  ],
  [
    "Boat{a>10 or <5}",
    "syntax at «or»: or is no operator of the language. [write any{…}: any{a>10, a<5}] → Boat{any{a>10, a<5}}",
  ],
  [
    'Boat{owner.name="x" and !="y"}',
    'syntax at «and»: and is no operator of the language. [write a comma, which means and: owner.name="x", owner.name!="y"] → Boat{owner.name="x", owner.name!="y"}',
  ],
  [
    'Boat{a="x" or ="y", c=3}',
    'syntax at «or»: or is no operator of the language. [write any{…}: any{a="x", a="y"}] → Boat{any{a="x", a="y"}, c=3}',
  ],
  [
    'Boat{a="x" or ~"y"}',
    'syntax at «or»: or is no operator of the language. [write any{…}: any{a="x", a~"y"}] → Boat{any{a="x", a~"y"}}',
  ],
  [
    'Boat{a="x" and "y"}',
    "syntax at «and»: and cannot stand here. [here may stand , or }, as in {state=lost, owner=ann}]",
  ],
];

describe("LANG-007: between items stands a comma, 1 of 2", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
