import type { Catalog, ScopeRule } from "@plasm/core";
import { failure, type Failure } from "../run-failure.ts";

/** Whether scopes satisfy a rule. */
function isSatisfied(rule: ScopeRule, granted: ReadonlySet<string>): boolean {
  const holds = (item: string | ScopeRule): boolean =>
    typeof item === "string" ? granted.has(item) : isSatisfied(item, granted);
  return "anyOf" in rule ? rule.anyOf.some(holds) : rule.allOf.every(holds);
}

/** A rule in words: `a`, `a and b`, `one of a, b`. */
export function scopeText(rule: ScopeRule): string {
  const items = ("anyOf" in rule ? rule.anyOf : rule.allOf).map((item) =>
    typeof item === "string" ? item : `(${scopeText(item)})`,
  );
  const [only] = items;
  if (items.length === 1 && only !== undefined) return only;
  return "anyOf" in rule ? `one of ${items.join(", ")}` : items.join(" and ");
}

/** The rules of a capability, and of the relation it is read for as `Entity.relation`. */
export function scopeRules(
  { cgs: { oauth } }: Catalog,
  capability: string,
  relation: string | null = null,
): readonly ScopeRule[] {
  const rules = [
    oauth?.capabilityRequirements.get(capability),
    relation === null ? undefined : oauth?.relationRequirements.get(relation),
  ];
  return rules.filter((rule) => rule !== undefined);
}

/** The failure for scopes that a credential is known to lack, before anything is sent (RUN-124). */
export function missingScopes(
  entryId: string,
  label: string,
  rules: readonly ScopeRule[],
  granted: ReadonlySet<string> | null,
): Failure | null {
  if (granted === null) return null;
  const missing = rules.filter((rule) => !isSatisfied(rule, granted));
  if (missing.length === 0) return null;
  const has = granted.size === 0 ? "none" : [...granted].join(", ");
  return failure(
    "auth_refused",
    `${label} of ${entryId} needs the scopes ${missing.map(scopeText).join(" and ")}; granted are: ${has}.`,
    `grant them and store the new token with plasm auth set ${entryId}; nothing was sent`,
  );
}
