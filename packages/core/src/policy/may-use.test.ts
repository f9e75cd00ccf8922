import { expect, test } from "vitest";
import type { Capability } from "../schema/capability.ts";
import { mayUseApi, mayUseCapability } from "./may-use.ts";
import type { Policy } from "./policy.ts";

/** The policy of SURF-25's example. */
const policy: Policy = {
  apis: {
    orchard: { deny: ["tree_delete"], approval: { operator: ["delete"] } },
    depot: { effects: false },
  },
};
const capability = (name: string, kind: Capability["kind"]) => ({ name, kind });

test.each([
  ["orchard", true],
  ["depot", true],
  ["quay", false],
  ["toString", false],
])("mayUseApi(%s): catalogs not named are forbidden (SURF-25)", (entryId, allowed) => {
  expect(mayUseApi(policy, entryId)).toBe(allowed);
});

test("without apis all catalogs are allowed, and effects too (SURF-25)", () => {
  expect(mayUseApi({}, "quay")).toBe(true);
  expect(mayUseCapability({}, "quay", capability("boat_delete", "delete"))).toBe(true);
});

test.each([
  ["orchard", "tree_delete", "delete", false],
  ["orchard", "tree_create", "create", true],
  ["orchard", "tree_query", "query", true],
  ["depot", "tree_delete", "delete", false],
  ["depot", "harvest_accept", "action", false],
  ["depot", "crate_create", "create", false],
  ["depot", "crate_update", "update", false],
  ["depot", "crate_get", "get", true],
  ["depot", "crate_search", "search", true],
  ["quay", "boat_get", "get", false],
] as const)("mayUseCapability(%s, %s) (SURF-25)", (entryId, name, kind, allowed) => {
  expect(mayUseCapability(policy, entryId, capability(name, kind))).toBe(allowed);
});
