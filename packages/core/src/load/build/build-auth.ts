import type { Auth, FurtherKey, OAuth, ScopeRule, SecretSource } from "../../schema/auth.ts";
import type { AuthDoc, FurtherKeyDoc, OAuthDoc, ScopeRuleDoc } from "../format/auth-shape.ts";
import { given, mapValues } from "./given.ts";

export function buildAuth(doc: AuthDoc): Auth {
  if (doc.scheme === "none") return { scheme: doc.scheme };
  const also = (doc.also ?? []).map(buildKey);
  switch (doc.scheme) {
    case "api_key_header":
      return {
        scheme: doc.scheme,
        header: doc.header,
        prefix: doc.prefix,
        also,
        ...secret(doc.env, doc.hosted_kv),
      };
    case "api_key_query":
      return { scheme: doc.scheme, param: doc.param, also, ...secret(doc.env, doc.hosted_kv) };
    case "bearer_token":
    case "oauth_bearer":
      return {
        scheme: doc.scheme,
        optionalEnv: doc.optional_env,
        also,
        ...secret(doc.env, doc.hosted_kv),
      };
    case "oauth2_client_credentials":
      return {
        scheme: doc.scheme,
        tokenUrl: doc.token_url,
        clientId: secret(doc.client_id_env, doc.client_id_hosted_kv),
        clientSecret: secret(doc.client_secret_env, doc.client_secret_hosted_kv),
        scopes: doc.scopes,
        also,
      };
  }
}

function buildKey(doc: FurtherKeyDoc): FurtherKey {
  const source = { name: doc.name, ...secret(doc.env, doc.hosted_kv) };
  return doc.scheme === "api_key_header"
    ? { scheme: doc.scheme, header: doc.header, prefix: doc.prefix, ...source }
    : { scheme: doc.scheme, param: doc.param, ...source };
}

function secret(env: string | undefined, hostedKv: string | undefined): SecretSource {
  return { ...given("env", env), ...given("hostedKv", hostedKv) };
}

export function buildOAuth(doc: OAuthDoc): OAuth {
  return {
    provider: doc.provider,
    scopes: mapValues(doc.scopes, (scope) => ({
      label: scope.label,
      notes: scope.notes,
      docsUrl: scope.docs_url,
    })),
    defaultScopeSets: doc.default_scope_sets,
    capabilityRequirements: mapValues(doc.requirements.capabilities, buildRule),
    relationRequirements: mapValues(doc.requirements.relations, buildRule),
  };
}

/** A rule has exactly one of both keys (CAT-113). */
function buildRule(doc: ScopeRuleDoc): ScopeRule {
  const items = (all: readonly (string | ScopeRuleDoc)[]): readonly (string | ScopeRule)[] =>
    all.map((item) => (typeof item === "string" ? item : buildRule(item)));
  return doc.any_of === undefined
    ? { allOf: items(doc.all_of ?? []) }
    : { anyOf: items(doc.any_of) };
}
