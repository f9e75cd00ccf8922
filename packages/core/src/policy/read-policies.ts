import { type ApiPolicy, BUDGET_NAMES, QUOTA_MEASURES, type Policy } from "./policy.ts";
import { nearestName } from "../diagnostics/nearest-name.ts";
import type { Catalog } from "../mapping/template.ts";
import { effectKind } from "./may-use.ts";

/** Says what is wrong with a value of JSON at its place, such as `tenants.acme.force`. */
type Check = (value: unknown, place: string) => readonly string[];

const FOUND_LENGTH = 60;

/** What was found, cut where it is long. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > FOUND_LENGTH ? `${text.slice(0, FOUND_LENGTH)}…` : text;
}

const fault = (place: string, value: unknown, allowed: string): string =>
  `${place === "" ? "the whole" : place}: found ${shown(value)}, allowed is ${allowed}.`;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const inside = (place: string, name: string): string => (place === "" ? name : `${place}.${name}`);

/** A value that passes, else what is allowed. */
const when =
  (passes: (value: unknown) => boolean, allowed: string): Check =>
  (value, place) =>
    passes(value) ? [] : [fault(place, value, allowed)];

/** An object with these members at most, each of which may be absent. */
const objectOf =
  (members: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, place) => {
    const names = Object.keys(members);
    const allowed = `an object with ${names.join(", ")}`;
    if (!isObject(value)) return [fault(place, value, allowed)];
    const absent = required.filter((name) => !Object.hasOwn(value, name));
    const missing = absent.map((name) => `${inside(place, name)} is missing.`);
    const wrong = Object.entries(value).flatMap(([name, given]) => {
      if (Object.hasOwn(members, name)) return members[name]?.(given, inside(place, name)) ?? [];
      const near = nearestName(name, names);
      const guess = near === null ? "" : ` Did you mean ${near}?`;
      return [`${inside(place, name)}: no such member; there are ${names.join(", ")}.${guess}`];
    });
    return [...missing, ...wrong];
  };

/** An object whose names are the author's own. */
const mapOf =
  (check: Check, allowed: string): Check =>
  (value, place) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, given]) => check(given, inside(place, name)))
      : [fault(place, value, allowed)];

/** A list of which each item passes. */
const listOf =
  (check: Check, allowed: string): Check =>
  (value, place) =>
    Array.isArray(value)
      ? value.flatMap((item: unknown, index) => check(item, `${place}[${index}]`))
      : [fault(place, value, allowed)];

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

const from0 = (value: unknown): boolean => value === 0 || from1(value);
const countOrNone = when(from0, "a whole number from 0 on");

const MOST_HOURS = 8_760;
const hours = when(
  (value) => from1(value) && Number(value) <= MOST_HOURS,
  `a whole number of hours from 1 to ${MOST_HOURS}`,
);

const names = listOf(when(isName, "the name of a capability"), "a list of capability names");

const OPERATOR = '"all", or a list of create, update, delete, action, all and capability names';
const operator: Check = (value, place) =>
  value === "all" ? [] : listOf(when(isName, OPERATOR), OPERATOR)(value, place);

/** Without a member it would say nothing, though it looks as if it did. */
const notEmpty =
  (check: Check, none: string): Check =>
  (value, place) => {
    const faults = check(value, place);
    const isEmpty = faults.length === 0 && Object.keys(value as object).length === 0;
    return isEmpty ? [`${place} names ${none}.`] : faults;
  };

const approval = notEmpty(objectOf({ operator, client: operator }), "neither operator nor client");

const api = objectOf({
  deny: names,
  effects: yesOrNo,
  approval,
});

const perTime = objectOf({ minute: countOrNone, day: countOrNone });
const quotaOf = (measures: readonly string[]): Check =>
  objectOf(Object.fromEntries(measures.map((name) => [name, perTime])));
const quota = quotaOf(QUOTA_MEASURES);
// Answers are of no one catalog.
const catalogQuota = quotaOf(QUOTA_MEASURES.filter((name) => name !== "tokens"));

const isPlain = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
const number = when((value) => Number.isFinite(value), "a number");
const bound = notEmpty(
  objectOf({
    any: yesOrNo,
    one_of: listOf(when(isPlain, "text, a number, true or false"), "a list of plain values"),
    least: number,
    most: number,
  }),
  "neither any, one_of, least nor most",
);

const program = objectOf(
  {
    version: when(
      (value) => typeof value === "string" && /^[0-9a-f]{64}$/u.test(value),
      "the version of a saved program, 64 hex digits",
    ),
    effects: count,
    capabilities: listOf(when(isName, "entry_id/capability"), "a list of entry_id/capability"),
    parameters: mapOf(bound, "an object of parameters"),
  },
  ["version", "effects"],
);

const policy = objectOf({
  apis: mapOf(api, "an object of catalog ids"),
  force: yesOrNo,
  budgets: objectOf(Object.fromEntries(BUDGET_NAMES.map((name) => [name, count]))),
  unreviewed_reads: objectOf({ requests: countOrNone, rows: countOrNone }),
  grafts: yesOrNo,
  approval: notEmpty(objectOf({ hours, drifted: yesOrNo }), "neither hours nor drifted"),
  quotas: objectOf({
    caller: quota,
    tenant: quota,
    apis: mapOf(catalogQuota, "an object of catalog ids"),
  }),
  programs: mapOf(program, "an object of saved programs by name"),
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

const KINDS: readonly string[] = ["create", "update", "delete", "action", "all"];

function unknownName(name: string, catalog: Catalog, more: readonly string[]): string {
  const known = [...catalog.cgs.capabilities.keys(), ...more];
  const near = nearestName(name, known);
  const guess = near === null ? "" : ` Did you mean ${near}?`;
  return `${catalog.entryId} has no capability ${name}.${guess}`;
}

function approvalFault(name: string, catalog: Catalog): string | null {
  if (KINDS.includes(name)) return null;
  const capability = catalog.cgs.capabilities.get(name);
  if (capability === undefined) return unknownName(name, catalog, KINDS);
  if (effectKind(capability.kind) !== null) return null;
  return `${name} of ${catalog.entryId} changes nothing; operators approve effects only.`;
}

function faultsOf(api: ApiPolicy, place: string, catalog: Catalog): readonly string[] {
  const { deny = [], approval } = api;
  const denied = deny.map((name, index) => {
    const known = catalog.cgs.capabilities.has(name);
    return known ? null : `${place}.deny[${index}]: ${unknownName(name, catalog, [])}`;
  });
  const approved = (["operator", "client"] as const).flatMap((approver) => {
    const named = approval?.[approver] ?? [];
    return (named === "all" ? [] : named).map((name, index) => {
      const wrong = approvalFault(name, catalog);
      return wrong === null ? null : `${place}.approval.${approver}[${index}]: ${wrong}`;
    });
  });
  return [...denied, ...approved].filter((one) => one !== null);
}

/**
 * What policies name that these catalogs do not have, each with its place: a misspelt name would
 * forbid, or hold back, nothing. Catalogs that are not among them are not judged.
 */
export function policyNameFaults(
  { tenants, default: others }: Policies,
  catalogs: Iterable<Catalog>,
): readonly string[] {
  const known = [...catalogs];
  const placed = [
    ...Object.entries(tenants).map(([name, policy]) => [`tenants.${name}`, policy] as const),
    ["default", others] as const,
  ];
  return placed.flatMap(([place, { apis = {} }]) =>
    known.flatMap((catalog) => {
      const { entryId } = catalog;
      const api = Object.hasOwn(apis, entryId) ? apis[entryId] : undefined;
      return api === undefined ? [] : faultsOf(api, `${place}.apis.${entryId}`, catalog);
    }),
  );
}
