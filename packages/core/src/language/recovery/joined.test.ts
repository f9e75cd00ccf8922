import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../../test/told.ts";

const rows: readonly ToldRow[] = [
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
    "Boat{a=1 and b=2 or c=3}",
    "syntax at «and»: and is no operator of the language. [write any{…}: any{all{a=1, b=2}, c=3}] → Boat{any{all{a=1, b=2}, c=3}}",
  ],
  [
    "Boat{a=one and b=two}",
    "syntax at «and»: and is no operator of the language. [write a comma, which means and: a=one, b=two] → Boat{a=one, b=two}",
  ],
  [
    "Boat{a=1 and(b=2)}",
    "syntax at «and»: and is no operator of the language. [write a comma, which means and: a=1, b=2] → Boat{a=1, b=2}",
  ],
  [
    "Boat{a=1 and exists(b)}",
    "syntax at «and»: and is no operator of the language. [write a comma, which means and: a=1, exists(b)] → Boat{a=1, exists(b)}",
  ],
  [
    'Boat{a="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" and b="yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"}',
    'syntax at «and»: and is no operator of the language. [write a comma, which means and: a="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", b="yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…] → Boat{a="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", b="yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"}',
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
    "Boat{a=1 or b=2 and c=3, d=4}",
    "syntax at «or»: or is no operator of the language. [write any{…}: any{a=1, all{b=2, c=3}}] → Boat{any{a=1, all{b=2, c=3}}, d=4}",
  ],
  [
    'Boat{a=1 and (b=2 or c="x and y")}',
    'syntax at «and»: and is no operator of the language. [write a comma, which means and: a=1, any{b=2, c="x and y"}] → Boat{a=1, any{b=2, c="x and y"}}',
  ],
  [
    "Boat{a=1 or not (b=2, c=3)}",
    "syntax at «or»: or is no operator of the language. [write any{…}: any{a=1, not{b=2, c=3}}] → Boat{any{a=1, not{b=2, c=3}}}",
  ],
  [
    "Boat{a=1 and b contains x}",
    "syntax at «and»: and is no operator of the language. [write a comma, which means and: a=1, b~x] → Boat{a=1, b~x}",
  ],
  [
    "Boat{a=1\n and b=2}",
    "syntax at «and»: and is no operator of the language. [write a comma, which means and: a=1, b=2] → Boat{a=1, b=2}",
  ],
  [
    "Boat{a=1 and (b=2}",
    "syntax at «and»: and is no operator of the language. [write a comma, which means and: a=1, (b=2]",
  ],
  [
    "Boat{a=1 and b==2 or c is not null}",
    "syntax at «and»: and is no operator of the language. [write any{…}: any{all{a=1, b=2}, c!=null}] → Boat{any{all{a=1, b=2}, c!=null}}",
  ],
];

describe("LANG-007, errors section 2: conditions joined as in other languages", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
