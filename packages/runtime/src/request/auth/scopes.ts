import type { Catalog } from "@plasm/core";
import type { ScopeRule } from "@plasm/core/internal";
import { isEnvelope, readEnvelope } from "./envelope.ts";

/** Whether scopes satisfy a rule. */
export function isSatisfied(rule: ScopeRule, granted: ReadonlySet<string>): boolean {
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

/** Scopes that satisfy a rule: all of them, of alternatives the first. */
function wantedBy(rule: ScopeRule): readonly string[] {
  const items = "anyOf" in rule ? rule.anyOf.slice(0, 1) : rule.allOf;
  return items.flatMap((item) => (typeof item === "string" ? [item] : wantedBy(item)));
}

/** What a stored sign-in was not granted, of what calls need. */
export interface LackingScopes {
  /** which calls need which scopes, and what was granted */
  readonly text: string;
  /** what to ask the person for: what was granted, and what is lacking */
  readonly ask: readonly string[];
}

/** What a stored value is known to lack for capabilities (RUN-124); null where nothing is, and where its scopes are not known. */
export function lackingScopes(
  catalog: Catalog,
  capabilities: readonly string[],
  stored: string,
): LackingScopes | null {
  const { entryId, cgs } = catalog;
  const value = stored.trim();
  const reading = isEnvelope(value) ? readEnvelope(value, entryId) : null;
  if (reading?.ok !== true || reading.token.scope === null) return null;
  const scopes = reading.token.scope.split(/[\s,]+/).filter((name) => name !== "");
  const granted = new Set(scopes);
  const lacking = [...new Set(capabilities)].flatMap((name) => {
    const rules = scopeRules(catalog, name).filter((rule) => !isSatisfied(rule, granted));
    const label = cgs.capabilities.get(name)?.label ?? name;
    return rules.length === 0 ? [] : [{ label, rules }];
  });
  if (lacking.length === 0) return null;
  const needs = lacking.map(
    ({ label, rules }) => `${label} needs ${rules.map(scopeText).join(" and ")}`,
  );
  const has = scopes.length === 0 ? "none" : scopes.join(", ");
  return {
    text: `of the scopes of ${entryId} ${needs.join("; ")}; granted are: ${has}`,
    ask: [...new Set([...scopes, ...lacking.flatMap(({ rules }) => rules.flatMap(wantedBy))])],
  };
}
