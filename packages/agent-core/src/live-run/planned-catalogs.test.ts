import type { Plan } from "@plasm/core";
import { expect, test } from "vitest";
import { digestsOf, entryIdsOf } from "./planned-catalogs.ts";

const named = (entry_id: string) => ({ entry_id, digest: `sha256:${entry_id}`, entity: "Boat" });
const plan = {
  nodes: [
    { id: "n1", kind: "query", catalog: named("quay") },
    { id: "n2", kind: "compute", source: "n1" },
    { id: "n3", kind: "for_each", source: "n2", body: { kind: "get", catalog: named("yard") } },
    { id: "n4", kind: "query", catalog: named("quay") },
  ],
} as unknown as Pick<Plan, "nodes">;

test("SESS-28: what is read per row is of a catalog of the plan, too", () => {
  expect(entryIdsOf(plan)).toEqual(["quay", "yard"]);
});

test("OPS-13: the digests that an operation is accepted with", () => {
  expect(digestsOf(plan)).toEqual({ quay: "sha256:quay", yard: "sha256:yard" });
});
