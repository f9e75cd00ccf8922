import { describe, expect, it } from "vitest";
import { type PlanDocument, planGraph, shownFigure } from "./plan-view.tsx";

const BILL = { requests: { max: 7 }, rows: { unknown: "pages" }, effects: { exact: 0 } };
const plan = (more: Partial<PlanDocument>): PlanDocument => ({
  nodes: [],
  edges: [],
  returns: [],
  bill: BILL,
  ...more,
});

const WRITES = plan({
  nodes: [
    { id: "n1", kind: "query", effect_class: "read" },
    { id: "n2", kind: "for_each", effect_class: "side_effect", body: { kind: "update" } },
    { id: "n3", kind: "relation", effect_class: "read", relation: "owner" },
  ],
  edges: [
    { from: "n1", to: "n2" },
    { from: "n1", to: "n3" },
  ],
  returns: [
    { label: "Boat", node: "n2" },
    { label: "b", node: "n3" },
  ],
});
const TEXT = [
  "plan review pc0 · 3 nodes",
  "review effect n2 Boat: update",
  "",
  "n1 query quay.Boat query(state=moored) · ≤3 rows",
  'n2 for_each ← n1 · effect quay.Boat(_.id).update(note="x") · ≤3 requests',
  "n3 relation quay.Boat.owner get() ← n1 · ≤3 rows",
].join("\n");

describe("a plan as a graph (SURF-42)", () => {
  it("has a box a step and a result, marks what changes data, and arrows as the rows go", () => {
    const { nodes, edges } = planGraph(WRITES, TEXT);
    expect(nodes.map(({ title, mark }) => [title, mark])).toEqual([
      ["n1 query", null],
      ["n2 update", "changes data"],
      ["n3 relation owner", null],
      ["Boat", null],
      ["b", null],
    ]);
    expect(edges.map(({ from, to }) => `${from} → ${to}`)).toEqual([
      "n1 → n2",
      "n1 → n3",
      "n2 → result Boat",
      "n3 → result b",
    ]);
  });

  it("says the same in words", () => {
    expect(planGraph(WRITES, TEXT).words).toEqual([
      "n1 query: quay.Boat query(state=moored) · ≤3 rows",
      'n2 update: effect quay.Boat(_.id).update(note="x") · ≤3 requests; changes data; reads from n1; gives the result Boat',
      "n3 relation owner: quay.Boat.owner get() · ≤3 rows; reads from n1; gives the result b",
    ]);
  });

  it.each([
    [{ exact: 0 }, "0"],
    [{ max: 7 }, "at most 7"],
    [{ unknown: "pages" }, "not known: pages"],
  ])("%j of a bill is %s", (figure, text) => {
    expect(shownFigure(figure)).toBe(text);
  });
});
