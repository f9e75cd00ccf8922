import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { fullPlan } from "../../test/bill-of.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { quayExposure } from "../../test/fixture-exposure.ts";

const scope = { kind: "scope", param: "grove" };
const VALUE = `v_${Array.from("str", (char) => char.codePointAt(0)?.toString(36)).join("_")}`;

/** A view of a grove that fills `trees` and `stumps` by two lists, one of which gives less. */
const view = (entity: string, capability: string): object => ({
  capability,
  entity,
  scope: [{ name: "grove", value_ref: VALUE, required: true }],
  nodes: [
    { id: "all", capability: "tree_query", bind: { grove: scope } },
    { id: "brief", capability: "tree_brief", bind: { grove: scope } },
  ],
  output: { grove: scope, n: { kind: "node_row_count", node: "all" } },
  relation_outputs: [
    {
      relation: "trees",
      target: "Tree",
      cardinality: "many",
      binding: { kind: "node_all_rows", node: "all" },
    },
    {
      relation: "stumps",
      target: "Tree",
      cardinality: "many",
      binding: { kind: "node_all_rows", node: "brief" },
    },
  ],
});

const toTrees = { target: "Tree", cardinality: "many" };
const summary = {
  key: ["grove"],
  fields: { grove: "str", n: "int" },
  relations: { trees: toTrees, stumps: toTrees },
};
const VIEW = (name: string) => ({ mapping: { transport: "view", view: name } });

const forest = exposureOf([
  buildCatalog("forest", {
    entities: {
      Tree: { fields: { id: "str", height: "num", bark: "str", age: "int", secret: "str" } },
      Summary: summary,
    },
    capabilities: {
      tree_query: {
        kind: "query",
        entity: "Tree",
        params: { "grove?": "str" },
        more: () => ({ provides: ["id", "height", "bark"] }),
      },
      tree_brief: {
        kind: "query",
        entity: "Tree",
        params: { grove: "str" },
        more: () => ({ provides: ["id", "height"] }),
      },
      tree_get: {
        kind: "get",
        entity: "Tree",
        more: () => ({ provides: ["id", "height", "bark"] }),
      },
      tree_deep: { kind: "get", entity: "Tree", more: () => ({ provides: ["id", "age"] }) },
      summary_get: { kind: "get", entity: "Summary", ...VIEW("summary") },
      summary_query: {
        kind: "query",
        entity: "Summary",
        params: { grove: "str" },
        ...VIEW("summary"),
      },
    },
    more: { views: { summary: view("Summary", "summary_query") } },
  }),
]);

const hydrationOf = (text: string, node: string, exposure = quayExposure): string =>
  fullPlan(text, exposure).summary.bill.nodes[node]?.hydration ?? "none";

describe("RUN-057, PLAN-020: rows that a get completes", () => {
  test.each([
    ["what the list gives", "Tree.limit(2)[height, bark]", "n1", "none"],
    ["what a get gives besides", "Tree.limit(2)[age]", "n1", "certain"],
    ["what no get gives either", "Tree.limit(2)[secret]", "n1", "none"],
    ["what another get gives", "Tree.limit(2)[bark, age]", "n1", "certain"],
    ["the key", "Tree.limit(2)[id]", "n1", "none"],
    ["a list that gives less", "Tree.brief(grove=a)[bark]", "n1", "certain"],
    ["enough of it", "Tree.brief(grove=a)[height]", "n1", "none"],
    ["rows of a view whose list gives it", "Summary(a).trees[bark]", "n2", "none"],
    ["rows of a view whose list does not", "Summary(a).stumps[bark]", "n2", "possible"],
    ["what no list gives", "Summary(a).trees[age]", "n2", "possible"],
    ["what nothing gives", "Summary(a).trees[secret]", "n2", "none"],
  ])("%s: %s", (_, text, node, hydration) => {
    expect(hydrationOf(text, node, forest)).toBe(hydration);
  });

  test.each([
    ["a get", 'Boat("b1")[note]', "n1", "none"],
    ["rows in hand, by their key alone", 'Boat("b1").logs[id]', "n2", "none"],
    ["rows in hand", 'Boat("b1").logs[text]', "n2", "possible"],
    ["rows in hand of no more", 'Boat("b1").logs', "n2", "none"],
    ["a reference that is followed", "Boat.limit(2).owner[name]", "n2", "none"],
    ["a relation's list", 'Person("ann").boats.limit(2)[note]', "n1", "certain"],
    ["one that gives it", 'Person("ann").boats.limit(2)[name]', "n1", "none"],
    ["a joined row", "Boat.limit(2)[owner.name]", "n2", "none"],
  ])("%s: %s", (_, text, node, hydration) => {
    expect(hydrationOf(text, node)).toBe(hydration);
  });

  test("certain and possible ones are counted by rows, up to what a run may do", () => {
    const counted = (text: string): object => fullPlan(text).summary.bill.hydration;
    expect(counted("Boat.limit(3)[note]")).toEqual({ certain: 3, possible: 0 });
    expect(counted('Boat.limit(3)[note]\nPerson("ann").boats.limit(4)[note]')).toEqual({
      certain: 7,
      possible: 0,
    });
    expect(counted('Boat("b1").logs.limit(3)[text]')).toEqual({ certain: 0, possible: 3 });
    expect(counted('Boat("b1").logs[text]')).toEqual({ certain: 0, possible: 500 });
    expect(counted("Boat[note]")).toEqual({ certain: 500, possible: 0 });
  });

  test("PLAN-020: rows that a condition on such a field drops are completed, too", () => {
    const counted = (text: string): object => fullPlan(text).summary.bill.hydration;
    expect(counted("Boat{exists(note)}.limit(2)")).toEqual({ certain: 500, possible: 0 });
    expect(counted("Boat{length>3}.limit(2)[note]")).toEqual({ certain: 2, possible: 0 });
  });

  test("a relation that is followed for its page, not for its rows, is billed with its gets", () => {
    const { bill } = fullPlan('Person("ann").boats.limit(3)[note]').summary;
    expect(bill.nodes["n1"]).toEqual({
      requests: { max: 4 },
      rows: { max: 3 },
      pages: { max: 1 },
      hydration: "certain",
    });
  });
});
