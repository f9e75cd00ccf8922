import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat take 3",
    "unexpected_text at «take»: take cannot follow here. [write it as a step: .limit(3)] → Boat.limit(3)",
  ],
  [
    "Boat first",
    "unexpected_text at «first»: first cannot follow here. [write it as a step: .limit(1)]",
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
    "unexpected_text at «order»: order cannot follow here. [write it as a step: .sort(length, desc)]",
  ],
  [
    "Boat orderby name",
    "unexpected_text at «orderby»: orderby cannot follow here. [write it as a step: .sort(length, desc)]",
  ],
  [
    "Boat sort name",
    "unexpected_text at «sort»: sort cannot follow here. [write it as a step: .sort(length, desc)]",
  ],
  [
    "Boat where x",
    "unexpected_text at «where»: where cannot follow here. [write it as a step: .filter{state=lost}]",
  ],
  [
    "Boat filter x",
    "unexpected_text at «filter»: filter cannot follow here. [write it as a step: .filter{state=lost}]",
  ],
  [
    "Boat select id",
    "unexpected_text at «select»: select cannot follow here. [write it as a step: [id, name]]",
  ],
  [
    "Boat project id",
    "unexpected_text at «project»: project cannot follow here. [write it as a step: [id, name]]",
  ],
  [
    "Boat group by owner",
    "unexpected_text at «group»: group cannot follow here. [write it as a step: .group_by(owner, n=count)]",
  ],
  [
    "Boat groupby owner",
    "unexpected_text at «groupby»: groupby cannot follow here. [write it as a step: .group_by(owner, n=count)]",
  ],
  [
    "Boat group_by owner",
    "unexpected_text at «group_by»: group_by cannot follow here. [write it as a step: .group_by(owner, n=count)]",
  ],
  [
    "Boat count",
    "unexpected_text at «count»: count cannot follow here. [write it as a step: .aggregate(n=count)]",
  ],
  [
    "Boat aggregate n",
    "unexpected_text at «aggregate»: aggregate cannot follow here. [write it as a step: .aggregate(n=count)]",
  ],
  [
    "Boat distinct owner",
    "unexpected_text at «distinct»: distinct cannot follow here. [write it as a step: .distinct(owner)]",
  ],
  [
    "Boat unique owner",
    "unexpected_text at «unique»: unique cannot follow here. [write it as a step: .distinct(owner)]",
  ],
  [
    "Boat page_size 5",
    "unexpected_text at «page_size»: page_size cannot follow here. [write it as a step: .page_size(10)]",
  ],
  [
    "Boat singleton",
    "unexpected_text at «singleton»: singleton cannot follow here. [write it as a step: .singleton()]",
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
    "unexpected_text at «filter»: filter cannot follow here. [write it as a step: .filter{state=lost}]",
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
    "unexpected_text at «where»: where cannot follow here. [write it as a step: .filter{state=lost}]",
  ],
  [
    "Boat limit (5).sort(name)",
    "unexpected_text at «limit»: limit cannot follow here. [write it as a step: .limit (5)] → Boat.limit (5).sort(name)",
  ],
  [
    "Boat Person",
    "unexpected_text at «Person»: Person cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat Person.limit(5)",
    "unexpected_text at «Person»: Person cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one] → Boat\nPerson.limit(5)",
  ],
];

describe("LANG-010, LANG-071: text after a complete node is never ignored, 2 of 3", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
