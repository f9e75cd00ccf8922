import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../../test/told.ts";

const rows: readonly ToldRow[] = [
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
    'Boat{a="x" or <"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"}',
    'syntax at «or»: or is no operator of the language. [write any{…}: any{a="x", a<"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…}] → Boat{any{a="x", a<"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"}}',
  ],
  [
    "Boat{a=1&&b=2}",
    "syntax at «&&»: && is no operator of the language. [write a comma, which means and: a=1, b=2] → Boat{a=1, b=2}",
  ],
  [
    "Boat{a=1 && !b}",
    "syntax at «&&»: && is no operator of the language. [write a comma, which means and: a=1, b=false] → Boat{a=1, b=false}",
  ],
  [
    "Boat{a=1 || (b=2)}",
    "syntax at «||»: || is no operator of the language. [write any{…}: any{a=1, b=2}] → Boat{any{a=1, b=2}}",
  ],
  [
    "Boat{a=1 or not (b=2, c=3)}",
    "syntax at «c»: c cannot stand here. [here may stand ), as in (p=v or p=v)]",
  ],
  [
    "Boat{a=1 and b contains x}",
    'syntax at «contains»: contains is no operator of the language. [write b~"…"; operators are = != > >= < <= ~ in] → Boat{a=1 and b~x}',
  ],
  [
    "Boat{a=1 and (b=2}",
    "unclosed_bracket at «}»: } does not close the ( at 1:14. [write ), which closes the ( at 1:14, before }] → Boat{a=1 and (b=2)}",
  ],
  [
    "Boat{a=1 and b==2 or c is not null}",
    "syntax at «==»: == is no operator of the language. [write b=…; operators are = != > >= < <= ~ in]",
  ],
];

describe("LANG-007, errors section 2: conditions joined as in other languages", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
