import { namesOperator, policyNameFaults, readPolicy, type Policy } from "@plasm/core";
import { fail } from "../errors/failure.ts";
import type { Keys } from "../identity/keys.ts";
import { tenantForm } from "../identity/tenant-scope.ts";
import type { CatalogRegistry, Store } from "../ports.ts";
import type { PolicyRecord } from "../records/policy-record.ts";
import { storePolicy } from "./stored-policies.ts";

/** What administrators do; no engine has it, so that nothing that serves a model does (SURF-16). */
export interface PolicyAdmin {
  /** Sets a tenant's policy from JSON. Throws plasm-bad-request with every fault, and plasm-busy. */
  put(by: string, tenant: string, value: unknown): Promise<PolicyRecord>;
}

/** What changing policies needs: the store, the catalogs they name, and who could decide. */
export interface PolicyAdminDeps {
  readonly store: Store;
  readonly registry: CatalogRegistry;
  readonly keys: Pick<Keys, "list">;
}

const TENANT = /^[^\p{Cc}\p{Surrogate}]{1,600}$/u;

const refuse = (faults: readonly string[]) =>
  fail("plasm-bad-request", ["This policy cannot be used:", ...faults].join("\n  "));

/** A plan would wait for nobody where nobody can approve it (OPS-36). */
async function refuseWithoutOperator(
  { keys }: PolicyAdminDeps,
  tenant: string,
  policy: Policy,
): Promise<void> {
  if (!namesOperator(policy)) return;
  const all = await keys.list();
  if (all.some((one) => one.role === "operator" && tenantForm(one.tenant) === tenant)) return;
  throw refuse(["it demands an operator, and the tenant has none: make a key for one first."]);
}

async function put(
  deps: PolicyAdminDeps,
  by: string,
  tenant: string,
  value: unknown,
): Promise<PolicyRecord> {
  if (!TENANT.test(tenant)) throw fail("plasm-bad-request", "This cannot be the name of a tenant.");
  const { policy, faults } = readPolicy(value);
  if (policy === null) throw refuse(faults);
  const catalogs = deps.registry.list().map(({ catalog }) => catalog);
  // A misspelt name would hold nothing back.
  const unknown = policyNameFaults({ tenants: { [tenant]: policy }, default: {} }, catalogs);
  if (unknown.length > 0) throw refuse(unknown);
  await refuseWithoutOperator(deps, tenant, policy);
  return storePolicy(deps.store, tenant, policy, by);
}

/** What administrators can do, on the store that engines share. */
export const policyAdmin = (deps: PolicyAdminDeps): PolicyAdmin => ({
  put: (by, tenant, value) => put(deps, by, tenantForm(tenant), value),
});
