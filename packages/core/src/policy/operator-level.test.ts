import { expect, test } from "vitest";
import type { Capability } from "../model/model.ts";
import { type Approver, approverOf, namesApprover } from "./may-use.ts";
import type { Policy } from "./policy.ts";

const policy: Policy = {
  apis: {
    orchard: { approval: { operator: ["delete", "tree_create"] } },
    depot: { approval: { operator: "all" } },
    quay: { approval: { operator: ["all"] } },
    yard: { approval: { operator: [] } },
    club: { approval: { client: ["update", "delete"], operator: ["delete"] } },
    desk: { approval: { client: "all" } },
  },
};

test.each<[string, string, Capability["kind"], Approver | null]>([
  ["orchard", "tree_delete", "delete", "operator"],
  ["orchard", "plot_delete", "delete", "operator"],
  ["orchard", "tree_create", "create", "operator"],
  ["orchard", "plot_create", "create", null],
  ["orchard", "tree_update", "update", null],
  ["orchard", "tree_query", "query", null],
  ["depot", "crate_create", "create", "operator"],
  ["depot", "crate_accept", "action", "operator"],
  ["depot", "crate_get", "get", null],
  ["depot", "crate_search", "search", null],
  ["quay", "boat_update", "update", "operator"],
  ["yard", "boat_update", "update", null],
  ["toString", "boat_update", "update", null],
  ["club", "member_update", "update", "client"],
  ["club", "member_delete", "delete", "operator"],
  ["club", "member_create", "create", null],
  ["club", "member_get", "get", null],
  ["desk", "ticket_create", "create", "client"],
])("approverOf(%s, %s, %s): %s (OPS-36, OPS-65, SURF-25)", (entryId, name, kind, approver) => {
  expect(approverOf(policy, entryId, { name, kind })).toBe(approver);
});

test.each<[Policy, boolean]>([
  [{}, false],
  [{ apis: { quay: {} } }, false],
  [{ apis: { quay: { approval: { operator: [] } } } }, false],
  [{ apis: { quay: {}, yard: { approval: { operator: ["update"] } } } }, true],
  [{ apis: { quay: { approval: { operator: "all" } } } }, true],
])("policy %j names an operator: %s", (given, named) =>
  expect(namesApprover(given, "operator")).toBe(named),
);
