import { describe, expect, it } from "vitest";
import { nodesTold, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat.aggregate(n=sum(a,), m=count(b, ))",
    "Program «Boat.aggregate(n=sum(a,), m=count(b, ))»",
    "Roots «Boat.aggregate(n=sum(a,), m=count(b, ))»",
    "Chain «Boat.aggregate(n=sum(a,), m=count(b, ))»",
    "NameSource «Boat»",
    "Name «Boat»",
    "Aggregate «.aggregate(n=sum(a,), m=count(b, ))»",
    "part «n=sum(a,)»",
    "Name «n»",
    "Path «a»",
    "Name «a»",
    "part «m=count(b, )»",
    "Name «m»",
    "Path «b»",
    "Name «b»",
  ],
];

describe("LANG-003: every node carries its span, 5 of 5", () => {
  it.each(rows)("%j", (program, ...nodes) => {
    expect(nodesTold(program)).toEqual(nodes);
  });
});
