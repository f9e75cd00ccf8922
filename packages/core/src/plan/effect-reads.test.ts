import { describe, expect, test } from "vitest";
import { figureText, fullPlan, linesOf } from "../../test/bill-of.ts";
import { mill } from "../../test/mill-catalog.ts";
import { store } from "../../test/store-catalog.ts";
import type { Exposure } from "../symbols/exposure.ts";
import type { PlannedEffect } from "./ir.ts";

/** The most requests of the last effect of a program. */
const sent = (text: string, exposure: Exposure): string => {
  const { nodes, summary } = fullPlan(text, exposure);
  const last = nodes.findLast(
    ({ effect_class }) => effect_class !== "read" && effect_class !== "local",
  );
  return figureText(summary.bill.nodes[last?.id ?? ""]?.requests);
};

describe("PLAN-020, RUN-023: reads before an effect, of which equal ones are sent once", () => {
  test.each([
    ["nothing beside", "Sack(s).mill()", "2"],
    ["the same get beside", "u = Sack(u)\nSack(t).mill()\nu", "≤2"],
    ["the same get before another effect", "u = Sack(u)\nSack(s).rest()\nSack(t).mill()\nu", "2"],
    ["behind another effect", "Sack(s).rest()\nu = Sack(u)\nSack(t).mill()\nu", "≤2"],
    ["a get of the reference", "x = Miller(jo)\nSack(t).mill(miller=jo)\nx", "≤3"],
    ["gets per row", 'x = ["a"]\ny = x => Sack(_.value)\nSack(t).mill()\ny', "≤2"],
    ["another read", "l = Lid{sack=s}\nSack(t).mill(miller=jo)\nl", "3"],
    ["an equal effect, which reads anew", "Sack(s).mill()\nSack(s).mill()", "2"],
    ["data", "x = [1]\nSack(s).mill()\nx", "2"],
  ])("%s: %s", (_, text, requests) => {
    expect(sent(text, mill)).toBe(requests);
  });

  test("a look-up, whatever it is for, leaves the number of requests unknown", () => {
    expect(sent("Crate(c).tag()", store)).toBe("3");
    expect(sent("Crate(c).tag(plus=null, minus=null)", store)).toBe("3");
    expect(sent("Crate(c).tag(plus=[a])", store)).toBe("?");
    expect(sent("Crate(c).tag(minus=[a])", store)).toBe("?");
    expect(sent("Crate(c).tag(plus=[b], minus=[a])", store)).toBe("?");
    expect(linesOf("Crate(c).tag(minus=[a])", store)[0]).toContain(
      "after reading crate_get, shelf_query",
    );
  });
});

describe("OPS-37: the planned effects", () => {
  const planned = (text: string, exposure?: Exposure): readonly PlannedEffect[] =>
    fullPlan(text, exposure).summary.effects;

  test.each<[string, string, Partial<PlannedEffect>, Exposure?]>([
    [
      "no target",
      "Boat.create(name=x, owner=ann)",
      { target: null, args: { name: "x", owner: "ann" } },
    ],
    ["a key", 'Boat("b1").ping()', { target: "b1", args: {}, for_each: null }],
    [
      "parts of a key",
      "Shelf(aisle=a, no=2).paint(colour=red)",
      { target: "aisle=a, no=2", args: { colour: "red" } },
      store,
    ],
    [
      "cells of a row",
      "Shelf.limit(2) => Shelf(aisle=_.aisle, no=_.no).paint(colour=_.colour)",
      { target: "aisle=_.aisle, no=_.no", args: { colour: "_.colour" }, for_each: "n1" },
      store,
    ],
    [
      "text with blanks, as it is",
      'Boat("b 1").send(to="two words", note="it\'s")',
      { target: "b 1", args: { to: "two words", note: "it's" } },
    ],
    ["null", 'Boat("b1").update(note=null)', { args: { note: "null" } }],
    ["a number", "Sack(s).set(kg=12.5)", { args: { kg: "12.5" } }, mill],
    [
      "an exact number",
      'Sack("s").set(kg=-12345678901234567890)',
      { args: { kg: "-12345678901234567890" } },
      mill,
    ],
    [
      "a list",
      "Sack.pack(label=a, straps={colour: red}, marks=[a, b])",
      { args: { label: "a", marks: "[a, b]", straps: '[{"colour":"red"}]' } },
      mill,
    ],
    [
      "a cell",
      'b = Boat("b1")\nBoat(b.name).send(to=b.state)',
      { target: "b.name", args: { to: "b.state" } },
    ],
    [
      "long text, cut",
      `Boat("b1").send(to=x, note="${"n".repeat(81)}")`,
      { args: { note: `${"n".repeat(80)}… (81 characters)`, to: "x" } },
    ],
  ])("%s: %s", (_, text, effect, exposure) => {
    expect(planned(text, exposure)).toMatchObject([effect]);
    expect(planned(text, exposure)[0]?.reads).toBeUndefined();
  });

  test("reads are listed where there are some, in order", () => {
    expect(planned("Sack(s).mill(miller=jo, stone=x)", mill)).toMatchObject([
      { capability: "sack_mill", reads: ["sack_get", "miller_get", "sack_query"] },
    ]);
  });

  test("text of effects stands in quotes in the lines, cells do not", () => {
    const text = 'b = Boat("b1")\nBoat("b2").send(to=lost, note=b.name)';
    expect(linesOf(text).at(-1)).toBe(
      'n2 action ← n1 · effect quay.Boat("b2").send(note=b.name, to="lost")',
    );
    expect(linesOf("Shelf(aisle=a, no=2).paint(colour=red)", store)).toEqual([
      'n1 action · effect store.Shelf(aisle="a", no=2).paint(colour="red")',
    ]);
    expect(
      linesOf("Shelf.limit(2) => Shelf(aisle=_.aisle, no=_.no).paint(colour=red)", store).at(-1),
    ).toBe(
      'n2 for_each ← n1 · effect store.Shelf(aisle=_.aisle, no=_.no).paint(colour="red") · ≤2 requests',
    );
  });
});
