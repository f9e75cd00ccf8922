import type { Catalog } from "@plasm/core";
import { compareCodePoints, type ScopeRule } from "@plasm/core/internal";
import { isEnvelope, readEnvelope } from "./envelope.ts";

/**
 * The scopes to ask for unless told otherwise: those of the set `default`, else of the smallest set, else all that the catalog
 * declares.
 */
export function defaultScopes({ cgs: { oauth: declared } }: Catalog): readonly string[] {
  if (declared === undefined) return [];
  const { defaultScopeSets: sets, scopes } = declared;
  const [[, smallest] = []] = [...sets].toSorted(
    ([a, { scopes: one }], [b, { scopes: other }]) =>
      one.length - other.length || compareCodePoints(a, b),
  );
  return (sets.get("default") ?? smallest)?.scopes ?? [...scopes.keys()];
}

/** A scope as RFC 6749 has it, and no longer than one is. */
const isScope = (name: string): boolean =>
  name.length <= 200 && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name);

/** The scopes that a provider says were granted; what is no scope is left out, for people and models are told of them. */
export const grantedScopes = (said: string): ReadonlySet<string> =>
  new Set(said.split(/[\s,]+/).filter(isScope));

/** How many granted scopes a text has. */
const MOST_SHOWN = 20;

/** Granted scopes in words: `a, b`, `none`. */
export function grantedText(granted: ReadonlySet<string>): string {
  if (granted.size === 0) return "none";
  const shown = [...granted].slice(0, MOST_SHOWN).join(", ");
  const more = granted.size - MOST_SHOWN;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Scopes that providers grant and leave out of what they say was granted; without the first of them no refresh token comes. */
const UNSAID: readonly string[] = ["offline_access", "openid"];

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

/**
 * What to ask a person for who signs in for calls of capabilities: what the catalog asks for by default, and what they need
 * besides; undefined where that is no more.
 */
export function scopesFor(
  catalog: Catalog,
  capabilities: readonly string[],
): readonly string[] | undefined {
  const defaults = defaultScopes(catalog);
  const asked = new Set(defaults);
  const wanted = capabilities
    .flatMap((name) => scopeRules(catalog, name).filter((rule) => !isSatisfied(rule, asked)))
    .flatMap(wantedBy);
  return wanted.length === 0 ? undefined : [...new Set([...defaults, ...wanted])];
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
  const granted = grantedScopes(reading.token.scope);
  const lacking = [...new Set(capabilities)].flatMap((name) => {
    const rules = scopeRules(catalog, name).filter((rule) => !isSatisfied(rule, granted));
    const label = cgs.capabilities.get(name)?.label ?? name;
    return rules.length === 0 ? [] : [{ label, rules }];
  });
  if (lacking.length === 0) return null;
  const needs = lacking.map(
    ({ label, rules }) => `${label} needs ${rules.map(scopeText).join(" and ")}`,
  );
  const unsaid = defaultScopes(catalog).filter((name) => UNSAID.includes(name));
  const wanted = lacking.flatMap(({ rules }) => rules.flatMap(wantedBy));
  return {
    text: `of the scopes of ${entryId} ${needs.join("; ")}; granted are: ${grantedText(granted)}`,
    ask: [...new Set([...granted, ...unsaid, ...wanted])],
  };
}
