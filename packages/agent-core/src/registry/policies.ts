import type { Policy } from "@plasm/core";
import { namesApprover, policyNameFaults, readPolicy } from "@plasm/core/internal";
import { noteAudit } from "../audit/audit-log.ts";
import { fail } from "../errors/problem.ts";
import { isExpiredKey, type KeyRing } from "../identity/keys.ts";
import { tenantForm, tenantOfScope } from "../identity/tenant-scope.ts";
import type { CatalogRegistry, PolicyProvider } from "../ports.ts";
import type { Store, StoreOps } from "../store-port.ts";
import type { KeyRecord, PolicyRecord } from "../records/sessions.ts";

/** What administrators do; no engine has it, so that nothing that serves a model does (SURF-16). */
export interface PolicyAdmin {
  /** Sets a tenant's policy from JSON. Throws plasm-bad-request with every fault, and plasm-busy. */
  put(by: string, tenant: string, value: unknown, requestId?: string): Promise<PolicyRecord>;
}

/** What changing policies needs: the store, the catalogs they name, and who could decide. */
export interface PolicyAdminDeps {
  readonly store: Store;
  readonly registry: CatalogRegistry;
  readonly keys: Pick<KeyRing, "list">;
  /** whether tokens may make somebody an operator of a tenant */
  readonly mayHaveTokenOperator?: (tenant: string) => boolean;
}

const TENANT = /^[^\p{Cc}\p{Surrogate}]{1,600}$/u;

const refuse = (faults: readonly string[]) =>
  fail("plasm-bad-request", ["This policy cannot be used:", ...faults].join("\n  "));

/** A plan would wait for nobody where nobody can approve it (OPS-36). */
async function refuseWithoutOperator(
  { store, keys, mayHaveTokenOperator = () => false }: PolicyAdminDeps,
  tenant: string,
  policy: Policy,
): Promise<void> {
  if (!namesApprover(policy, "operator") || mayHaveTokenOperator(tenant)) return;
  const all = await keys.list();
  const decides = (one: KeyRecord): boolean =>
    one.role === "operator" && tenantForm(one.tenant) === tenant && !isExpiredKey(one, store.now());
  if (all.some(decides)) return;
  throw refuse(["it demands an operator, and the tenant has none: make a key for one first."]);
}

async function put(
  deps: PolicyAdminDeps,
  by: string,
  tenant: string,
  value: unknown,
  requestId: string | undefined,
): Promise<PolicyRecord> {
  if (!TENANT.test(tenant)) throw fail("plasm-bad-request", "This cannot be the name of a tenant.");
  const { policy, faults } = readPolicy(value);
  if (policy === null) throw refuse(faults);
  const catalogs = deps.registry.list().map(({ catalog }) => catalog);
  // A misspelt name would hold nothing back.
  const unknown = policyNameFaults({ tenants: { [tenant]: policy }, default: {} }, catalogs);
  if (unknown.length > 0) throw refuse(unknown);
  await refuseWithoutOperator(deps, tenant, policy);
  return deps.store.transaction((tx) => write(tx, tenant, policy, by, requestId ?? null));
}

/** What administrators can do, on the store that engines share. */
export const policyAdmin = (deps: PolicyAdminDeps): PolicyAdmin => ({
  put: (by, tenant, value, requestId) => put(deps, by, tenantForm(tenant), value, requestId),
});

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

/** Sets the policy of a tenant as its next version (SURF-16). Throws plasm-busy if another one came first. */
async function write(
  tx: StoreOps,
  tenant: string,
  policy: Policy,
  by: string,
  requestId: string | null,
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
  await noteAudit(tx, tenantOfScope(tenant), {
    kind: "policy_set",
    subject: by,
    target: tenant,
    request_id: requestId,
    detail: `version ${version}`,
  });
  return record;
}
