import type { PlanNode } from "@plasm/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeBoats, startQuay, type TestServer } from "@plasm/testkit/servers";
import { contextOf, fixture } from "../testing/fixture-run.ts";
import { boat, boats } from "../testing/nodes.ts";
import { runPlan } from "./run-plan.ts";
import type { NodeName } from "./run-types.ts";

let quay: TestServer;
beforeAll(async () => {
  quay = await startQuay(makeBoats(4));
});
afterAll(() => quay.close());

/** The error of a get by a cell of the first node, which the program names so. */
async function errorBy(first: PlanNode, path: string, name: NodeName) {
  const key = { id: { from: "n1", path: [path], type: "str", many: false } } as const;
  const nodes = [first, boat("", { id: "n2", key })];
  const { nodes: ended } = await runPlan({
    ...contextOf({ catalogs: [fixture("quay")], backends: { quay: quay.url } }),
    nameOf: (id) => (id === "n1" ? name : { name: id, text: null }),
    plan: {
      version: 1,
      nodes,
      edges: [{ from: "n1", to: "n2" }],
      topological_order: ["n1", "n2"],
      returns: [{ label: "it", node: "n2", page_size: null }],
    },
  });
  return ended[1]?.error;
}

const none = boats({ filter: { op: "=", path: ["id"], value: { lit: "b9" } } });

test.each([
  [
    "x",
    "Boat{id=b9}",
    "x has no row to take a value from.",
    "check the condition of x = Boat{id=b9}",
  ],
  [
    "n1",
    "Boat{id=b9}",
    "Boat{id=b9} has no row to take a value from.",
    "check the condition of Boat{id=b9}",
  ],
])("LANG-045 no_row names %s as the program does", async (name, text, message, correction) => {
  const error = await errorBy(none, "id", { name, text });
  expect(error).toMatchObject({ code: "no_row", message, correction });
});

test.each([
  ["x", 'Boat("b4")', "owner of x is null"],
  ["n1", 'Boat("b4")', 'owner of Boat("b4") is null'],
])("LANG-045 null_value names %s as the program does", async (name, text, said) => {
  const error = await errorBy(boat("b4"), "owner", { name, text });
  expect(error).toMatchObject({ code: "null_value" });
  expect(error?.message).toContain(said);
});
