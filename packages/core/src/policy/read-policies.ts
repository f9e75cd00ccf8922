import { BUDGET_NAMES, type Policy } from "./policy.ts";
import { listOf, mapOf, objectOf, when, type Check } from "./policy-checks.ts";

/** The policies of a deployment: of tenants by name, and of all others (SURF-25). */
export interface Policies {
  readonly tenants: Readonly<Record<string, Policy>>;
  readonly default: Policy;
}

/** The policies of a document, or everything that is wrong with it. */
export type ReadPolicies =
  | { readonly policies: Policies; readonly faults: null }
  | { readonly policies: null; readonly faults: readonly string[] };

const yesOrNo = when((value) => typeof value === "boolean", "true or false");
const isName = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const from1 = (value: unknown): boolean =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
const count = when(from1, "a whole number from 1 on");

const MOST_HOURS = 8_760;
const hours = when(
  (value) => from1(value) && Number(value) <= MOST_HOURS,
  `a whole number of hours from 1 to ${MOST_HOURS}`,
);

const names = listOf(when(isName, "the name of a capability"), "a list of capability names");

const OPERATOR = '"all", or a list of create, update, delete, action, all and capability names';
const operator: Check = (value, place) =>
  value === "all" ? [] : listOf(when(isName, OPERATOR), OPERATOR)(value, place);

const api = objectOf({
  deny: names,
  effects: yesOrNo,
  approval: objectOf({ operator }, ["operator"]),
});

const policy = objectOf({
  apis: mapOf(api, "an object of catalog ids"),
  force: yesOrNo,
  budgets: objectOf(Object.fromEntries(BUDGET_NAMES.map((name) => [name, count]))),
  grafts: yesOrNo,
  approval: objectOf({ hours }, ["hours"]),
});

const whole = objectOf({
  tenants: mapOf(policy, "an object of tenant names"),
  default: policy,
});

/**
 * Reads the policies of a deployment from a JSON value: `{"tenants": {NAME: POLICY}, "default": POLICY}`,
 * each POLICY as SURF-25 writes it. Faults name place, finding and what is allowed, all of them.
 */
export function readPolicies(value: unknown): ReadPolicies {
  const faults = whole(value, "");
  if (faults.length > 0) return { policies: null, faults };
  const { tenants = {}, default: others = {} } = value as Partial<Policies>;
  return { policies: { tenants, default: others }, faults: null };
}

/** Reads the policy of one tenant, as SURF-25 writes it. Faults are those of {@link readPolicies}. */
export function readPolicy(
  value: unknown,
):
  | { readonly policy: Policy; readonly faults: null }
  | { readonly policy: null; readonly faults: readonly string[] } {
  const faults = policy(value, "");
  return faults.length > 0 ? { policy: null, faults } : { policy: value as Policy, faults: null };
}

/** The policy of a tenant: its own, else that of all others (SURF-25). */
export const policyFor = (policies: Policies, tenant: string): Policy =>
  (Object.hasOwn(policies.tenants, tenant) ? policies.tenants[tenant] : undefined) ??
  policies.default;
