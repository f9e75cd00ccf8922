import { readFile } from "node:fs/promises";
import { LOCAL, type PolicyProvider } from "@plasm/agent-core";
import { tenantForm, type KeyRing, isExpiredKey } from "@plasm/agent-core/internal";
import { policyFor, readPolicies, type Catalog, type Policies, type Policy } from "@plasm/core";
import { type Approver, namesApprover, policyNameFaults } from "@plasm/core/internal";
import { HostStartError } from "./environment.ts";

/** The variable that names the file of policies where no option does. */
export const POLICY_SETTING = "PLASM_POLICY";

const NO_POLICIES: Policies = Object.freeze({ tenants: {}, default: {} });

const MOST_FAULTS = 10;

function refuse(file: string, faults: readonly string[]): never {
  const shown = faults.slice(0, MOST_FAULTS).map((fault) => `\n  ${fault}`);
  const more = faults.length - shown.length;
  const rest = more > 0 ? `\n  and ${more} more` : "";
  throw new HostStartError(`The policies in ${file} cannot be used:${shown.join("")}${rest}`);
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : "it is no JSON";
    return refuse(file, [`It is no JSON: ${why}`]);
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? "unknown";
    throw new HostStartError(`The policies in ${file} cannot be read (${code}).`, {
      cause: thrown,
    });
  }
}

/** Tenants as callers' scopes name them; two names that are one say two things of one tenant. */
function inOneForm(file: string, { tenants: given, ...rest }: Policies): Policies {
  const tenants: Record<string, Policy> = {};
  for (const [name, policy] of Object.entries(given)) {
    const form = tenantForm(name);
    if (Object.hasOwn(tenants, form)) {
      return refuse(file, [`tenants: ${JSON.stringify(form)} stands twice, in two Unicode forms.`]);
    }
    tenants[form] = policy;
  }
  return { ...rest, tenants };
}

/**
 * Reads the policies of a file (SURF-25). What they name of these catalogs must be there. Throws
 * HostStartError with each fault, its place and what is allowed.
 */
export async function readPolicyFile(
  file: string | undefined,
  catalogs: Iterable<Catalog>,
): Promise<Policies> {
  if (file === undefined) return NO_POLICIES;
  const { policies, faults } = readPolicies(parse(file, await readText(file)));
  if (policies === null) return refuse(file, faults);
  const unknown = policyNameFaults(policies, catalogs);
  return unknown.length > 0 ? refuse(file, unknown) : inOneForm(file, policies);
}

const keyFor = (tenant: string): string =>
  `plasm keys add --subject NAME${tenant === LOCAL.scope ? "" : ` --tenant ${tenant}`}, with the --data of this server`;

/**
 * Refuses policies that name an operator for a tenant that has none: its plans would wait for nobody
 * (OPS-36). Throws HostStartError. Returns what there is to say of tenants whose clients alone may ask somebody.
 */
export async function refuseWithoutOperator(
  policies: Policies,
  keys: KeyRing,
  mayHaveTokenOperator: (tenant: string) => boolean = () => false,
): Promise<readonly string[]> {
  const naming = (who: Approver): readonly string[] =>
    [...new Set([...Object.keys(policies.tenants), LOCAL.scope])].filter((tenant) =>
      namesApprover(policyFor(policies, tenant), who),
    );
  const [demanding, leaving] = [naming("operator"), naming("client")];
  if (demanding.length + leaving.length === 0) return [];
  const operators = (await keys.list()).filter(
    (one) => one.role === "operator" && !isExpiredKey(one, Date.now()),
  );
  const lacks = (tenant: string): boolean =>
    !mayHaveTokenOperator(tenant) && operators.every((one) => tenantForm(one.tenant) !== tenant);
  const without = demanding.find(lacks);
  if (without !== undefined) {
    throw new HostStartError(
      `The policy of tenant ${without} demands an operator, and it has none. Make a key for one: ${keyFor(without)}`,
    );
  }
  return leaving
    .filter(lacks)
    .map(
      (tenant) =>
        `the policy of tenant ${tenant} leaves effects to the person at the client, and it has no operator: what a client that asks nobody plans waits in vain. A key for one: ${keyFor(tenant)}`,
    );
}

/** The policies of a file, each tenant's own before that of all others. */
export const filePolicies = (policies: Policies): PolicyProvider => ({
  policyOf: (tenant) => policyFor(policies, tenant),
});

/** The policy of each tenant, within the budgets of the deployment where it sets none itself. */
export const withBudgets = (
  policies: PolicyProvider,
  budgets: NonNullable<Policy["budgets"]>,
): PolicyProvider => ({
  policyOf: async (scope) => {
    const policy = await policies.policyOf(scope);
    return { ...policy, budgets: { ...budgets, ...policy.budgets } };
  },
});

/** The same policies, none of which lets an agent run by its own word alone what wants review (OPS-8). */
export const withoutForce = (policies: PolicyProvider): PolicyProvider => ({
  policyOf: async (scope) => ({ ...(await policies.policyOf(scope)), force: false }),
});
