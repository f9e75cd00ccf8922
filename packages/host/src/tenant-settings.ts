import { basename } from "node:path";
import type { CatalogRegistry, Store } from "@plasm/agent-core";
import {
  type DriftCount,
  driftSignsOf,
  fail,
  isExpiredKey,
  keysIn,
  quotaUse,
  type QuotaUse,
  storedPolicies,
  tenantOfScope,
} from "@plasm/agent-core/internal";
import { BUDGET_NAMES, type BudgetName, type Policies, type Policy } from "@plasm/core";
import { mayUseApi } from "@plasm/core/internal";
import { DEFAULT_LIMITS } from "@plasm/runtime";
import {
  type AccessSources,
  accessIn,
  type CapabilityAccess,
  type TenantAccess,
} from "./access.ts";
import type { Budgets } from "./limits.ts";
import type { NoticePlace } from "./notifications.ts";
import { filePolicies } from "./policies.ts";

/** A key as operators read of it: never its text, nor the hash of it. Times as in `2026-01-05T09:00:00.000Z`. */
export type KeyView = {
  readonly id: string;
  readonly subject: string;
  readonly role: string;
  /** what an agent may do with it; null for all */
  readonly scopes: readonly string[] | null;
  readonly act_as: readonly string[];
  readonly created_at: string;
  readonly rotated_at: string | null;
  readonly expires_at: string | null;
  readonly is_expired: boolean;
  /** to the minute */
  readonly last_used_at: string | null;
};

type AccessCounts = { readonly entry_id: string } & Readonly<
  Record<CapabilityAccess["access"], number>
>;

/** How a tenant is served. */
export type SettingsView = {
  readonly tenant: string;
  readonly policy: {
    readonly name: string;
    /** an effect may be run by its agent's word alone */
    readonly force: boolean;
    readonly rules: Policy;
  };
  /** capabilities of each catalog that the tenant may use, by what may be done with them */
  readonly catalogs: readonly AccessCounts[];
  readonly budgets: readonly {
    readonly name: BudgetName;
    readonly most: number;
    readonly from: "policy" | "server" | "default";
  }[];
  readonly quotas: readonly QuotaUse[];
  readonly keys: readonly KeyView[];
  readonly notifications: readonly NoticePlace[];
};

/** What may be done with a catalog, and how its API answered otherwise than it says. */
export type CatalogSettingsView = {
  readonly entry_id: string;
  readonly capabilities: readonly CapabilityAccess[];
  /** of the last 30 days, over all processes on the store */
  readonly drift: { readonly since: string; readonly signs: readonly DriftCount[] };
};

/** What operators read of how their tenant is served; nothing changes by it (SURF-36, SURF-38). */
export interface TenantSettings {
  read(scope: string): Promise<SettingsView>;
  /** Throws plasm-unknown-catalog, also for one that the tenant may not use. */
  catalog(scope: string, entryId: string): Promise<CatalogSettingsView>;
}

/** What it is read from, all of it open already. */
export interface TenantSettingsSources {
  readonly store: Store;
  readonly registry: CatalogRegistry;
  /** of the file */
  readonly policies: Policies;
  readonly policyFile: string | undefined;
  readonly strict: boolean;
  readonly budgets: Budgets;
  readonly notifications: readonly NoticePlace[];
}

const ORDER = ["read", "effect", "client", "operator", "forbidden"] as const;

function countsOf({ entry_id, capabilities }: TenantAccess["catalogs"][number]): AccessCounts {
  const count = (access: CapabilityAccess["access"]): number =>
    capabilities.filter((one) => one.access === access).length;
  const counts = Object.fromEntries(ORDER.map((access) => [access, count(access)]));
  return { entry_id, ...counts } as AccessCounts;
}

const timeOf = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

async function keysOf(store: Store, tenant: string): Promise<readonly KeyView[]> {
  const keys = await keysIn(store).list(tenant);
  return keys.map((key) => ({
    id: key.id,
    subject: key.subject,
    role: key.role,
    scopes: key.scopes ?? null,
    act_as: key.actAs ?? [],
    created_at: new Date(key.createdAt).toISOString(),
    rotated_at: timeOf(key.rotatedAt),
    expires_at: timeOf(key.expiresAt),
    is_expired: isExpiredKey(key, store.now()),
    last_used_at: timeOf(key.lastUsedAt),
  }));
}

/** A policy's budgets go before the server's, and those before the defaults. */
const budgetsOf = ({ budgets: own = {} }: Policy, server: Budgets): SettingsView["budgets"] =>
  BUDGET_NAMES.map((name) => {
    const [policy, set] = [own[name], server[name]];
    const from = policy !== undefined ? "policy" : set !== undefined ? "server" : "default";
    return { name, most: policy ?? set ?? DEFAULT_LIMITS[name], from };
  });

/** Reads how tenants are served, from what is open in this process. */
export function tenantSettings(sources: TenantSettingsSources): TenantSettings {
  const { store, registry, policies, policyFile, budgets } = sources;
  const provider = storedPolicies(store, filePolicies(policies));
  const accessOf = async (tenant: string, policy: Policy) => {
    const of: AccessSources = {
      ...sources,
      // The directory is the server's own affair.
      policyFile: policyFile === undefined ? undefined : basename(policyFile),
      catalogs: registry
        .list()
        .map(({ catalog }) => catalog)
        .filter(({ entryId }) => mayUseApi(policy, entryId)),
    };
    const [access] = await accessIn(of, { tenant });
    return access;
  };
  return {
    read: async (scope) => {
      const tenant = tenantOfScope(scope);
      const policy = await provider.policyOf(tenant);
      const [access, quotas, keys] = await Promise.all([
        accessOf(tenant, policy),
        quotaUse(store, tenant, policy.quotas ?? {}),
        keysOf(store, tenant),
      ]);
      const { budgets: _budgets, quotas: _quotas, ...rules } = policy;
      return {
        tenant,
        policy: { name: access?.policy ?? "", force: access?.force ?? false, rules },
        catalogs: (access?.catalogs ?? []).map(countsOf),
        budgets: budgetsOf(policy, budgets),
        quotas,
        keys,
        notifications: sources.notifications,
      };
    },
    catalog: async (scope, entryId) => {
      const tenant = tenantOfScope(scope);
      const access = await accessOf(tenant, await provider.policyOf(tenant));
      const found = access?.catalogs.find((one) => one.entry_id === entryId);
      if (found === undefined)
        throw fail("plasm-unknown-catalog", `No catalog ${JSON.stringify(entryId.slice(0, 200))}.`);
      return { ...found, drift: await driftSignsOf(store, tenant, entryId) };
    },
  };
}
