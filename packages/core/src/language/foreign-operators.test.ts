import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat{a==1}",
    "syntax at «==»: == is no operator of the language. [write a=…; operators are = != > >= < <= ~ in] → Boat{a=1}",
  ],
  [
    "Boat{a===1}",
    "syntax at «===»: === is no operator of the language. [write a=…; operators are = != > >= < <= ~ in] → Boat{a=1}",
  ],
  [
    "Boat{a!==1}",
    "syntax at «!==»: !== is no operator of the language. [write a!=…; operators are = != > >= < <= ~ in] → Boat{a!=1}",
  ],
  [
    "Boat{a<>1}",
    "syntax at «<>»: <> is no operator of the language. [write a!=…; operators are = != > >= < <= ~ in] → Boat{a!=1}",
  ],
  [
    "Boat{a=>1}",
    "syntax at «=>»: => is no operator of the language. [write a>=…; operators are = != > >= < <= ~ in] → Boat{a>=1}",
  ],
  [
    "Boat{a=<1}",
    "syntax at «=<»: =< is no operator of the language. [write a<=…; operators are = != > >= < <= ~ in] → Boat{a<=1}",
  ],
  [
    'Boat{a=~"x"}',
    'syntax at «=~»: =~ is no operator of the language. [write a~…; operators are = != > >= < <= ~ in] → Boat{a~"x"}',
  ],
  [
    "Boat{a: 1}",
    "syntax at «:»: : is no operator of the language. [write a=…; operators are = != > >= < <= ~ in] → Boat{a=1}",
  ],
  [
    "Boat{a :1}",
    "syntax at «:»: : is no operator of the language. [write a=…; operators are = != > >= < <= ~ in] → Boat{a =1}",
  ],
  [
    'Boat{owner.name=="x"}',
    'syntax at «==»: == is no operator of the language. [write owner.name=…; operators are = != > >= < <= ~ in] → Boat{owner.name="x"}',
  ],
  [
    "Boat{a is null}",
    "syntax at «is null»: is null is no operator of the language. [write a=null] → Boat{a=null}",
  ],
  [
    "Boat{a is  not  null}",
    "syntax at «is  not  null»: is  not  null is no operator of the language. [write a!=null] → Boat{a!=null}",
  ],
  [
    "Boat{a IS NOT NULL}",
    "syntax at «IS NOT NULL»: IS NOT NULL is no operator of the language. [write a!=null] → Boat{a!=null}",
  ],
  [
    "Boat{a is nullable}",
    "syntax at «is»: is is no operator of the language. [write a=…] → Boat{a=nullable}",
  ],
  ["Boat{a is 5}", "syntax at «is»: is is no operator of the language. [write a=…] → Boat{a=5}"],
  [
    "Boat{a is not 5}",
    "syntax at «is not»: is not is no operator of the language. [write a!=…] → Boat{a!=5}",
  ],
  [
    'Boat{a Is "x"}',
    'syntax at «Is»: Is is no operator of the language. [write a=…] → Boat{a="x"}',
  ],
  [
    "Boat{a is}",
    "syntax at «is»: is cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in p=v]",
  ],
  [
    "Boat{a not inside}",
    "syntax at «not»: not cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in p=v]",
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
    "syntax at «between»: between cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in p=v]",
  ],
  [
    "Boat{a between 1 to 5}",
    "syntax at «between»: between cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in p=v]",
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
    "syntax at «like»: like cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in p=v]",
  ],
  [
    "Boat{a like x}",
    'syntax at «like»: like is no operator of the language. [write a~"…"; operators are = != > >= < <= ~ in] → Boat{a~x}',
  ],
  [
    'Boat{a likes "x"}',
    "syntax at «likes»: likes cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in p=v]",
  ],
  [
    'Boat{a like "x%y"}',
    'syntax at «like»: like is no operator of the language. [write a~"…"; operators are = != > >= < <= ~ in]',
  ],
  [
    'Boat{owner.name contains "x"}',
    'syntax at «contains»: contains is no operator of the language. [write owner.name~"…"; operators are = != > >= < <= ~ in] → Boat{owner.name~"x"}',
  ],
];

describe("LANG-050, errors section 2: operators as other languages write them", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
