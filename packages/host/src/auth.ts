import { LOCAL, type Caller, type SessionSecretsOf } from "@plasm/agent-core";
import {
  AUTH_MODES,
  createAuthenticator,
  isTenantName,
  NOBODY,
  tokenVerifier,
  usersSecrets,
  type Authenticator,
  type AuthMode,
  type KeyRing,
  type TokenIssuer,
} from "@plasm/agent-core/internal";
import { choiceIn, HostStartError, settingIn, type Environment } from "./environment.ts";
import type { HostOptions } from "./host-options.ts";

/** How a host knows who calls. */
export interface AuthSettings {
  readonly mode: AuthMode;
  readonly issuers: readonly TokenIssuer[];
  /** who calls while authentication is off */
  readonly local: Caller;
}

/** Reads how callers prove who they are: from the options, else from the environment. Throws HostStartError. */
export const authSettingsFrom = (env: Environment, given: HostOptions["auth"]): AuthSettings => ({
  mode: authModeFrom(env, given?.mode),
  issuers: issuersFrom(env),
  local: given?.open === true ? NOBODY : LOCAL,
});

/** Whether callers have to prove who they are: as given, else as `PLASM_AUTH` says, else not (SESS-8). */
export function authModeFrom(env: Environment, given: string | undefined): AuthMode {
  const text = given ?? (settingIn(env, "PLASM_AUTH") || "off");
  const mode = AUTH_MODES.find((one) => one === text);
  if (mode !== undefined) return mode;
  const name = given === undefined ? "PLASM_AUTH" : "--auth";
  throw new HostStartError(`${name} must be one of ${AUTH_MODES.join(", ")}, got "${text}".`);
}

/** Returns the judge of credentials of a host, for MCP and HTTP alike (SURF-23). Throws HostStartError. */
export async function hostAuthenticator(
  settings: AuthSettings,
  keys: KeyRing,
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

/** Where authentication is required, somebody must be able to pass it (SURF-23). Throws HostStartError. */
async function refuseWithoutVerifier(
  { mode, issuers }: AuthSettings,
  keys: KeyRing,
): Promise<void> {
  if (mode !== "required" || issuers.length > 0) return;
  if ((await keys.list()).some(({ role }) => role === "agent")) return;
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

const PARTS = ["SECRET", "JWKS_URL", "ISSUER", "AUDIENCE", "TENANTS"] as const;
type Part = (typeof PARTS)[number];

/** `PLASM_JWT_SECRET` and so on; a name after `JWT_` tells several issuers apart. */
const ISSUER_SETTING = new RegExp(`^PLASM_JWT(?:_([A-Z0-9][A-Z0-9_]*?))?_(${PARTS.join("|")})$`);

/** The settings of one issuer that are set, without blanks around them. */
interface IssuerSettings {
  readonly prefix: string;
  readonly values: ReadonlyMap<Part, string>;
}

/**
 * Returns whose tokens a deployment accepts (SURF-23): `PLASM_JWT_SECRET` or `PLASM_JWT_JWKS_URL`, with `…_ISSUER`,
 * `…_AUDIENCE` (several separated by commas) and `…_TENANTS` (`own` or `shared`); for several issuers
 * `PLASM_JWT_<NAME>_SECRET` and so on. Throws HostStartError, which shows no secret.
 */
export function issuersFrom(env: Environment): readonly TokenIssuer[] {
  const groups = issuerSettingsIn(env);
  const issuers = groups.map(issuerOf);
  refuseAlike(groups);
  return issuers;
}

function issuerSettingsIn(env: Environment): readonly IssuerSettings[] {
  const found = new Map<string, Map<Part, string>>();
  for (const name of Object.keys(env)) {
    const [whole, id, part] = ISSUER_SETTING.exec(name) ?? [];
    const value = settingIn(env, name);
    if (whole === undefined || value === "") continue;
    const prefix = id === undefined ? "PLASM_JWT" : `PLASM_JWT_${id}`;
    const values = found.get(prefix) ?? new Map<Part, string>();
    found.set(prefix, values.set(part as Part, value));
  }
  return [...found].map(([prefix, values]) => ({ prefix, values }));
}

function issuerOf(group: IssuerSettings): TokenIssuer {
  const { prefix, values } = group;
  const issuer = values.get("ISSUER") ?? null;
  if (issuer !== null && !isTenantName(issuer.replaceAll("|", ""))) {
    throw new HostStartError(`${prefix}_ISSUER must be the name of an issuer, got "${issuer}".`);
  }
  const tenants = values.get("TENANTS") ?? "own";
  if (tenants !== "own" && tenants !== "shared") {
    throw new HostStartError(`${prefix}_TENANTS must be own or shared, got "${tenants}".`);
  }
  const audiences = (values.get("AUDIENCE") ?? "").split(",").map((one) => one.trim());
  return {
    issuer,
    audiences: audiences.filter((one) => one !== ""),
    keys: keysOf(group),
    tenants,
  };
}

/** HS256 requires a key as long as its hash. */
const LEAST_SECRET_BYTES = 32;

function keysOf({ prefix, values }: IssuerSettings): TokenIssuer["keys"] {
  const [secret, url] = [values.get("SECRET"), values.get("JWKS_URL")];
  if (secret !== undefined && url !== undefined) {
    throw new HostStartError(
      `${prefix}_SECRET and ${prefix}_JWKS_URL are both set, but tokens are checked by one of them. Unset the other.`,
    );
  }
  if (secret !== undefined) {
    const bytes = new TextEncoder().encode(secret);
    if (bytes.length >= LEAST_SECRET_BYTES) return { kind: "secret", secret: bytes };
    throw new HostStartError(
      `${prefix}_SECRET has ${bytes.length} bytes; at least ${LEAST_SECRET_BYTES} are required, so that it cannot be guessed.`,
    );
  }
  if (url === undefined) {
    const [part] = [...values.keys()];
    throw new HostStartError(
      `${prefix}_${part} is set, but neither ${prefix}_SECRET nor ${prefix}_JWKS_URL is.`,
    );
  }
  if (isTrusted(url)) return { kind: "jwks", url };
  throw new HostStartError(
    `${prefix}_JWKS_URL must be an https address without user and password, or an address of this machine.`,
  );
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Whether an answer of this address can be trusted: it is encrypted, or comes from this machine. */
function isTrusted(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.includes(hostname));
}

/** Only its `iss` says which of several issuers a token is from. */
function refuseAlike(groups: readonly IssuerSettings[]): void {
  if (groups.length < 2) return;
  const seen = new Set<string>();
  for (const { prefix, values } of groups) {
    const issuer = values.get("ISSUER");
    if (issuer === undefined) {
      throw new HostStartError(
        `${prefix}_ISSUER is not set. With several issuers each needs its own, which tokens name as iss.`,
      );
    }
    if (seen.has(issuer)) throw new HostStartError(`${prefix}_ISSUER=${issuer} is set twice.`);
    seen.add(issuer);
  }
}
