import { nameList } from "../../diagnostics/nearest-name.ts";
import type { OAuthDoc, ScopeRuleDoc } from "../format/auth-shape.ts";
import type { KeyPath } from "../key-path.ts";
import { nearestText } from "../reporter.ts";
import { choice, type PartView } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";

/** CAT-113: provider and requirements of `oauth`; CAT-115: its addresses; CAT-005 for scopes of its scope sets. */
export const oauthRule: Rule = (context) => {
  const { domain, inDomain } = context;
  const { oauth } = domain;
  if (oauth === undefined) return;
  if (oauth.provider.trim() === "") {
    inDomain.atValue(["oauth", "provider"], "CAT113", "provider", {});
  }
  checkAddresses(oauth, inDomain);
  const scopes = [...oauth.scopes.keys()];
  for (const [name, set] of oauth.default_scope_sets) {
    set.scopes.forEach((scope, at) => {
      if (scopes.includes(scope) || inDomain.faulty(["oauth", "scopes"])) return;
      const path = ["oauth", "default_scope_sets", name, "scopes", at];
      inDomain.unknown(path, "OAuth scope", scope, scopes);
    });
  }
  checkNames(context, scopes);
  const { capabilities, relations } = oauth.requirements;
  for (const [part, rules] of Object.entries({ capabilities, relations })) {
    for (const [name, rule] of rules) {
      checkRule(rule, ["oauth", "requirements", part, name], scopes, inDomain);
    }
  }
};

const ADDRESSES = ["issuer", "authorize_url", "token_url", "device_url", "revoke_url"] as const;

const isHttps = (text: string): boolean => /^https:\/\/[^\s/?#@]+(?:\/[^\s#]*)?$/.test(text);

/** CAT-115: addresses that people and tokens are sent to are https, and sign-in has all that it needs. */
function checkAddresses(oauth: OAuthDoc, inDomain: PartView): void {
  for (const key of ADDRESSES) {
    const found = oauth[key];
    if (found === undefined || isHttps(found)) continue;
    inDomain.atValue(["oauth", key], "CAT115", "address", { key, found });
  }
  if (oauth.issuer !== undefined) return;
  // Which server an answer comes from is told by the name that it gives itself (RFC 9207), which no address says.
  if (oauth.authorize_url !== undefined)
    inDomain.atKey(["oauth", "authorize_url"], "CAT115", "nameless", {});
  if (oauth.device_url !== undefined && oauth.token_url === undefined)
    inDomain.atKey(["oauth", "device_url"], "CAT115", "alone", { key: "device_url" });
}

function checkNames({ domain, inDomain }: RuleContext, scopes: readonly string[]): void {
  const { requirements } = domain.oauth ?? {};
  const declared = nameList(scopes, "") || "none";
  const relations = [...domain.entities].flatMap(([entity, doc]) =>
    [...doc.relations.keys()].map((relation) => `${entity}.${relation}`),
  );
  for (const found of requirements?.capabilities.keys() ?? []) {
    const path = ["oauth", "requirements", "capabilities", found];
    if (domain.capabilities.has(found) || inDomain.has(["capabilities", found])) continue;
    const params = { found, ...choice(found, domain.capabilities.keys()), scopes: declared };
    inDomain.atKey(path, "CAT113", "capability", params);
  }
  for (const found of requirements?.relations.keys() ?? []) {
    const path = ["oauth", "requirements", "relations", found];
    const [entity = "", relation = ""] = found.split(".");
    if (relations.includes(found)) continue;
    if (inDomain.has(["entities", entity, "relations", relation])) continue;
    const params = { found, ...choice(found, relations), scopes: declared };
    inDomain.atKey(path, "CAT113", "relation", params);
  }
}

function checkRule(
  rule: ScopeRuleDoc,
  path: KeyPath,
  scopes: readonly string[],
  inDomain: PartView,
): void {
  if (inDomain.faulty(path) || inDomain.faulty(["oauth", "scopes"])) return;
  const declared = nameList(scopes, "") || "none";
  const given = (["any_of", "all_of"] as const).filter((key) => rule[key] !== undefined);
  const [key] = given;
  if (key === undefined || given.length > 1) {
    const found = given.length === 0 ? "neither any_of nor all_of" : "any_of and all_of";
    inDomain.atKey(path, "CAT113", "one", { found, scopes: declared });
    return;
  }
  const items = rule[key] ?? [];
  if (items.length === 0) {
    inDomain.atValue([...path, key], "CAT113", "empty", { found: key, scopes: declared });
  }
  items.forEach((item, at) => {
    const inner = [...path, key, at];
    if (typeof item !== "string") checkRule(item, inner, scopes, inDomain);
    else if (!scopes.includes(item)) {
      const nearest = nearestText(item, scopes);
      inDomain.atValue(inner, "CAT113", "scope", { found: item, nearest, scopes: declared });
    }
  });
}
