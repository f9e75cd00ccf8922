import { fail } from "../errors/problem.ts";
import type { KeyRecord, KeyRole } from "../records/sessions.ts";
import type { StoreOps } from "../store-port.ts";
import { type Caller, LOCAL, NOBODY } from "./caller.ts";
import { keyById, type KeyRing, looksLikeKey, type RoleHolders } from "./keys.ts";
import { isProven, NOBODYS_SCOPE, tenantForm } from "./tenant-scope.ts";
import type { TokenScopes } from "./token-claims.ts";
import type { VerifyToken } from "./tokens.ts";

/** Whether callers have to prove who they are (SURF-23). */
export const AUTH_MODES = ["off", "optional", "required"] as const;
/** Whether callers prove who they are, and how (SURF-23). */
export type AuthMode = (typeof AUTH_MODES)[number];

/** What a request says of who sends it, in its headers. */
export interface Presented {
  get(name: string): string | null;
}

/** Who sends a request, and how that is known (SURF-16). */
export interface ProvenIdentity {
  readonly caller: Caller;
  readonly method: "none" | "api_key" | "jwt";
  /** what the credential is for; programs are for agents */
  readonly role: KeyRole;
}

/** The one judge of credentials, for MCP over HTTP and HTTP alike (SURF-23). */
export interface Authenticator {
  readonly mode: AuthMode;
  /** issuers whose tokens are accepted, as clients are told */
  readonly issuers: readonly string[];
  /** scopes that their tokens need, as clients are told */
  readonly scopes: readonly TokenScopes[];
  /** Who sends these headers. Throws plasm-unauthenticated. */
  identify(headers: Presented): Promise<ProvenIdentity>;
  /** The same for whoever calls tools or runs programs. Throws plasm-policy-denied for other keys, too. */
  agentOf(headers: Presented): Promise<ProvenIdentity>;
  /** Whose credential these headers send, whatever its role is; null for none, and for one that is not good. */
  holderOf(headers: Presented): Promise<Caller | null>;
}

const HOW = "Send an API key as X-API-Key, or a token as Authorization: Bearer.";
const BEARER = /^bearer +(\S+) *$/i;

const unknownKey = () =>
  fail("plasm-unauthenticated", `This API key is not known here, or has expired. ${HOW}`);

/** A caller that proved nothing where others do; its surface tells it apart if it can (SESS-8). */
const ANONYMOUS: ProvenIdentity = Object.freeze({
  caller: Object.freeze({ ...NOBODY, scope: NOBODYS_SCOPE, anonymous: true }),
  method: "none",
  role: "agent",
});

/** Whoever the key of an agent stands for now, by its id; null where there is no such key any more. */
export async function holderOfKey(store: StoreOps, id: string): Promise<Caller | null> {
  const record = await keyById(store, id);
  return record?.role === "agent" && isProven(record.tenant) ? ofKey(record).caller : null;
}

/** Whoever a key stands for. A tenant that callers without proof have is no agent's. */
function ofKey(record: KeyRecord): ProvenIdentity {
  const { id, tenant, subject, role, actAs, service, scopes } = record;
  if (role === "agent" && !isProven(tenant)) throw unknownKey();
  const caller: Caller = {
    scope: tenantForm(tenant),
    subject,
    connection: null,
    credential: { kind: "key", id },
    ...(actAs === undefined ? {} : { actAs }),
    ...(service === undefined ? {} : { service }),
    ...(scopes === undefined || scopes.includes("effects")
      ? {}
      : { readsOnly: { lacks: "effects", stepUp: null } }),
  };
  return { caller, method: "api_key", role };
}

function agentOnly(identity: ProvenIdentity): ProvenIdentity {
  const { role } = identity;
  if (role === "agent") return identity;
  const what = identity.method === "jwt" ? "token" : "key";
  const text = `This ${what} is of an ${role} and calls nothing as an agent. Send the ${what} of an agent.`;
  throw fail("plasm-policy-denied", text);
}

/** What an authenticator knows callers by. */
export interface AuthenticatorOptions {
  readonly mode: AuthMode;
  readonly keys: Pick<KeyRing, "recordOf">;
  /** issuers as clients are told, and what checks their tokens; no token is accepted without it */
  readonly tokens?:
    | {
        readonly issuers: readonly string[];
        /** scopes that clients may ask their issuer for */
        readonly scopes?: readonly TokenScopes[];
        readonly verify: VerifyToken;
      }
    | undefined;
  /** who every caller is while authentication is off */
  readonly local?: Caller;
}

async function proven(
  { keys, tokens }: AuthenticatorOptions,
  key: string | null,
  authorization: string | null,
): Promise<ProvenIdentity> {
  const given = key ?? BEARER.exec(authorization ?? "")?.[1];
  if (given === undefined) {
    throw fail("plasm-unauthenticated", `This credential is of a kind that is not taken. ${HOW}`);
  }
  if (key !== null || looksLikeKey(given)) {
    const record = await keys.recordOf(given);
    if (record === null) throw unknownKey();
    return ofKey(record);
  }
  if (tokens === undefined) throw fail("plasm-unauthenticated", `No tokens are taken here. ${HOW}`);
  const { caller, roles } = await tokens.verify(given);
  return { caller, method: "jwt", role: roles[0] ?? "agent" };
}

/** Who sends a credential of an operator or administrator: a key, or a token whose claims give it that role (SURF-23). */
export const roleHoldersOf = ({
  keys,
  tokens,
}: Pick<AuthenticatorOptions, "keys" | "tokens">): RoleHolders => ({
  recordOf: async (credential) => {
    if (looksLikeKey(credential) || tokens === undefined) return keys.recordOf(credential);
    const { caller, roles } = await tokens.verify(credential);
    const { scope: tenant, subject } = caller;
    return subject === null ? null : { tenant, subject, role: roles[0] ?? "agent", roles };
  },
});

/**
 * Makes the judge of credentials (SURF-23, SESS-8). `X-API-Key` is looked at first, then Bearer, which may
 * hold a key, too. A credential that is not good is refused, also where none is needed.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { mode, tokens, local = LOCAL } = options;
  const identify: Authenticator["identify"] = async (headers) => {
    if (mode === "off") return { caller: local, method: "none", role: "agent" };
    const [key, authorization] = [headers.get("x-api-key"), headers.get("authorization")];
    if (key !== null || authorization !== null) return proven(options, key, authorization);
    if (mode === "optional") return ANONYMOUS;
    throw fail("plasm-unauthenticated", `Callers have to say who they are. ${HOW}`);
  };
  return {
    mode,
    issuers: tokens?.issuers ?? [],
    scopes: tokens?.scopes ?? [],
    identify,
    agentOf: async (headers) => agentOnly(await identify(headers)),
    holderOf: async (headers) => {
      const [key, authorization] = [headers.get("x-api-key"), headers.get("authorization")];
      if (key === null && authorization === null) return null;
      return proven(options, key, authorization).then(
        ({ caller }) => caller,
        () => null,
      );
    },
  };
}

/** The judge of a server that asks nobody who calls. */
export const noAuthentication = (local: Caller = LOCAL): Authenticator =>
  createAuthenticator({ mode: "off", keys: { recordOf: async () => null }, local });
