import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat => 5",
    "syntax at «5»: 5 cannot stand here. [here may stand an object, or a call per row, as in rows => {k: _.p}]",
  ],
  [
    "Boat => {}",
    "empty_list at «{}»: The object after => cannot be empty. [write at least one column, as in rows => {k: _.p}]",
  ],
  [
    "Boat => {n}",
    "syntax at «n»: n has no value. [write n: _.n; behind each key stand a colon and a value, as in {a: 1, b: _.p}] → Boat => {n: _.n}",
  ],
  [
    "a => {id, name: _.name, x}",
    "syntax at «id»: id has no value. [write id: _.id, x: _.x; behind each key stand a colon and a value, as in {a: 1, b: _.p}] → a => {id: _.id, name: _.name, x: _.x}",
  ],
  [
    "a => {id, name}",
    "syntax at «id»: id has no value. [write id: _.id, name: _.name; behind each key stand a colon and a value, as in {a: 1, b: _.p}] → a => {id: _.id, name: _.name}",
  ],
  [
    'Boat => "x"',
    'syntax at «"x"»: "x" cannot stand here. [here may stand an object, or a call per row, as in rows => {k: _.p}]',
  ],
  [
    "Boat => Boat(_.id).limit(5)",
    "unexpected_text at «.»: . cannot follow the body of =>. [bind the rows first: found = Boat => Boat(_.id), then found.limit(5)] → found = Boat => Boat(_.id)\nfound.limit(5)",
  ],
  [
    "Boat => Boat(_.id).visits",
    "unexpected_text at «.»: . cannot follow the body of =>. [bind the rows first: found = Boat => Boat(_.id), then found.visits] → found = Boat => Boat(_.id)\nfound.visits",
  ],
  [
    "Boat => {n: _.id} <<T\nx\nT",
    "unexpected_text at «<<»: <<T cannot follow the body of =>. [bind the rows first: found = Boat => {n: _.id}, then found <<T] → found = Boat => {n: _.id}\nfound <<T\nx\nT",
  ],
  [
    "Boat <<T\nx\nT <<U\ny\nU",
    'unterminated_heredoc at «<<T»: No line closes T. [after the text of <<T on line 1 write a line T ; line 3 has "T <<U", which does not close it]',
  ],
  [
    "x = Boat => {n: _.id}\n=> {m: _.n}",
    "unexpected_text at «=>»: => cannot follow the body of =>. [bind the rows first: found = Boat => {n: _.id}, then found => {m: _.n}] → found = Boat => {n: _.id}\nx = found => {m: _.n}",
  ],
  [
    "Boat, Person => {n: _.id}[n]",
    "unexpected_text at «[»: [ cannot follow the body of =>. [bind the rows first: found = Person => {n: _.id}, then found[n]]",
  ],
  [
    'found = 1\nx = "a".limit(5)',
    'unexpected_text at «.»: . cannot follow a literal. [bind the rows first: found_2 = "a", then found_2.limit(5)] → found = 1\nfound_2 = "a"\nx = found_2.limit(5)',
  ],
  [
    "x = 5[id]",
    "unexpected_text at «[»: [ cannot follow a literal. [bind the rows first: found = 5, then found[id]] → found = 5\nx = found[id]",
  ],
  [
    "x = [1].limit(2)",
    "unexpected_text at «.»: . cannot follow a literal. [bind the rows first: found = [1], then found.limit(2)] → found = [1]\nx = found.limit(2)",
  ],
  [
    "x = true.limit(5)",
    "unexpected_text at «.»: . cannot follow a literal. [bind the rows first: found = true, then found.limit(5)] → found = true\nx = found.limit(5)",
  ],
  [
    'x = "a" <<T\ny\nT',
    'unexpected_text at «<<»: <<T cannot follow a literal. [bind the rows first: found = "a", then found <<T] → found = "a"\nx = found <<T\ny\nT',
  ],
  [
    "x = 5 => {n: _.value}",
    "unexpected_text at «=>»: => cannot follow a literal. [bind the rows first: found = 5, then found => {n: _.value}] → found = 5\nx = found => {n: _.value}",
  ],
];

describe("LANG-071: bodies of =>, and what may not follow them, literals and templates", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
