import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat.5",
    "syntax at «5»: 5 cannot stand here. [here may stand a relation, a method or an operator, as in E.limit(5)]",
  ],
  ['Boat."x"', 'syntax at «"x"»: Names stand without quotes. [write x] → Boat.x'],
  [
    "Boat.(x)",
    "syntax at «(»: ( cannot stand here. [here may stand a relation, a method or an operator, as in E.limit(5)]",
  ],
  [
    "Boat..limit(5)",
    "syntax at «.»: . cannot stand here. [here may stand a relation, a method or an operator, as in E.limit(5)]",
  ],
  [
    "Boat.singleton(1)",
    "syntax at «1»: .singleton takes nothing inside its parentheses. [write .singleton()]",
  ],
  [
    "Boat.singleton(a, b)",
    "syntax at «a, b»: .singleton takes nothing inside its parentheses. [write .singleton()]",
  ],
  [
    "Boat.singleton(,)",
    "syntax at «,»: .singleton takes nothing inside its parentheses. [write .singleton()]",
  ],
  [
    "Boat.singleton(]",
    "unclosed_bracket at «]»: ] does not close the ( at 1:15. [write ), which closes the ( at 1:15, in place of ]] → Boat.singleton()",
  ],
  [
    "Boat.distinct(5)",
    "syntax at «5»: 5 cannot stand here. [here may stand a column, as in .distinct(p, p)]",
  ],
  [
    "Boat.distinct(a b)",
    "syntax at «»: A comma is missing before b. [write a comma between them: a, b] → Boat.distinct(a, b)",
  ],
  [
    "Boat[]",
    "empty_list at «[]»: A projection cannot be empty. [write at least one column, as in [p]]",
  ],
  [
    "Boat[0]",
    "syntax at «[0]»: Rows are not taken by their number. [write .limit(1); in brackets stand columns, as in [p, p.p]] → Boat.limit(1)",
  ],
  [
    "Boat[3]",
    "syntax at «[3]»: Rows are not taken by their number. [write .limit(n) for the first n rows, behind .sort(column, desc) if their order matters; in brackets stand columns, as in [p, p.p]]",
  ],
  [
    "Boat[:5]",
    "syntax at «[:5]»: Rows are not taken by their number. [write .limit(5); in brackets stand columns, as in [p, p.p]] → Boat.limit(5)",
  ],
  [
    "Boat[0:5]",
    "syntax at «[0:5]»: Rows are not taken by their number. [write .limit(5); in brackets stand columns, as in [p, p.p]] → Boat.limit(5)",
  ],
  [
    "Boat[2:5]",
    "syntax at «[2:5]»: Rows are not taken by their number. [write .limit(n) for the first n rows, behind .sort(column, desc) if their order matters; in brackets stand columns, as in [p, p.p]]",
  ],
  [
    "Boat[:]",
    "syntax at «[:]»: Rows are not taken by their number. [write .limit(n) for the first n rows, behind .sort(column, desc) if their order matters; in brackets stand columns, as in [p, p.p]]",
  ],
  [
    "Boat[-1]",
    "syntax at «[-1]»: Rows are not taken by their number. [write .limit(n) for the first n rows, behind .sort(column, desc) if their order matters; in brackets stand columns, as in [p, p.p]]",
  ],
  ['Boat["id"]', 'syntax at «"id"»: Names stand without quotes. [write id] → Boat[id]'],
  [
    "Boat[-3:]",
    "syntax at «[-3:]»: Rows are not taken by their number. [write .limit(n) for the first n rows, behind .sort(column, desc) if their order matters; in brackets stand columns, as in [p, p.p]]",
  ],
  [
    "Boat[id name]",
    "syntax at «»: A comma is missing before name. [write a comma between them: id, name] → Boat[id, name]",
  ],
  ["Boat[id.]", "syntax at «]»: ] cannot stand here. [here may stand a name, as in p.p]"],
  [
    "Boat[*]",
    "syntax at «[*]»: * names no column. [leave [*] out for all columns; in brackets stand columns, as in [p, p.p]] → Boat",
  ],
];

describe("LANG-051, LANG-061: steps, columns, rows by number, singleton", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
