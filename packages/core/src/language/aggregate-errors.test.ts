import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat.aggregate()",
    "syntax at «)»: ) cannot stand here. [here may stand an aggregate: count, count(x), sum(x), avg(x), min(x), max(x), first(x) or last(x), as in .aggregate(n=count, total=sum(p))]",
  ],
  [
    "Boat.aggregate(5)",
    "syntax at «5»: 5 cannot stand here. [here may stand an aggregate: count, count(x), sum(x), avg(x), min(x), max(x), first(x) or last(x), as in .aggregate(n=count, total=sum(p))]",
  ],
  [
    "Boat.aggregate(n=)",
    "syntax at «)»: ) cannot stand here. [here may stand an aggregate: count, count(x), sum(x), avg(x), min(x), max(x), first(x) or last(x), as in .aggregate(n=count, total=sum(p))]",
  ],
  [
    "Boat.aggregate(n=5)",
    "syntax at «5»: 5 cannot stand here. [here may stand an aggregate: count, count(x), sum(x), avg(x), min(x), max(x), first(x) or last(x), as in .aggregate(n=count, total=sum(p))]",
  ],
  [
    "Boat.aggregate(n=median(x))",
    "syntax at «median»: median is no aggregate. [write count, count(x), sum(x), avg(x), min(x), max(x), first(x) or last(x), as in n=count]",
  ],
  [
    "Boat.aggregate(n==count)",
    "syntax at «==»: == names no aggregate. [write n=…, as in .aggregate(n=count)] → Boat.aggregate(n=count)",
  ],
  [
    "Boat.aggregate(n=sum)",
    "syntax at «)»: ) cannot stand here. [here may stand the column in parentheses, as in sum(p)]",
  ],
  [
    "Boat.aggregate(avg)",
    "syntax at «)»: ) cannot stand here. [here may stand the column in parentheses, as in avg(p)]",
  ],
  [
    "Boat.aggregate(n=sum())",
    "syntax at «)»: ) cannot stand here. [here may stand a column, as in sum(p)]",
  ],
  [
    "Boat.aggregate(n=sum(5))",
    "syntax at «5»: 5 cannot stand here. [here may stand a column, as in sum(p)]",
  ],
  [
    "Boat.aggregate(n=count(*))",
    "syntax at «*»: * names no column. [write count, which counts rows, as in .aggregate(n=count)] → Boat.aggregate(n=count)",
  ],
  [
    "Boat.aggregate(n=count( * ), m=max(a))",
    "syntax at «*»: * names no column. [write count, which counts rows, as in .aggregate(n=count)] → Boat.aggregate(n=count, m=max(a))",
  ],
  ["Boat.aggregate(n=sum(*))", "syntax at «*»: * names no column. [write a column, as in sum(p)]"],
  [
    "Boat.aggregate(count as n)",
    "syntax at «as»: An aggregate is named in front. [write n=count] → Boat.aggregate(n=count)",
  ],
  [
    "Boat.aggregate(sum(a) AS total, n=count)",
    "syntax at «AS»: An aggregate is named in front. [write total=sum(a)] → Boat.aggregate(total=sum(a), n=count)",
  ],
  [
    "Boat.aggregate(n=count as m)",
    "syntax at «as»: An aggregate is named in front. [write m=count]",
  ],
  [
    "Boat.group_by(state, count(*) as n)",
    "syntax at «*»: * names no column. [write count, which counts rows, as in .aggregate(n=count)] → Boat.group_by(state, n=count)",
  ],
  [
    "Boat.aggregate(n=count(*) as m)",
    "syntax at «*»: * names no column. [write count, which counts rows, as in .aggregate(n=count)]",
  ],
  [
    "Boat.aggregate(n=count as)",
    "syntax at «»: A comma is missing before as. [write a comma between them: n=count, as]",
  ],
  [
    "Boat.aggregate(n=count m=count)",
    "syntax at «»: A comma is missing before m. [write a comma between them: n=count, m=count] → Boat.aggregate(n=count, m=count)",
  ],
  [
    "Boat.aggregate(n=sum(a) b)",
    "syntax at «»: A comma is missing before b. [write a comma between them: n=sum(a), b]",
  ],
  [
    "Boat.aggregate(n=sum(a b))",
    "syntax at «b»: b cannot stand here. [here may stand ), as in sum(p)]",
  ],
  [
    "Boat.group_by()",
    "syntax at «)»: ) cannot stand here. [here may stand a column or an aggregate, as in .group_by(p, n=count)]",
  ],
  [
    "Boat.group_by(n=count)",
    "syntax at «n»: group_by begins with a column. [name a column first, as in .group_by(p, n=count); for all rows in one use .aggregate(…)]",
  ],
  [
    "Boat.group_by(count(a))",
    "syntax at «count»: group_by begins with a column. [name a column first, as in .group_by(p, n=count); for all rows in one use .aggregate(…)]",
  ],
  [
    "Boat.group_by(owner, sum(a) as t)",
    "syntax at «as»: An aggregate is named in front. [write t=sum(a)] → Boat.group_by(owner, t=sum(a))",
  ],
  [
    "Boat.group_by(owner n=count)",
    "syntax at «»: A comma is missing before n. [write a comma between them: owner, n=count] → Boat.group_by(owner, n=count)",
  ],
  [
    "Boat.group_by(owner, 5)",
    "syntax at «5»: 5 cannot stand here. [here may stand a column or an aggregate, as in .group_by(p, n=count)]",
  ],
];

describe("LANG-014, LANG-066: aggregates and groups", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
