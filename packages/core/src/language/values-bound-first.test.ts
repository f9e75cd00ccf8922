import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat(a=Person{b=1})",
    "syntax at «Person{b=1}»: A query or step cannot stand inside a value. [bind it on a line above, found = Person{b=1}, and write found here] → found = Person{b=1}\nBoat(a=found)",
  ],
  [
    "Boat(Person~x)",
    "syntax at «Person~x»: A query or step cannot stand inside a value. [bind it on a line above, found = Person~x, and write found here] → found = Person~x\nBoat(found)",
  ],
  [
    "Boat(Person[id])",
    "syntax at «Person[id]»: A query or step cannot stand inside a value. [bind it on a line above, found = Person[id], and write found here] → found = Person[id]\nBoat(found)",
  ],
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
    "syntax at «Person{b=_.c}»: A query or step cannot stand inside a value. [a row of => is made of its own columns: read the other rows by themselves, on a line of their own, as in E{p=v}]",
  ],
  [
    "a => {n: Person(_.id).ping()}",
    "effect_in_value at «.ping()»: A value cannot call ping. [bind the calls on a line above, found = a => Person(_.id).ping(), and go on with their answers, found]",
  ],
  [
    "found = 1\nBoat(Person{})",
    "syntax at «Person{}»: A query or step cannot stand inside a value. [bind it on a line above, found_2 = Person{}, and write found_2 here] → found = 1\nfound_2 = Person{}\nBoat(found_2)",
  ],
];

describe("LANG-007, LANG-071: what is read inside a value is bound first", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
