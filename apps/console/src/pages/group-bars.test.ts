import { describe, expect, it } from "vitest";
import { groupingOf } from "./group-bars.tsx";
import type { PlanDocument } from "./plan-view.tsx";

const BILL = { requests: { max: 7 }, rows: { unknown: "pages" }, effects: { exact: 0 } };
const plan = (more: Partial<PlanDocument>): PlanDocument => ({
  nodes: [],
  edges: [],
  returns: [],
  bill: BILL,
  ...more,
});

describe("what a result is grouped by (SURF-43)", () => {
  const op = { group_by: { keys: [["state"]], aggs: [{ as: "n" }, { as: "l" }] } };
  const grouped = plan({
    nodes: [
      { id: "n1", kind: "query", effect_class: "read" },
      { id: "n2", kind: "compute", effect_class: "local", op },
      { id: "n3", kind: "compute", effect_class: "local", op: { sort: [] } },
    ],
    edges: [
      { from: "n1", to: "n2" },
      { from: "n2", to: "n3" },
    ],
    returns: [{ label: "Boat", node: "n3" }],
  });

  it("is found behind later steps", () => {
    expect(groupingOf(grouped, "Boat", ["state", "n", "l"])).toEqual({
      keys: ["state"],
      figures: ["n", "l"],
    });
  });

  it("is nothing for other results, and where no figure or no key is left", () => {
    expect(groupingOf(grouped, "x", ["state", "n"])).toBeNull();
    expect(groupingOf(grouped, "Boat", ["state"])).toBeNull();
    expect(groupingOf(grouped, "Boat", ["n", "l"])).toBeNull();
    expect(groupingOf(plan({}), "Boat", ["id"])).toBeNull();
  });
});
