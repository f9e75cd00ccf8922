import { expect, test } from "vitest";
import type { Capability } from "../model/model.ts";
import { demandsOperator, namesOperator } from "./may-use.ts";
import type { Policy } from "./policy.ts";

const policy: Policy = {
  apis: {
    orchard: { approval: { operator: ["delete", "tree_create"] } },
    depot: { approval: { operator: "all" } },
    quay: { approval: { operator: ["all"] } },
    yard: { approval: { operator: [] } },
  },
};

test.each<[string, string, Capability["kind"], boolean]>([
  ["orchard", "tree_delete", "delete", true],
  ["orchard", "plot_delete", "delete", true],
  ["orchard", "tree_create", "create", true],
  ["orchard", "plot_create", "create", false],
  ["orchard", "tree_update", "update", false],
  ["orchard", "tree_query", "query", false],
  ["depot", "crate_create", "create", true],
  ["depot", "crate_accept", "action", true],
  ["depot", "crate_get", "get", false],
  ["depot", "crate_search", "search", false],
  ["quay", "boat_update", "update", true],
  ["yard", "boat_update", "update", false],
  ["toString", "boat_update", "update", false],
])("demandsOperator(%s, %s, %s): %s (OPS-36, SURF-25)", (entryId, name, kind, demanded) => {
  expect(demandsOperator(policy, entryId, { name, kind })).toBe(demanded);
});

test.each<[Policy, boolean]>([
  [{}, false],
  [{ apis: { quay: {} } }, false],
  [{ apis: { quay: { approval: { operator: [] } } } }, false],
  [{ apis: { quay: {}, yard: { approval: { operator: ["update"] } } } }, true],
  [{ apis: { quay: { approval: { operator: "all" } } } }, true],
])("namesOperator(%j): %s", (given, named) => expect(namesOperator(given)).toBe(named));
