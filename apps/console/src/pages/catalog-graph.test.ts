import { describe, expect, it } from "vitest";
import type { CatalogEntity } from "../records.ts";
import { catalogGraph } from "./catalog-graph.tsx";

const entity = (name: string, targets: readonly string[], kind = "get"): CatalogEntity => ({
  entity: name,
  description: "",
  capabilities: [{ label: kind, kind, description: "" }],
  relations: targets.map((target, n) => ({
    relation: `r${n}`,
    target,
    cardinality: "one",
    description: "",
  })),
});

describe("a catalog as a graph (SURF-47)", () => {
  it("has a box for each entity and one arrow from one to another, and none to what is not shown", () => {
    const { nodes, edges } = catalogGraph([
      entity("Boat", ["Person", "Person", "Boat", "Hidden"], "delete"),
      entity("Person", []),
    ]);
    expect(nodes.map(({ id, mark }) => [id, mark])).toEqual([
      ["Boat", "can change"],
      ["Person", null],
    ]);
    expect(edges).toEqual([{ from: "Boat", to: "Person" }]);
  });
});
