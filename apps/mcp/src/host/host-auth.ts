import {
  createAuthenticator,
  tokenVerifier,
  usersSecrets,
  type Authenticator,
  type AuthMode,
  type Caller,
  type Keys,
  type SessionSecretsOf,
  type TokenIssuer,
} from "@plasm/agent-core";
import { HostStartError } from "./host-start-error.ts";

/** How a host knows who calls. */
export interface AuthSettings {
  readonly mode: AuthMode;
  readonly issuers: readonly TokenIssuer[];
  /** who calls while authentication is off */
  readonly local: Caller;
}

/** Where everybody has to prove who they are, somebody must be able to (SURF-23). Throws HostStartError. */
async function refuseWithoutVerifier({ mode, issuers }: AuthSettings, keys: Keys): Promise<void> {
  if (mode !== "required" || issuers.length > 0) return;
  if ((await keys.list()).some(({ role }) => role === "agent")) return;
  throw new HostStartError(
    "Authentication is required, and nobody could prove who they are. Make a key: plasm keys add --role agent --tenant TENANT --subject NAME, with the --data of this server; or set PLASM_JWT_SECRET or PLASM_JWT_JWKS_URL.",
  );
}

/** The judge of credentials of a host, for MCP and HTTP alike (SURF-23). Throws HostStartError. */
export async function hostAuthenticator(
  settings: AuthSettings,
  keys: Keys,
): Promise<Authenticator> {
  await refuseWithoutVerifier(settings, keys);
  const { mode, issuers, local } = settings;
  const verify = tokenVerifier(issuers, { fetch: (url, init) => fetch(url, init) });
  const names = issuers.flatMap(({ issuer }) => (issuer === null ? [] : [issuer]));
  return createAuthenticator({
    mode,
    keys,
    tokens: issuers.length === 0 ? undefined : { issuers: names, verify },
    local,
  });
}

/** The variable that says whose credentials calls of APIs use. */
const CREDENTIALS_SETTING = "PLASM_CREDENTIALS";

/**
 * Whose credentials calls use: the deployment's, or with `PLASM_CREDENTIALS=user` those of the user who
 * calls or is acted for, and nothing else (SURF-24); those alone where it is `strict`. Throws HostStartError.
 */
export function secretsFromEnv(
  env: Readonly<Record<string, string | undefined>>,
  strict = false,
): {
  readonly secretsOf?: SessionSecretsOf;
} {
  const text = env[CREDENTIALS_SETTING]?.trim() ?? "";
  if (strict) {
    if (text === "" || text === "user") return { secretsOf: usersSecrets };
    throw new HostStartError(
      `--strict uses the credentials of users, and ${CREDENTIALS_SETTING}=${text} does not. Unset it, or leave --strict out.`,
    );
  }
  if (text === "" || text === "deployment") return {};
  if (text === "user") return { secretsOf: usersSecrets };
  throw new HostStartError(`${CREDENTIALS_SETTING}=${text} is none of: deployment, user.`);
}
