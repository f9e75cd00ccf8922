import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat.5",
    "syntax at «5»: 5 cannot stand here. [here may stand a relation, a method or an operator, as in Boat.limit(5)]",
  ],
  [
    'Boat."x"',
    'syntax at «"x"»: "x" cannot stand here. [here may stand a relation, a method or an operator, as in Boat.limit(5)]',
  ],
  [
    "Boat.(x)",
    "syntax at «(»: ( cannot stand here. [here may stand a relation, a method or an operator, as in Boat.limit(5)]",
  ],
  [
    "Boat..limit(5)",
    "syntax at «.»: . cannot stand here. [here may stand a relation, a method or an operator, as in Boat.limit(5)]",
  ],
  [
    "Boat.limit(0)",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(-1)",
    "bad_count at «-1»: -1 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(2.5)",
    "bad_count at «2.5»: 2.5 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(007)",
    "bad_count at «007»: 007 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(100001)",
    "bad_count at «100001»: 100001 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(n=5)",
    "bad_count at «n=5»: n=5 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)] → Boat.limit(5)",
  ],
  [
    'Boat.limit("5")',
    'bad_count at «"5"»: "5" is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)] → Boat.limit(5)',
  ],
  [
    "Boat.limit('7')",
    "bad_count at «'7'»: '7' is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)] → Boat.limit(7)",
  ],
  [
    "Boat.limit(five)",
    "bad_count at «five»: five is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit(5 rows)",
    "bad_count at «5 rows»: 5 rows is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.limit([5])",
    "bad_count at «[5]»: [5] is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.page_size(0)",
    "bad_count at «0»: 0 is no count for .page_size(…). [write an integer from 1 to 100000, as .page_size(5)]",
  ],
  [
    "Boat.page_size(x=20)",
    "bad_count at «x=20»: x=20 is no count for .page_size(…). [write an integer from 1 to 100000, as .page_size(5)] → Boat.page_size(20)",
  ],
  [
    "Boat.singleton(1)",
    "syntax at «1»: 1 cannot stand here. [here may stand a column, as in [id, owner.name]]",
  ],
  [
    "Boat.singleton(a)",
    "syntax at «(a)»: (a) cannot stand here. [here may stand () with nothing inside, as in .singleton()]",
  ],
  [
    "Boat.singleton(a, b)",
    "syntax at «(a, b)»: (a, b) cannot stand here. [here may stand () with nothing inside, as in .singleton()]",
  ],
  [
    "Boat.sort()",
    "syntax at «)»: ) cannot stand here. [here may stand a column, as in .sort(length, desc)]",
  ],
  [
    "Boat.sort(-length)",
    "syntax at «-»: A minus sorts nothing. [write .sort(length desc)] → Boat.sort(length desc)",
  ],
  [
    "Boat.sort(- length, name)",
    "syntax at «-»: A minus sorts nothing. [write .sort(length desc)] → Boat.sort(length desc, name)",
  ],
  [
    "Boat.sort(length descending)",
    "syntax at «descending»: descending is no direction. [write asc or desc: .sort(length desc)] → Boat.sort(length desc)",
  ],
  [
    "Boat.sort(length ASC)",
    "syntax at «ASC»: ASC is no direction. [write asc or desc: .sort(length asc)] → Boat.sort(length asc)",
  ],
  [
    "Boat.sort(length ascending)",
    "syntax at «ascending»: ascending is no direction. [write asc or desc: .sort(length asc)] → Boat.sort(length asc)",
  ],
  [
    "Boat.sort(length Desc)",
    "syntax at «Desc»: Desc is no direction. [write asc or desc: .sort(length desc)] → Boat.sort(length desc)",
  ],
  [
    "Boat.sort(length desc, asc)",
    "syntax at «asc»: length has a direction already. [write one of asc and desc after each key, as in .sort(name, length desc)]",
  ],
  [
    "Boat.sort(length down)",
    "syntax at «down»: down cannot stand here. [here may stand asc, desc, a comma or ), as in .sort(state, length desc)]",
  ],
  [
    "Boat.sort(key=length)",
    "syntax at «key»: sort takes columns without a name in front. [write .sort(length)] → Boat.sort(length)",
  ],
  [
    "Boat.sort(by=length, name)",
    "syntax at «by»: sort takes columns without a name in front. [write .sort(length)] → Boat.sort(length, name)",
  ],
  [
    "Boat.sort(x=length)",
    "syntax at «=»: = cannot stand here. [here may stand asc, desc, a comma or ), as in .sort(state, length desc)]",
  ],
  [
    'Boat.sort("length")',
    'syntax at «"length"»: Names stand without quotes. [write length] → Boat.sort(length)',
  ],
  [
    "Boat.sort(5)",
    "syntax at «5»: 5 cannot stand here. [here may stand a column, as in .sort(state, length desc)]",
  ],
  [
    "Boat.distinct(5)",
    "syntax at «5»: 5 cannot stand here. [here may stand a column, as in [id, owner.name]]",
  ],
  [
    "Boat.distinct(a b)",
    "syntax at «b»: b cannot stand here. [here may stand , or ), as in (id, owner.name)]",
  ],
  [
    "Boat[]",
    "empty_list at «[]»: A projection cannot be empty. [write at least one column, as in [id]]",
  ],
  [
    "Boat[0]",
    "syntax at «[0]»: Rows are not taken by their number. [write .limit(1); in brackets stand columns, as in [id, owner.name]] → Boat.limit(1)",
  ],
  [
    "Boat[3]",
    "syntax at «[3]»: Rows are not taken by their number. [write .limit(1); in brackets stand columns, as in [id, owner.name]]",
  ],
  [
    "Boat[:5]",
    "syntax at «[:5]»: Rows are not taken by their number. [write .limit(5); in brackets stand columns, as in [id, owner.name]] → Boat.limit(5)",
  ],
  [
    "Boat[0:5]",
    "syntax at «[0:5]»: Rows are not taken by their number. [write .limit(5); in brackets stand columns, as in [id, owner.name]] → Boat.limit(5)",
  ],
  [
    "Boat[2:5]",
    "syntax at «[2:5]»: Rows are not taken by their number. [write .limit(5); in brackets stand columns, as in [id, owner.name]]",
  ],
  [
    "Boat[:]",
    "syntax at «[:]»: Rows are not taken by their number. [write .limit(5); in brackets stand columns, as in [id, owner.name]]",
  ],
  [
    "Boat[-1]",
    "syntax at «-»: - cannot stand here. [here may stand a column, as in [id, owner.name]]",
  ],
  ['Boat["id"]', 'syntax at «"id"»: Names stand without quotes. [write id] → Boat[id]'],
];

describe("LANG-014, LANG-016, LANG-061: steps and their arguments, 1 of 2", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
