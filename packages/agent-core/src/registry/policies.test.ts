import { expect, test } from "vitest";
import type { Policy } from "@plasm/core";
import { keysIn } from "../identity/keys.ts";
import { scopeOfConnection } from "../identity/tenant-scope.ts";
import { testStore } from "../../test/test-store.ts";
import { policyAdmin, storedPolicies } from "./policies.ts";

const HOST: Policy = { budgets: { rows: 5 } };

function setUp() {
  const store = testStore();
  const keys = keysIn(store);
  const registry = { list: () => [], get: () => undefined };
  const admin = policyAdmin({ store, registry, keys });
  const host = { policyOf: (tenant: string): Policy => ({ ...HOST, grafts: tenant === "acme" }) };
  return { store, keys, admin, policies: storedPolicies(store, host) };
}

test("SURF-25 a stored policy stands before the host's, and every version is kept", async () => {
  const { store, admin, policies } = setUp();
  expect(await policies.policyOf("acme")).toEqual({ ...HOST, grafts: true });
  expect(await admin.put("root", "acme", { force: false })).toMatchObject({
    version: 1,
    by: "root",
  });
  expect(await admin.put("eve", "acme", { force: true })).toMatchObject({ version: 2, by: "eve" });
  expect(await policies.policyOf("acme")).toEqual({ force: true });
  expect(await policies.policyOf("other")).toEqual({ ...HOST, grafts: false });
  const kept = await store.list("policyVersion", "", "acme/");
  expect(kept.map(({ value }) => [value.version, value.policy])).toEqual([
    [1, { force: false }],
    [2, { force: true }],
  ]);
});

test("SESS-8 all who prove nothing have the policy of one tenant", async () => {
  const { admin, policies } = setUp();
  await admin.put("root", "anonymous", { force: false });
  expect(await policies.policyOf(scopeOfConnection("a"))).toEqual({ force: false });
  expect(await policies.policyOf("anonymous")).toEqual({ force: false });
});

test("a policy with faults, or one that nobody can approve under, is not kept", async () => {
  const { keys, admin, policies } = setUp();
  const asking = { apis: { quay: { approval: { operator: ["delete"] } } } };
  for (const [value, why] of [
    [{ forse: true }, "forse: no such member"],
    [[], "the whole: found []"],
    [asking, "it demands an operator, and the tenant has none"],
  ] as const) {
    await expect(admin.put("root", "acme", value)).rejects.toThrow(why);
  }
  await expect(admin.put("root", "", {})).rejects.toThrow("cannot be the name of a tenant");
  expect(await policies.policyOf("acme")).toEqual({ ...HOST, grafts: true });
  await keys.add({ tenant: "acme", subject: "olga", role: "operator" });
  expect(await admin.put("root", "acme", asking)).toMatchObject({ version: 1 });
});
