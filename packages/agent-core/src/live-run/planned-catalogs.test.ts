import { openCatalog, type Plan } from "@plasm/core";
import { readFixtureCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { digestsOf, entryIdsOf, usesOf } from "./planned-catalogs.ts";

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
  expect(usesOf(plan, new Map([["quay", catalog]]))).toEqual([
    "quay/boat_query",
    "yard/boat_get",
    "quay/stats_query",
    "quay/boat_get",
    "quay/boat_query_owner",
  ]);
});
