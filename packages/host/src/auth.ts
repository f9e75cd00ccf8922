import { outboundFetch } from "@plasm/runtime";
import { LOCAL, type Caller, type SessionSecretsOf } from "@plasm/agent-core";
import {
  AUTH_MODES,
  createAuthenticator,
  isExpiredKey,
  isOfIssuer,
  isProven,
  NOBODY,
  type RoleHolders,
  roleHoldersOf,
  tokenVerifier,
  usersSecrets,
  type Authenticator,
  type AuthMode,
  type KeyRing,
  type TokenIssuer,
  type VerifiedToken,
  type VerifyToken,
} from "@plasm/agent-core/internal";
import { choiceIn, HostStartError, settingIn, type Environment } from "./environment.ts";
import type { HostOptions } from "./host-options.ts";
import { type ConsoleProvider, issuersFrom, providersFrom } from "./token-issuers.ts";

/** How a host knows who calls. */
export interface AuthSettings {
  readonly mode: AuthMode;
  readonly issuers: readonly TokenIssuer[];
  /** where people sign in to the console */
  readonly providers: readonly ConsoleProvider[];
  /** who calls while authentication is off */
  readonly local: Caller;
}

/** Reads how callers prove who they are: from the options, else from the environment. Throws HostStartError. */
export function authSettingsFrom(
  env: Environment,
  given: HostOptions["auth"],
  origin?: string,
): AuthSettings {
  const mode = authModeFrom(env, given?.mode);
  const providers = providersFrom(env, origin);
  return {
    mode,
    issuers: issuersFrom(env, origin),
    // Where nobody is asked who calls, the terminal's link signs in.
    providers: mode === "off" ? [] : providers,
    local: given?.open === true ? NOBODY : LOCAL,
  };
}

/** Whether callers have to prove who they are: as given, else as `PLASM_AUTH` says, else not (SESS-8). */
export function authModeFrom(env: Environment, given: string | undefined): AuthMode {
  const text = given ?? (settingIn(env, "PLASM_AUTH") || "off");
  const mode = AUTH_MODES.find((one) => one === text);
  if (mode !== undefined) return mode;
  const name = given === undefined ? "PLASM_AUTH" : "--auth";
  throw new HostStartError(`${name} must be one of ${AUTH_MODES.join(", ")}, got "${text}".`);
}

/** Whom the judges of credentials ask. */
interface Asked {
  /** knows credentials that stand for people whom a provider has signed in to the console */
  readonly signedIn?: (credential: string) => VerifiedToken | null;
  /** how issuers are asked for their keys */
  readonly fetch?: typeof fetch;
}

/** Returns the judges of credentials of a host, for MCP and HTTP alike (SURF-23). Throws HostStartError. */
export async function hostAuthenticator(
  settings: AuthSettings,
  keys: KeyRing,
  { signedIn = () => null, fetch: outbound = outboundFetch(null) }: Asked = {},
): Promise<HostIdentity> {
  await refuseWithoutVerifier(settings, keys);
  const { mode, issuers, local } = settings;
  const verifyToken = tokenVerifier(issuers, { fetch: (url, init) => outbound(url, init) });
  const verify: VerifyToken = async (credential) => signedIn(credential) ?? verifyToken(credential);
  const names = issuers.flatMap(({ issuer }) => (issuer === null ? [] : [issuer]));
  const scopes = issuers.map((one) => one.scopes);
  const tokens = issuers.length === 0 ? undefined : { issuers: names, scopes, verify };
  const decides = issuers.some(
    ({ roles }) => roles !== null && roles.operators.length + roles.admins.length > 0,
  );
  return {
    auth: createAuthenticator({ mode, keys, tokens, local }),
    // Where no issuer names operators, a token is no credential of theirs at all.
    holders: decides ? roleHoldersOf({ keys, tokens }) : keys,
  };
}

/** The keys of a deployment; who sends one is known by its issuers' tokens, too. */
export type HostKeys = Omit<KeyRing, "recordOf"> & RoleHolders;

/** Who calls, and who decides: keys, and tokens by what their claims say. */
export interface HostIdentity {
  readonly auth: Authenticator;
  /** whose credentials of operators and administrators are */
  readonly holders: RoleHolders;
}

/** Whether an issuer's tokens may make somebody an operator of a tenant (OPS-36). */
export const mayHaveTokenOperator =
  (issuers: readonly TokenIssuer[]) =>
  (tenant: string): boolean =>
    issuers.some(
      ({ issuer, tenants, roles }) =>
        (roles?.operators.length ?? 0) > 0 &&
        isProven(tenant) &&
        (tenants === "shared" ||
          (issuer === null ? tenant.includes("|") : isOfIssuer(issuer, tenant))),
    );

/** Where authentication is required, somebody must be able to pass it (SURF-23). Throws HostStartError. */
async function refuseWithoutVerifier(
  { mode, issuers }: AuthSettings,
  keys: KeyRing,
): Promise<void> {
  if (mode !== "required" || issuers.length > 0) return;
  if ((await keys.list()).some((one) => one.role === "agent" && !isExpiredKey(one, Date.now())))
    return;
  throw new HostStartError(
    "Authentication is required, but there is no key and no token issuer, so nobody could call. Make a key: plasm keys add --role agent --tenant TENANT --subject NAME, with the --data of this server; or set PLASM_JWT_SECRET or PLASM_JWT_JWKS_URL.",
  );
}

/** Whose credentials the calls of APIs use, where it is not the deployment's. */
export interface UserSecrets {
  readonly secretsOf?: SessionSecretsOf;
}

/**
 * Whose credentials calls use: the deployment's, or with `PLASM_CREDENTIALS=user` only those of the user who
 * calls or is acted for (SURF-24); always the latter when `strict`. Throws HostStartError.
 */
export function secretsFrom(env: Environment, strict = false): UserSecrets {
  const name = "PLASM_CREDENTIALS";
  const text = settingIn(env, name);
  if (strict && text !== "" && text !== "user") {
    throw new HostStartError(
      `--strict uses the credentials of users, which ${name}=${text} rules out. Unset it, or leave --strict out.`,
    );
  }
  const whose = strict ? "user" : choiceIn(env, name, ["deployment", "user"]);
  return whose === "user" ? { secretsOf: usersSecrets } : {};
}
