import { describe, expect, test } from "vitest";
import { fullPlan } from "../../test/bill-of.ts";
import { store } from "../../test/store-catalog.ts";
import type { Exposure } from "../symbols/exposure.ts";

/** What is wanted of each read of a plan: `n1 length name`. */
const wanted = (text: string, exposure?: Exposure): readonly string[] =>
  fullPlan(text, exposure).nodes.flatMap((node) => {
    const fields = "wanted" in node ? node.wanted : null;
    const body = node.kind === "for_each" && "wanted" in node.body ? node.body.wanted : null;
    const all = fields ?? body;
    return all === null ? [] : [[node.id, ...all].join(" ")];
  });

describe("RUN-057: the fields wanted of a read are those that something names", () => {
  test.each<[string, string, readonly string[]]>([
    ["nothing", "Boat", ["n1"]],
    ["columns", "Boat[name, id]", ["n1 id name"]],
    [
      "columns by steps that keep rows",
      "Boat.limit(3)[name, length].singleton()[name]",
      ["n1 length name"],
    ],
    ["a local condition", "Boat{length>3}", ["n1 length"]],
    [
      "its parts",
      "Boat{any{state=lost, not{exists(built)}}, all{name=x}}",
      ["n1 built name state"],
    ],
    ["a condition sent", "Boat{state=lost}", ["n1"]],
    ["a member of json", "Boat.limit(3)[meta.a.b]", ["n1 meta"]],
    ["a condition behind a limit", "Boat.limit(3).filter{length>3, name=x}", ["n1 length name"]],
    ["sort", "Boat.sort(state, length desc)", ["n1 length state"]],
    ["distinct", "Boat.distinct(state)", ["n1 state"]],
    ["counts", "Boat.aggregate(n=count)", ["n1"]],
    [
      "sums and counts",
      "Boat.aggregate(n=count, s=sum(length), m=max(built))",
      ["n1 built length"],
    ],
    ["groups", "Boat.group_by(state, n=count, s=sum(length))", ["n1 length state"]],
    [
      "what stands before an aggregate, not behind",
      "Boat.sort(name).aggregate(n=count)[n]",
      ["n1 name"],
    ],
    ["derived columns", "Boat.limit(2) => {n: _.name, o: _.owner}", ["n1 name owner"]],
    [
      "lists and objects of them",
      "Boat.limit(2) => {n: [_.name, _.state], o: {a: _.length, b: {c: _.built}}}",
      ["n1 built length name state"],
    ],
    ["the row itself", "Boat.limit(2) => Visit{boat=_}", ["n1", "n2"]],
    [
      "effects per row",
      "Boat.limit(2) => Boat(_.id).send(to=_.name, note=_.state)",
      ["n1 id name state"],
    ],
    ["reads per row, and theirs", "Boat.limit(2) => Visit{boat=_.id, fee>3}", ["n1 id", "n2 fee"]],
    [
      "columns of reads per row",
      "v = Boat.limit(2) => Visit{boat=_.id}\nv[day]",
      ["n1 id", "n2 day"],
    ],
    ["a reference that is followed", "Boat.limit(2).owner[name]", ["n1 owner", "n2 name"]],
    ["rows that a get holds", 'Boat("b1").logs[text]', ["n1 logs", "n2 text"]],
    ["a list bound to the row", "Boat.limit(2).visits[day]", ["n1", "n2 day"]],
    ["bindings to fields", "Boat.limit(2).twin[name]", ["n1 id", "n2 name"]],
    [
      "a joined row",
      "Boat.limit(2)[name, owner.name, owner.boats]",
      ["n1 name owner", "n2 boats name"],
    ],
    [
      "a row joined to a joined one",
      "Visit{boat=b1}.limit(2)[boat.owner.name, boat.name]",
      ["n1 boat", "n2 name owner", "n3 name"],
    ],
    [
      "joined rows of a condition",
      'Boat.limit(2).filter{owner.name="Ann"}',
      ["n1 owner", "n2 name"],
    ],
    ["a cell", 'b = Boat("b1")\nBoat("b2").send(to=b.name, note=b.state)', ["n1 name state"]],
    [
      "cells in lists and objects",
      'b = Boat("b1")\nx = [b.name, {a: b.state}, [b.built]]\nx',
      ["n1 built name state"],
    ],
    ["cells of conditions", 'b = Boat("b1")\nBoat{flags=[b.name, x]}', ["n1 name", "n2 flags"]],
    ["a column", "a = Person.limit(2)\nBoat{owner in a.login}", ["n1 login", "n2"]],
    ["a cell of a key", 'b = Boat("b1")\nVisit(boat=x, day=b.built)[fee]', ["n1 built", "n2 fee"]],
    [
      "all that several want",
      "a = Boat.limit(5)\na[name], a.sort(length), a{state=lost}",
      ["n1 length name state"],
    ],
    [
      "what a template reads",
      "Boat.limit(2) <<X\n{% for r in rows %}{{ r.name }}{% endfor %}\nX",
      ["n1 name"],
    ],
    ["and of labels", 'b = Boat("b1")\nPerson("ann") <<X\n{{ b.state }}\nX', ["n1", "n2 state"]],
  ])("%s: %s", (_, text, fields) => {
    expect(wanted(text)).toEqual(fields);
  });

  test.each<[string, string, readonly string[]]>([
    ["references with holes", "Crate.limit(2) => {s: Shelf(aisle=_.label, no=3)}", ["n1 label"]],
    [
      "references with cells",
      "c = Crate(c)\nCrate{shelf=Shelf(aisle=c.label, no=3)}",
      ["n1 label", "n2 shelf"],
    ],
    [
      "a compound target",
      "Shelf.limit(2) => Shelf(aisle=_.aisle, no=_.no).paint(colour=_.colour)",
      ["n1 aisle colour no"],
    ],
    ["a compound reference", "Crate.limit(2).shelf[colour]", ["n1 shelf", "n2 colour"]],
  ])("compound keys, %s: %s", (_, text, fields) => {
    expect(wanted(text, store)).toEqual(fields);
  });
});
