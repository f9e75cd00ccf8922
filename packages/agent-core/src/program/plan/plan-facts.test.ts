import { openCatalog, type Plan } from "@plasm/core";
import { readFixtureCatalog } from "@plasm/testkit";
import { expect, it, test } from "vitest";
import { digestsOf, entryIdsOf, nameNodes, usedCapabilities } from "./plan-facts.ts";

const named = (entry_id: string) => ({ entry_id, digest: `sha256:${entry_id}`, entity: "Boat" });
const plan = {
  nodes: [
    { id: "n1", kind: "query", catalog: named("quay"), capability: "boat_query" },
    { id: "n2", kind: "compute", source: "n1" },
    {
      id: "n3",
      kind: "for_each",
      source: "n2",
      body: { kind: "get", catalog: named("yard"), capability: "boat_get" },
    },
    { id: "n4", kind: "query", catalog: named("quay"), capability: "boat_query" },
    { id: "n5", kind: "relation", catalog: named("quay"), capability: null },
    { id: "n6", kind: "query", catalog: named("quay"), capability: "stats_query" },
  ],
} as unknown as Pick<Plan, "nodes">;

test("SESS-28: what is read per row is of a catalog of the plan, too", () => {
  expect(entryIdsOf(plan)).toEqual(["quay", "yard"]);
});

test("OPS-13: the digests that an operation is accepted with", () => {
  expect(digestsOf(plan)).toEqual({ quay: "sha256:quay", yard: "sha256:yard" });
});

test("SURF-25: the capabilities that a plan's rows are made by, those of its views included", () => {
  const { entryId, domain, mappings } = readFixtureCatalog("quay");
  const { catalog } = openCatalog({
    entryId,
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (catalog === null) throw new Error("quay does not open");
  expect(usedCapabilities(plan, new Map([["quay", catalog]]))).toEqual([
    "quay/boat_query",
    "yard/boat_get",
    "quay/stats_query",
    "quay/boat_get",
    "quay/boat_query_owner",
  ]);
});

const planOf = (source: string, label: string | null): Plan =>
  ({ source, summary: { nodes: { n1: { label } } } }) as unknown as Plan;

it.each<[string, string | null, string, string | null]>([
  ["x = Boat{state=lost}.limit(1)\nPerson(x.owner)", "x", "x", "Boat{state=lost}.limit(1)"],
  ["x = Boat{\n  state=lost\n}\nx", "x", "x", "Boat{ state=lost }"],
  ["Boat", null, "n1", null],
  [`x = Boat{name="${"y".repeat(200)}"}\nx`, "x", "x", `Boat{name="${"y".repeat(108)}…`],
])("%s: the node's name and expression (ERR section 4, no_row)", (source, label, name, text) => {
  expect(nameNodes(planOf(source, label))("n1")).toEqual({ name, text });
});

it.each([
  ["Boat{state=lost} => _.ping()", "{state=lost}", "Boat{state=lost}"],
  ["Boat.limit(3)\n  .sort(id) => {a: _.id}", ".sort(id)", "Boat.limit(3) .sort(id)"],
  ["Boat\nPerson => Boat{owner=_.login}", "{owner=_.login}", "Boat{owner=_.login}"],
])("%s: a node without label goes by the chain that made it", (source, step, text) => {
  const start = source.indexOf(step);
  const span = { start, end: start + step.length };
  const plan = { source, summary: { nodes: { n1: { label: null, span } } } } as unknown as Plan;
  expect(nameNodes(plan)("n1")).toEqual({ name: "n1", text });
});

it("a node that the plan does not show has its id", () => {
  expect(nameNodes(planOf("Boat", null))("n9")).toEqual({ name: "n9", text: null });
});
