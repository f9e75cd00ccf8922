import {
  type AuthMode,
  isTenantName,
  type TokenIssuer,
  type TokenRoles,
} from "@plasm/agent-core/internal";
import { HostStartError, settingIn, type Environment } from "./environment.ts";

/** The application by which people sign in to the console at an identity provider. */
export interface ConsoleProvider {
  /** stands in addresses; `default`, or the name in its settings */
  readonly id: string;
  readonly issuer: string;
  /** how its claims are read */
  readonly of: TokenIssuer;
  readonly clientId: string;
  /** null for a public client */
  readonly clientSecret: string | null;
  /** what is asked for in place of `openid profile email` */
  readonly scope: string | null;
}

const PARTS = [
  "SECRET",
  "JWKS_URL",
  "ISSUER",
  "AUDIENCE",
  "TENANTS",
  "ROLES_CLAIM",
  "SUBJECT_CLAIM",
  "OPERATOR_ROLES",
  "ADMIN_ROLES",
  "AGENT_ROLES",
  "OPERATOR_AUDIENCE",
  "SCOPE",
  "EFFECT_SCOPE",
  "CLIENT_ID",
  "CLIENT_SECRET",
  "CLIENT_SCOPE",
] as const;
type Part = (typeof PARTS)[number];

/** `PLASM_JWT_SECRET` and so on; a name after `JWT_` tells several issuers apart. Where a part itself has two words, it is no name. */
const ISSUER_SETTING = new RegExp(`^PLASM_JWT(?:_([A-Z0-9][A-Z0-9_]*?))??_(${PARTS.join("|")})$`);

/** The settings of one issuer that are set, without blanks around them. */
interface IssuerSettings {
  readonly prefix: string;
  readonly values: ReadonlyMap<Part, string>;
}

/**
 * Returns whose tokens a deployment accepts (SURF-23): `PLASM_JWT_SECRET` or `PLASM_JWT_JWKS_URL`, with `…_ISSUER`,
 * `…_AUDIENCE` (several separated by commas), `…_TENANTS` (`own` or `shared`), the roles that claims give, and scopes; for several
 * issuers `PLASM_JWT_<NAME>_SECRET` and so on. `origin` is where clients meet the server, if that is set. Throws HostStartError, which shows no secret.
 */
export function issuersFrom(env: Environment, origin?: string): readonly TokenIssuer[] {
  const groups = issuerSettingsIn(env);
  const issuers = groups.map((group) => issuerOf(group, origin));
  refuseAlike(groups);
  return issuers;
}

/** Returns where people sign in to the console: issuers with `…_CLIENT_ID` (SURF-40). Throws HostStartError. */
export function providersFrom(env: Environment, origin?: string): readonly ConsoleProvider[] {
  const found = issuerSettingsIn(env).flatMap(
    (group) => providerOf(group, issuerOf(group, origin)) ?? [],
  );
  const names = found.map(({ id }) => id);
  if (new Set(names).size === names.length) return found;
  throw new HostStartError(
    "PLASM_JWT_CLIENT_ID and PLASM_JWT_DEFAULT_CLIENT_ID would have one redirect address. Give the issuer another name than DEFAULT.",
  );
}

/** The application by which people sign in to the console at an issuer (SURF-40); null where none is set. Throws HostStartError. */
function providerOf(group: IssuerSettings, of: TokenIssuer): ConsoleProvider | null {
  const { prefix, values } = group;
  const clientId = values.get("CLIENT_ID");
  if (clientId === undefined) {
    const part = (["CLIENT_SECRET", "CLIENT_SCOPE"] as const).find((one) => values.has(one));
    if (part === undefined) return null;
    throw new HostStartError(`${prefix}_${part} is set, but ${prefix}_CLIENT_ID is not.`);
  }
  const { issuer } = of;
  if (issuer === null || !isTrusted(issuer))
    throw new HostStartError(
      `${prefix}_CLIENT_ID is set, so ${prefix}_ISSUER must be the https address of the identity provider (or one of this machine).`,
    );
  if (of.keys.kind !== "jwks")
    throw new HostStartError(
      `${prefix}_CLIENT_ID is set, so ${prefix}_JWKS_URL must be set in place of ${prefix}_SECRET: what a provider says of people is signed with its own key.`,
    );
  // What signs a person in would be good for an agent, too.
  if ([...of.audiences, ...(of.roles?.audiences ?? [])].includes(clientId))
    throw new HostStartError(
      `${prefix}_CLIENT_ID is also an audience of tokens. Register an application of its own for the console.`,
    );
  return {
    id: prefix.slice("PLASM_JWT".length + 1).toLowerCase() || "default",
    issuer,
    of,
    clientId,
    clientSecret: values.get("CLIENT_SECRET") ?? null,
    scope: values.get("CLIENT_SCOPE") ?? null,
  };
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

const listIn = ({ values }: IssuerSettings, part: Part): readonly string[] =>
  (values.get(part) ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

/** Whose audience is not looked at says so: what was made for another service passes here, too. */
const ANY_AUDIENCE = "any";

/** What `aud` of agents' tokens must name: as set, else the address of MCP, by which clients ask for tokens (RFC 8707). */
function audiencesOf(group: IssuerSettings, origin: string | undefined): readonly string[] {
  const given = listIn(group, "AUDIENCE");
  if (given.includes(ANY_AUDIENCE)) {
    if (given.length === 1) return [];
    throw new HostStartError(`${group.prefix}_AUDIENCE=any stands alone: nothing is looked at.`);
  }
  if (given.length > 0 || origin === undefined) return given;
  // A secret is shared with this server alone: whoever has it makes tokens for it.
  return group.values.has("JWKS_URL") ? [`${origin}/mcp`] : [];
}

/** A remark where applications are set by which nobody signs in. */
export const providerRemarks = (env: Environment, mode: AuthMode): readonly string[] =>
  mode !== "off"
    ? []
    : issuerSettingsIn(env)
        .filter(({ values }) => values.has("CLIENT_ID"))
        .map(
          ({ prefix }) =>
            `${prefix}_CLIENT_ID has no effect while nobody has to say who they are: set PLASM_AUTH to optional or required`,
        );

/**
 * Remarks on issuers whose public keys verify tokens, and who have no audience set: that tokens may have been made for other services,
 * or what they must name in its place.
 */
export const audienceRemarks = (env: Environment, origin?: string): readonly string[] =>
  issuerSettingsIn(env)
    .filter(({ values }) => values.has("JWKS_URL") && !values.has("AUDIENCE"))
    .map(({ prefix }) =>
      origin === undefined
        ? `tokens are taken whatever service they were made for: set PLASM_TRANSPORT_ORIGIN, or ${prefix}_AUDIENCE (any, if that is meant)`
        : `tokens must name ${origin}/mcp as their audience; ${prefix}_AUDIENCE says otherwise`,
    );

/** Who is an operator, an administrator or an agent by the claims of tokens; null where nothing is set. Throws HostStartError. */
function rolesOf(group: IssuerSettings, agents: readonly string[]): TokenRoles | null {
  const { prefix, values } = group;
  const claim = values.get("ROLES_CLAIM") ?? "roles";
  const roles: TokenRoles = {
    claim,
    operators: listIn(group, "OPERATOR_ROLES"),
    admins: listIn(group, "ADMIN_ROLES"),
    agents: listIn(group, "AGENT_ROLES"),
    audiences: listIn(group, "OPERATOR_AUDIENCE"),
  };
  const decides = roles.operators.length + roles.admins.length > 0;
  if (!decides && roles.audiences.length === 0) {
    if (roles.agents.length > 0) return roles;
    if (!values.has("ROLES_CLAIM")) return null;
    throw new HostStartError(
      `${prefix}_ROLES_CLAIM is set, but no role is: set ${prefix}_OPERATOR_ROLES, ${prefix}_ADMIN_ROLES or ${prefix}_AGENT_ROLES.`,
    );
  }
  if (!decides)
    throw new HostStartError(
      `${prefix}_OPERATOR_AUDIENCE is set, but neither ${prefix}_OPERATOR_ROLES nor ${prefix}_ADMIN_ROLES is: nobody would be an operator.`,
    );
  const both = roles.audiences.find((one) => agents.includes(one));
  if (roles.audiences.length > 0 && agents.length > 0 && both === undefined) return roles;
  const why =
    both === undefined
      ? "are both needed with it"
      : `both name ${both}, so that an agent's token would be an operator's`;
  throw new HostStartError(
    `${prefix}_${roles.operators.length > 0 ? "OPERATOR" : "ADMIN"}_ROLES is set: ${prefix}_OPERATOR_AUDIENCE and ${prefix}_AUDIENCE ${why}.`,
  );
}

/** A scope as RFC 6749 writes it. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/;

function scopeOf({ prefix, values }: IssuerSettings, part: "SCOPE" | "EFFECT_SCOPE") {
  const scope = values.get(part);
  if (scope === undefined) return null;
  if (SCOPE.test(scope)) return scope;
  throw new HostStartError(`${prefix}_${part} must be the name of one scope, got "${scope}".`);
}

function issuerOf(group: IssuerSettings, origin: string | undefined): TokenIssuer {
  const { prefix, values } = group;
  const issuer = values.get("ISSUER") ?? null;
  if (issuer !== null && !isTenantName(issuer.replaceAll("|", ""))) {
    throw new HostStartError(`${prefix}_ISSUER must be the name of an issuer, got "${issuer}".`);
  }
  const tenants = values.get("TENANTS") ?? "own";
  if (tenants !== "own" && tenants !== "shared") {
    throw new HostStartError(`${prefix}_TENANTS must be own or shared, got "${tenants}".`);
  }
  const audiences = audiencesOf(group, origin);
  const subjectClaim = values.get("SUBJECT_CLAIM");
  return {
    issuer,
    audiences,
    keys: keysOf(group),
    tenants,
    ...(subjectClaim === undefined ? {} : { subjectClaim }),
    roles: rolesOf(group, audiences),
    scopes: { call: scopeOf(group, "SCOPE"), effects: scopeOf(group, "EFFECT_SCOPE") },
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
export function isTrusted(text: string): boolean {
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
