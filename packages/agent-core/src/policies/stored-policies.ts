import type { Policy } from "@plasm/core";
import { fail } from "../errors/failure.ts";
import { tenantOfScope } from "../identity/tenant-scope.ts";
import type { PolicyProvider, Store, StoreOps } from "../ports.ts";
import type { PolicyRecord } from "../records/policy-record.ts";

/** Whose a policy is stands in its id: an administrator's are those of all tenants. */
const NO_SCOPE = "";

/** Versions in the order they were made, also where they are told apart by their ids alone. */
const versionId = (tenant: string, version: number): string =>
  `${tenant}/${String(version).padStart(9, "0")}`;

/**
 * The policies that administrators set, and those of the host for tenants that have none. A stored one counts
 * for the next check of every process on the store (SURF-25).
 */
export const storedPolicies = (store: StoreOps, host: PolicyProvider): PolicyProvider => ({
  policyOf: async (scope) => {
    const tenant = tenantOfScope(scope);
    const found = await store.get("policy", NO_SCOPE, tenant);
    return found === null ? host.policyOf(tenant) : found.value.policy;
  },
});

async function write(
  tx: StoreOps,
  tenant: string,
  policy: Policy,
  by: string,
): Promise<PolicyRecord> {
  const found = await tx.get("policy", NO_SCOPE, tenant);
  const version = (found?.value.version ?? 0) + 1;
  const record: PolicyRecord = { tenant, version, policy, by, at: tx.now() };
  const kept =
    found === null
      ? await tx.insert("policy", NO_SCOPE, tenant, record)
      : await tx.cas("policy", NO_SCOPE, tenant, found.version, record);
  const added =
    kept && (await tx.insert("policyVersion", NO_SCOPE, versionId(tenant, version), record));
  if (!added) throw fail("plasm-busy", "It changed meanwhile. Send the same call again.");
  return record;
}

/** Sets the policy of a tenant as its next version (SURF-16). Throws plasm-busy if another one came first. */
export const storePolicy = (
  store: Store,
  tenant: string,
  policy: Policy,
  by: string,
): Promise<PolicyRecord> => store.transaction((tx) => write(tx, tenant, policy, by));
