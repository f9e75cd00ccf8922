import { afterAll, beforeAll, expect, test } from "vitest";
import { makeBoats, startQuay, type TestServer } from "@plasm/testkit/servers";
import { contextOf, fixture, type Setting } from "../testing/fixture-run.ts";
import { boats, relation } from "../testing/nodes.ts";
import { runPlan } from "./run-plan.ts";

let quay: TestServer;

beforeAll(async () => {
  quay = await startQuay(makeBoats(45));
});
afterAll(() => quay.close());

test("OPS-18 a step over many rows tells how many it has, in their order, before it is done", async () => {
  const setting: Setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
  const told: number[] = [];
  const logs = relation("logs", "from_parent_get", "Log", { source: "n1" });
  const { results } = await runPlan({
    ...contextOf(setting),
    plan: {
      version: 1,
      nodes: [boats({ limit: 30 }), logs],
      edges: [{ from: "n1", to: "n2" }],
      topological_order: ["n1", "n2"],
      returns: [{ label: "it", node: "n2", page_size: null }],
    },
    onProgress: (event) => {
      if (event.kind === "rows_read" && event.node === "n2") told.push(event.rows);
    },
  });
  // Two lines in each boat's log, and then all of them once more: the step has them.
  expect(told).toEqual([...Array.from({ length: 30 }, (_none, boat) => 2 * boat + 2), 60]);
  expect(results[0]?.rows).toHaveLength(60);
});
