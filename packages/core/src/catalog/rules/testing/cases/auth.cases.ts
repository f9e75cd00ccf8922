import type { BrokenCase } from "../broken-case.ts";

const oauth = (rest: string): string => `auth: {scheme: oauth_bearer, env: T}
oauth:
  provider: post
  scopes: {parcels.read: {label: Read}}
${rest}`;

const requirement = (rule: string): string =>
  oauth(`  requirements: {capabilities: {parcel_get: ${rule}}}`);

const AT = "oauth.requirements.capabilities.parcel_get";

/** Faults of CAT-002, CAT-003, CAT-005, CAT-110, CAT-111, CAT-112, CAT-113, CAT-114, CAT-115. */
export const authCases: readonly BrokenCase[] = [
  {
    rule: "CAT-002",
    when: "an unknown scheme",
    patch: { top: "auth: {scheme: «bearer», env: T}" },
    at: "auth.scheme",
    says: ['"bearer"', "(nearest: bearer_token)", "oauth2_client_credentials", "none"],
  },
  {
    rule: "CAT-003",
    when: "a missing header",
    patch: { top: "«auth»: {scheme: api_key_header, env: T}" },
    at: "auth.header",
    says: ["header", "text"],
  },
  {
    rule: "CAT-110",
    when: "a scheme without secret",
    patch: { top: "auth: {scheme: «bearer_token»}" },
    at: "auth.scheme",
    says: ["bearer_token", "env, hosted_kv"],
  },
  {
    rule: "CAT-110",
    when: "two sources of a client id",
    patch: {
      top: "auth: {scheme: oauth2_client_credentials, token_url: https://x.example, client_id_env: A, «client_id_hosted_kv»: 'plasm:outbound:a', client_secret_env: B}",
    },
    at: "auth.client_id_hosted_kv",
    says: ["client id", "client_id_env and client_id_hosted_kv", "exactly one"],
  },
  {
    rule: "CAT-110",
    when: "a secret where the name of its variable belongs",
    patch: { top: "auth: {scheme: bearer_token, «env»: 'Bearer s3cr3t'}" },
    at: "auth.env",
    says: ["What env holds is no name of a variable", "never in a catalog"],
    severity: "warning",
  },
  {
    rule: "CAT-110",
    when: "a further key without secret",
    patch: {
      top: "auth: {scheme: bearer_token, env: A, also: [{name: app, scheme: «api_key_query», param: app}]}",
    },
    at: "auth.also[0].scheme",
    says: ["api_key_query", "env, hosted_kv"],
  },
  {
    rule: "CAT-114",
    when: "a further key that is called like a part of the credential",
    patch: {
      top: "auth: {scheme: bearer_token, env: A, also: [{name: «client_id», scheme: api_key_query, param: app, env: B}]}",
    },
    at: "auth.also[0].name",
    says: ["client_id", "small letters"],
  },
  {
    rule: "CAT-114",
    when: "two keys of one name",
    patch: {
      top: "auth: {scheme: bearer_token, env: A, also: [{name: app, scheme: api_key_query, param: app, env: B}, {name: «app», scheme: api_key_query, param: b, env: C}]}",
    },
    at: "auth.also[1].name",
    says: ["name app", "of its own"],
  },
  {
    rule: "CAT-114",
    when: "a further key in the header of the first",
    patch: {
      top: "auth: {scheme: bearer_token, env: A, also: [{name: app, scheme: api_key_header, header: «authorization», env: B}]}",
    },
    at: "auth.also[0].header",
    says: ["header authorization", "of its own"],
  },
  {
    rule: "CAT-111",
    when: "a hosted key without prefix",
    patch: { top: "auth: {scheme: bearer_token, hosted_kv: «mine»}" },
    at: "auth.hosted_kv",
    says: ["mine", "plasm:outbound:"],
  },
  {
    rule: "CAT-112",
    when: "oauth beside scheme none",
    patch: { top: "«oauth»: {provider: post}" },
    at: "oauth",
    says: ["oauth", "none"],
  },
  {
    rule: "CAT-113",
    when: "a blank provider",
    patch: { top: 'auth: {scheme: oauth_bearer, env: T}\noauth: {provider: «" "»}' },
    at: "oauth.provider",
    says: ["blank"],
  },
  {
    rule: "CAT-113",
    when: "a requirement of an unknown capability",
    patch: {
      top: oauth("  requirements: {capabilities: {«parcel_gt»: {any_of: [parcels.read]}}}"),
    },
    at: "oauth.requirements.capabilities.parcel_gt",
    says: ["parcel_gt", "(nearest: parcel_get)", "Declared scopes: parcels.read"],
  },
  {
    rule: "CAT-113",
    when: "a requirement of an unknown relation",
    patch: {
      relations: "origin: {target: Depot, cardinality: one}",
      top: oauth("  requirements: {relations: {«Parcel.origins»: {any_of: [parcels.read]}}}"),
    },
    at: 'oauth.requirements.relations["Parcel.origins"]',
    says: ["Parcel.origins", "(nearest: Parcel.origin)", "parcels.read"],
  },
  {
    rule: "CAT-113",
    when: "both any_of and all_of",
    patch: {
      top: oauth(
        "  requirements: {capabilities: {«parcel_get»: {any_of: [parcels.read], all_of: [parcels.read]}}}",
      ),
    },
    at: AT,
    says: ["any_of and all_of", "exactly one", "parcels.read"],
  },
  {
    rule: "CAT-113",
    when: "an empty any_of",
    patch: { top: requirement("{any_of: «[]»}") },
    at: `${AT}.any_of`,
    says: ["empty any_of", "parcels.read"],
  },
  {
    rule: "CAT-113",
    when: "an undeclared scope, nested",
    patch: { top: requirement("{any_of: [{all_of: [«parcels.reed»]}]}") },
    at: `${AT}.any_of[0].all_of[0]`,
    says: ["parcels.reed", "(nearest: parcels.read)", "Declared scopes: parcels.read"],
  },
  {
    rule: "CAT-115",
    when: "an issuer that is not https",
    patch: { top: oauth("  issuer: «http://id.example»") },
    at: "oauth.issuer",
    says: ["issuer http://id.example", "an https address"],
  },
  {
    rule: "CAT-115",
    when: "an address to sign in at without one for tokens",
    patch: { top: oauth("  «authorize_url»: https://id.example/authorize") },
    at: "oauth.authorize_url",
    says: ["authorize_url without issuer", "answers name it"],
  },
  {
    rule: "CAT-115",
    when: "an address to sign in at without the name that its answers bear",
    patch: {
      top: oauth(
        "  «authorize_url»: https://id.example/authorize\n  token_url: https://id.example/token",
      ),
    },
    at: "oauth.authorize_url",
    says: ["authorize_url without issuer", "answers name it"],
  },
  {
    rule: "CAT-115",
    when: "an address for devices without one for tokens",
    patch: { top: oauth("  «device_url»: https://id.example/device") },
    at: "oauth.device_url",
    says: ["device_url without token_url", "issuer"],
  },
  {
    rule: "CAT-005",
    when: "an undeclared scope in a scope set",
    patch: { top: oauth("  default_scope_sets: {all: {scopes: [«write»]}}") },
    at: "oauth.default_scope_sets.all.scopes[0]",
    says: ["OAuth scope", "write", "parcels.read"],
  },
];
