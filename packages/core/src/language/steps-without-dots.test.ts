import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat top 5",
    "unexpected_text at «top»: top cannot follow here. [write it as a step: .limit(5)] → Boat.limit(5)",
  ],
  [
    "Boat take 3",
    "unexpected_text at «take»: take cannot follow here. [write it as a step: .limit(3)] → Boat.limit(3)",
  ],
  [
    "Boat first",
    "unexpected_text at «first»: first cannot follow here. [write it as a step: .limit(1)] → Boat.limit(1)",
  ],
  [
    "Boat first 2",
    "unexpected_text at «first»: first cannot follow here. [write it as a step: .limit(2)] → Boat.limit(2)",
  ],
  [
    "Boat limit 5 x",
    "unexpected_text at «limit»: limit cannot follow here. [write it as a step: .limit(5)]",
  ],
  [
    "Boat LIMIT 5",
    "unexpected_text at «LIMIT»: LIMIT cannot follow here. [write it as a step: .limit(5)] → Boat.limit(5)",
  ],
  [
    "Boat limit",
    "unexpected_text at «limit»: limit cannot follow here. [write it as a step: .limit(5)]",
  ],
  [
    "Boat order by name",
    "unexpected_text at «order»: order cannot follow here. [write it as a step: .sort(name)] → Boat.sort(name)",
  ],
  [
    "Boat orderby name",
    "unexpected_text at «orderby»: orderby cannot follow here. [write it as a step: .sort(name)] → Boat.sort(name)",
  ],
  [
    "Boat sort name",
    "unexpected_text at «sort»: sort cannot follow here. [write it as a step: .sort(name)] → Boat.sort(name)",
  ],
  [
    "Boat where x",
    "unexpected_text at «where»: where cannot follow here. [write it as a step: .filter{x=true}] → Boat.filter{x=true}",
  ],
  [
    "Boat filter x",
    "unexpected_text at «filter»: filter cannot follow here. [write it as a step: .filter{x=true}] → Boat.filter{x=true}",
  ],
  [
    "Boat select id",
    "unexpected_text at «select»: select cannot follow here. [write it as a step: [id]] → Boat[id]",
  ],
  [
    "Boat project id",
    "unexpected_text at «project»: project cannot follow here. [write it as a step: [id]] → Boat[id]",
  ],
  [
    "Boat group by owner",
    "unexpected_text at «group»: group cannot follow here. [write it as a step: .group_by(owner)] → Boat.group_by(owner)",
  ],
  [
    "Boat groupby owner",
    "unexpected_text at «groupby»: groupby cannot follow here. [write it as a step: .group_by(owner)] → Boat.group_by(owner)",
  ],
  [
    "Boat group_by owner",
    "unexpected_text at «group_by»: group_by cannot follow here. [write it as a step: .group_by(owner)] → Boat.group_by(owner)",
  ],
  [
    "Boat count",
    "unexpected_text at «count»: count cannot follow here. [write it as a step: .aggregate(n=count)] → Boat.aggregate(n=count)",
  ],
  [
    "Boat aggregate n",
    "unexpected_text at «aggregate»: aggregate cannot follow here. [write it as a step: .aggregate(n=count)]",
  ],
  [
    "Boat distinct owner",
    "unexpected_text at «distinct»: distinct cannot follow here. [write it as a step: .distinct(owner)] → Boat.distinct(owner)",
  ],
  [
    "Boat unique owner",
    "unexpected_text at «unique»: unique cannot follow here. [write it as a step: .distinct(owner)] → Boat.distinct(owner)",
  ],
  [
    "Boat page_size 5",
    "unexpected_text at «page_size»: page_size cannot follow here. [write it as a step: .page_size(5)] → Boat.page_size(5)",
  ],
  [
    "Boat singleton",
    "unexpected_text at «singleton»: singleton cannot follow here. [write it as a step: .singleton()] → Boat.singleton()",
  ],
  [
    "Boat limit(5)",
    "unexpected_text at «limit»: limit cannot follow here. [write it as a step: .limit(5)] → Boat.limit(5)",
  ],
  [
    "Boat filter{state=lost}",
    "unexpected_text at «filter»: filter cannot follow here. [write it as a step: .filter{state=lost}] → Boat.filter{state=lost}",
  ],
  [
    "Boat filter(state=lost)",
    "unexpected_text at «filter»: filter cannot follow here. [write it as a step: .filter{state=lost}] → Boat.filter{state=lost}",
  ],
  [
    "Boat sort(name)",
    "unexpected_text at «sort»: sort cannot follow here. [write it as a step: .sort(name)] → Boat.sort(name)",
  ],
  [
    "Boat distinct()\nPerson",
    "unexpected_text at «distinct»: distinct cannot follow here. [write it as a step: .distinct()] → Boat.distinct()\nPerson",
  ],
  [
    "Boat where{a=1}",
    "unexpected_text at «where»: where cannot follow here. [write it as a step: .filter{a=1}] → Boat.filter{a=1}",
  ],
  [
    "Boat limit (5).sort(name)",
    "unexpected_text at «limit»: limit cannot follow here. [write it as a step: .limit (5).sort(name)] → Boat.limit (5).sort(name)",
  ],
  [
    "Boat sort(name",
    "unexpected_text at «sort»: sort cannot follow here. [write it as a step: .sort(p, desc)]",
  ],
  [
    "Boat limit(5), Person",
    "unexpected_text at «limit»: limit cannot follow here. [write it as a step: .limit(5), Person] → Boat.limit(5), Person",
  ],
  [
    "Boat sort(name) ;; x",
    "unexpected_text at «sort»: sort cannot follow here. [write it as a step: .sort(name)] → Boat.sort(name) ;; x",
  ],
  [
    "Boat where state=lost order by length DESC, name limit 5",
    "unexpected_text at «where»: where cannot follow here. [write it as a step: .filter{state=lost}.sort(length desc, name).limit(5)] → Boat.filter{state=lost}.sort(length desc, name).limit(5)",
  ],
  [
    'Boat where (a=1 or b="order by") and c=2',
    'unexpected_text at «where»: where cannot follow here. [write it as a step: .filter{any{a=1, b="order by"}, c=2}] → Boat.filter{any{a=1, b="order by"}, c=2}',
  ],
  [
    "Boat where limit=5",
    "unexpected_text at «where»: where cannot follow here. [write it as a step: .filter{limit=5}] → Boat.filter{limit=5}",
  ],
  [
    "Boat where state = first",
    "unexpected_text at «where»: where cannot follow here. [write it as a step: .filter{state = first}] → Boat.filter{state = first}",
  ],
  [
    "Boat where(a=1)",
    "unexpected_text at «where»: where cannot follow here. [write it as a step: .filter{a=1}] → Boat.filter{a=1}",
  ],
  [
    "Boat order by 5",
    "unexpected_text at «order»: order cannot follow here. [write it as a step: .sort(p, desc)]",
  ],
  [
    "Boat count x",
    "unexpected_text at «count»: count cannot follow here. [write it as a step: .aggregate(n=count)]",
  ],
  [
    "Boat select *",
    "unexpected_text at «select»: select cannot follow here. [write it as a step: [p, p]]",
  ],
  [
    "Boat limit x",
    "unexpected_text at «limit»: limit cannot follow here. [write it as a step: .limit(5)]",
  ],
  [
    "Boat.filter(a=1)",
    "syntax at «filter»: .filter takes braces. [write .filter{a=1}] → Boat.filter{a=1}",
  ],
  ["Boat.filter()", "syntax at «filter»: .filter takes braces. [write .filter{}] → Boat.filter{}"],
  [
    "Boat.filter(a",
    "syntax at «filter»: .filter takes braces. [write .filter{…}, as in .filter{p=v}]",
  ],
  [
    "Boat.filter(",
    "syntax at «filter»: .filter takes braces. [write .filter{…}, as in .filter{p=v}]",
  ],
];

describe("LANG-010, errors section 2: words that name a step", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
