import { LOCAL, type PolicyProvider, type Store } from "@plasm/agent-core";
import { isExpiredKey, keysIn, storedPolicies, tenantForm } from "@plasm/agent-core/internal";
import type { Capability, Catalog, Policies, Policy } from "@plasm/core";
import { type Approver, approverOf, effectKind, mayCall, mayUseApi } from "@plasm/core/internal";
import { readContents } from "./contents.ts";
import { HostStartError } from "./environment.ts";
import type { HostOptions } from "./host-options.ts";
import { filePolicies } from "./policies.ts";
import { readStore } from "./store.ts";

/** What may be done with one capability, and the rule that says so. */
export type CapabilityAccess = {
  readonly capability: string;
  readonly kind: string;
  /** an effect runs after review, or after an operator has approved it, too */
  readonly access: "read" | "effect" | "client" | "operator" | "forbidden";
  /** where the rule stands in the policy, or what stands in its place */
  readonly rule: string;
};

/** What one tenant, or one holder of a key, may do. */
export interface TenantAccess {
  readonly tenant: string;
  /** whose policy it is: the file's, the store's, or none */
  readonly policy: string;
  /** `force` runs an effect without review */
  readonly force: boolean;
  readonly catalogs: readonly {
    readonly entry_id: string;
    readonly capabilities: readonly CapabilityAccess[];
  }[];
  /** those with a key of the tenant, and what their role lets them do besides */
  readonly principals: readonly {
    readonly subject: string;
    readonly role: string;
    readonly key: string;
    readonly may: string;
  }[];
}

/** Where a rule stands that forbids a capability; a view is forbidden with any read that it is made of. */
function ruleAgainst(policy: Policy, catalog: Catalog, { name, kind }: Capability): string {
  const { entryId } = catalog;
  if (!mayUseApi(policy, entryId)) return "apis names other catalogs alone";
  const api = policy.apis?.[entryId] ?? {};
  const at = api.deny?.indexOf(name) ?? -1;
  if (at >= 0) return `apis.${entryId}.deny[${at}]`;
  if (api.effects === false && effectKind(kind) !== null) return `apis.${entryId}.effects`;
  return `a read that it is made of is forbidden by apis.${entryId}`;
}

/** Where a rule stands that demands an approval. */
function approvalRule(
  policy: Policy,
  entryId: string,
  { name, kind }: Capability,
  approver: Approver,
): string {
  const named = policy.apis?.[entryId]?.approval?.[approver] ?? [];
  const place = `apis.${entryId}.approval.${approver}`;
  if (named === "all") return place;
  const names: readonly (string | null)[] = ["all", effectKind(kind), name];
  return `${place}[${named.findIndex((one) => names.includes(one))}]`;
}

function accessTo(
  policy: Policy,
  readsOnly: string | null,
  catalog: Catalog,
  capability: Capability,
): CapabilityAccess {
  const { name, kind } = capability;
  const said = (access: CapabilityAccess["access"], rule: string): CapabilityAccess => ({
    capability: name,
    kind,
    access,
    rule,
  });
  if (!mayCall(policy, catalog, capability)) {
    return said("forbidden", ruleAgainst(policy, catalog, capability));
  }
  const isEffect = effectKind(kind) !== null;
  if (isEffect && readsOnly !== null) return said("forbidden", readsOnly);
  const approver = approverOf(policy, catalog.entryId, capability);
  if (approver !== null)
    return said(approver, approvalRule(policy, catalog.entryId, capability, approver));
  const rule = policy.apis === undefined ? "no apis: all are allowed" : `apis.${catalog.entryId}`;
  return said(isEffect ? "effect" : "read", rule);
}

type Key = Awaited<ReturnType<ReturnType<typeof keysIn>["list"]>>[number];

/** What a role lets its holder do besides, or in place of, calls. */
function roleText({ role, scopes, actAs = [] }: Key): string {
  switch (role) {
    case "operator":
      return "decides on plans of others, reads the audit log; calls nothing";
    case "admin":
      return "sets policies, imports catalogs; calls nothing";
    case "monitor":
      return "reads figures; calls nothing";
    case "agent": {
      const narrow = scopes === undefined ? "" : ` (scopes ${scopes.join(", ")})`;
      const others = actAs.length === 0 ? "" : `, for ${actAs.join(", ")}, too`;
      return `calls what the tenant may${narrow}${others}`;
    }
  }
}

/** Why a key reads alone; null where it does not. */
const readsOnlyBy = (keys: readonly Key[]): string | null => {
  const agents = keys.filter(({ role }) => role === "agent");
  const [first] = agents;
  const all = agents.every(({ scopes }) => scopes !== undefined && !scopes.includes("effects"));
  return first !== undefined && all ? `key ${first.id} has no scope for effects` : null;
};

/** What is asked for. */
export interface AccessQuestion {
  /** of this tenant alone; of each that the policies or keys name without it */
  readonly tenant?: string | undefined;
  /** as one who has keys in the tenant */
  readonly subject?: string | undefined;
}

/** The name of a policy, as whoever wrote it finds it. */
async function policyName(
  store: Store | null,
  file: string | undefined,
  { tenants }: Policies,
  tenant: string,
): Promise<string> {
  const stored = await store?.get("policy", "", tenant);
  if (stored !== null && stored !== undefined) {
    return `version ${stored.value.version} in the store, set by ${stored.value.by}`;
  }
  if (file === undefined) return "none: all is allowed, effects after review";
  return `${file}, ${Object.hasOwn(tenants, tenant) ? `tenants.${tenant}` : "default"}`;
}

/** What a report is made of, all of it open. */
export interface AccessSources {
  readonly store: Store;
  readonly catalogs: readonly Catalog[];
  /** of the file */
  readonly policies: Policies;
  readonly policyFile: string | undefined;
  readonly strict: boolean;
}

/** Returns who could do what by the policies as they are, and why (OPS-56). Throws HostStartError for a subject without a key. */
export async function accessIn(
  { store, catalogs, policies, policyFile, strict }: AccessSources,
  { tenant, subject }: AccessQuestion,
): Promise<readonly TenantAccess[]> {
  const provider: PolicyProvider = storedPolicies(store, filePolicies(policies));
  const keys = (await keysIn(store).list(tenant)).filter((key) => !isExpiredKey(key, store.now()));
  const named = [LOCAL.scope, ...Object.keys(policies.tenants), ...keys.map((key) => key.tenant)];
  const asked = tenant === undefined ? [...new Set(named.map(tenantForm))] : [tenantForm(tenant)];
  const calls = ({ role, subject: own }: Key): boolean => role === "agent" && own === subject;
  const callsIn = (one: string): boolean =>
    keys.some((key) => tenantForm(key.tenant) === one && calls(key));
  const tenants = subject === undefined ? asked : asked.filter(callsIn);
  if (tenants.length === 0)
    throw new HostStartError(
      `No key of ${subject} calls anything${tenant === undefined ? "" : ` in tenant ${tenant}`}: plasm keys list names those that there are. Who signs in by a token may do what the tenant may, within the scopes of the token: leave --subject out.`,
    );
  return Promise.all(
    tenants.map(async (one): Promise<TenantAccess> => {
      const policy = await provider.policyOf(one);
      const own = keys.filter(
        (key) =>
          tenantForm(key.tenant) === one && (subject === undefined || key.subject === subject),
      );
      const readsOnly = subject === undefined ? null : readsOnlyBy(own);
      return {
        tenant: one,
        policy: await policyName(store, policyFile, policies, one),
        force: policy.force !== false && !strict,
        catalogs: catalogs.map((catalog) => ({
          entry_id: catalog.entryId,
          capabilities: [...catalog.cgs.capabilities.values()].map((capability) =>
            accessTo(policy, readsOnly, catalog, capability),
          ),
        })),
        principals: own.map((key) => ({
          subject: key.subject,
          role: key.role,
          key: key.id,
          may: roleText(key),
        })),
      };
    }),
  );
}

/**
 * Returns the same of a deployment that nothing has open: of a file, and of the store where an administrator has set one. Nothing is
 * called, and nothing made, written or migrated (OPS-56, OPS-68). Throws HostStartError.
 */
export async function accessReport(
  options: HostOptions,
  question: AccessQuestion = {},
): Promise<readonly TenantAccess[]> {
  const { catalogs, policies } = await readContents(options);
  const store = await readStore(options.dataDir, options.env);
  const { policyFile, strict = false } = options;
  const offered = catalogs.entries.map(({ catalog }) => catalog);
  try {
    return await accessIn({ store, catalogs: offered, policies, policyFile, strict }, question);
  } finally {
    await store.close();
  }
}
