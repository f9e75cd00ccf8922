import { AUTH_MODES, isTenantName, type AuthMode, type TokenIssuer } from "@plasm/agent-core";
import { HostStartError } from "./host-start-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that says whether callers have to prove who they are. */
const AUTH_SETTING = "PLASM_AUTH";

const PARTS = ["SECRET", "JWKS_URL", "ISSUER", "AUDIENCE", "TENANTS"] as const;
type Part = (typeof PARTS)[number];

/** `PLASM_JWT_SECRET` and the like; a name between them tells several issuers apart. */
const SETTING = new RegExp(`^PLASM_JWT(?:_([A-Z0-9][A-Z0-9_]*?))?_(${PARTS.join("|")})$`);

/** HS256 asks for a key as long as its hash. */
const LEAST_SECRET_BYTES = 32;

/** The settings of one issuer that are set, blanks around them cut. */
interface Group {
  readonly prefix: string;
  readonly values: ReadonlyMap<Part, string>;
}

function groupsIn(env: Environment): readonly Group[] {
  const found = new Map<string, Map<Part, string>>();
  for (const [name, given] of Object.entries(env)) {
    const [whole, id, part] = SETTING.exec(name) ?? [];
    const value = given?.trim() ?? "";
    if (whole === undefined || value === "") continue;
    const prefix = id === undefined ? "PLASM_JWT" : `PLASM_JWT_${id}`;
    const values = found.get(prefix) ?? new Map<Part, string>();
    found.set(prefix, values.set(part as Part, value));
  }
  return [...found].map(([prefix, values]) => ({ prefix, values }));
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** An address whose answer can be trusted: encrypted on its way, or of this machine. */
function isTrusted(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.includes(hostname));
}

function keysOf({ prefix, values }: Group): TokenIssuer["keys"] {
  const [secret, url] = [values.get("SECRET"), values.get("JWKS_URL")];
  if (secret !== undefined && url !== undefined) {
    throw new HostStartError(
      `${prefix}_SECRET and ${prefix}_JWKS_URL are both set. Tokens are checked by one of them: unset the other.`,
    );
  }
  if (secret !== undefined) {
    const bytes = new TextEncoder().encode(secret);
    if (bytes.length >= LEAST_SECRET_BYTES) return { kind: "secret", secret: bytes };
    throw new HostStartError(
      `${prefix}_SECRET has ${bytes.length} bytes; ${LEAST_SECRET_BYTES} at least keep it from being guessed.`,
    );
  }
  if (url === undefined) {
    const [part] = [...values.keys()];
    throw new HostStartError(
      `${prefix}_${part} is set, and neither ${prefix}_SECRET nor ${prefix}_JWKS_URL is.`,
    );
  }
  if (isTrusted(url)) return { kind: "jwks", url };
  throw new HostStartError(
    `${prefix}_JWKS_URL is no https address without user and password, nor one of this machine.`,
  );
}

function tenantsOf({ prefix, values }: Group): TokenIssuer["tenants"] {
  const tenants = values.get("TENANTS") ?? "own";
  if (tenants === "own" || tenants === "shared") return tenants;
  throw new HostStartError(`${prefix}_TENANTS=${tenants} is none of: own, shared.`);
}

function issuerOf(group: Group): TokenIssuer {
  const { prefix, values } = group;
  const issuer = values.get("ISSUER") ?? null;
  if (issuer !== null && !isTenantName(issuer.replaceAll("|", ""))) {
    throw new HostStartError(`${prefix}_ISSUER=${issuer} cannot be the name of an issuer.`);
  }
  const audiences = (values.get("AUDIENCE") ?? "").split(",").map((one) => one.trim());
  return {
    issuer,
    audiences: audiences.filter((one) => one !== ""),
    keys: keysOf(group),
    tenants: tenantsOf(group),
  };
}

/** Which of several issuers a token is of is told by its `iss` alone. */
function refuseAlike(groups: readonly Group[]): void {
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

/**
 * Whose tokens a deployment takes (SURF-23): `PLASM_JWT_SECRET` or `PLASM_JWT_JWKS_URL`, with `…_ISSUER`,
 * `…_AUDIENCE` (several separated by commas) and `…_TENANTS` (`own` or `shared`); for several issuers
 * `PLASM_JWT_<NAME>_SECRET` and so on. Throws HostStartError, which shows no secret.
 */
export function issuersFromEnv(env: Environment): readonly TokenIssuer[] {
  const groups = groupsIn(env);
  const issuers = groups.map(issuerOf);
  refuseAlike(groups);
  return issuers;
}

/** Whether callers have to prove who they are: as given, else as `PLASM_AUTH` says, else not (SESS-8). */
export function authModeFromEnv(env: Environment, given: string | undefined): AuthMode {
  const text = given ?? (env[AUTH_SETTING]?.trim() || "off");
  const mode = AUTH_MODES.find((one) => one === text);
  if (mode !== undefined) return mode;
  const name = given === undefined ? `${AUTH_SETTING}=` : "--auth ";
  throw new HostStartError(`${name}${text} is none of: ${AUTH_MODES.join(", ")}.`);
}
