import type { JWTPayload } from "jose";
import { fail, type Failure } from "../errors/problem.ts";
import type { KeyRole } from "../records/sessions.ts";
import type { Caller } from "./caller.ts";

/** Which claim of an issuer's tokens says what their bearer is here, and by which values (SURF-23). */
export interface TokenRoles {
  /** a claim by its whole name, else a path whose parts have dots between them */
  readonly claim: string;
  readonly operators: readonly string[];
  readonly admins: readonly string[];
  /** whose tokens call as agents; everybody's where it is empty */
  readonly agents: readonly string[];
  /**
   * What `aud` of operators' and administrators' tokens names, and that of no agent's does: the token that an agent holds decides
   * nothing, whoever its user is.
   */
  readonly audiences: readonly string[];
}

/** Scopes that tokens need: to call at all, and to run what changes something; null where none is asked for. */
export interface TokenScopes {
  readonly call: string | null;
  readonly effects: string | null;
}

/** What a token makes of its bearer. */
export interface TokenRights {
  readonly roles: readonly KeyRole[];
  readonly readsOnly: Caller["readsOnly"];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a claim; names with dots in them, such as addresses, come before paths. */
function claimIn(payload: JWTPayload, claim: string): unknown {
  if (Object.hasOwn(payload, claim)) return payload[claim];
  let value: unknown = payload;
  for (const part of claim.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** The texts of a claim that is one text or a list of them; anything else says nothing. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value)
    ? (value as readonly unknown[]).filter((one) => typeof one === "string")
    : [];
}

const names = (value: readonly string[], some: readonly string[]): boolean =>
  value.some((one) => some.includes(one));

const noRole = (): Failure =>
  fail(
    "plasm-policy-denied",
    "This token gives its bearer no role here. Whoever manages its issuer can say which roles it has.",
  );

/** Which of these roles somebody has who holds such values. */
const rolesOf = (
  held: readonly string[],
  { operators, admins }: TokenRoles,
): readonly KeyRole[] => [
  ...(names(held, operators) ? (["operator"] as const) : []),
  ...(names(held, admins) ? (["admin"] as const) : []),
];

/**
 * What a person is here who has signed in at a page of ours: all that the claims say, since no agent holds what proves it; as an agent, within
 * the scopes that were granted. Throws plasm-policy-denied or plasm-insufficient-scope where that is nothing.
 */
export function rightsOfPerson(
  claims: JWTPayload,
  granted: string,
  roles: TokenRoles | null,
  scopes: TokenScopes,
): TokenRights {
  const found = rolesOfPerson(claims, roles);
  if (!found.includes("agent")) return { roles: found, readsOnly: undefined };
  try {
    return { roles: found, readsOnly: readsOnlyIn({ scope: granted }, scopes) };
  } catch (thrown) {
    const others = found.filter((role) => role !== "agent");
    if (others.length === 0) throw thrown;
    return { roles: others, readsOnly: undefined };
  }
}

function rolesOfPerson(claims: JWTPayload, roles: TokenRoles | null): readonly KeyRole[] {
  if (roles === null) return ["agent"];
  const held = textsOf(claimIn(claims, roles.claim));
  const isAgent = roles.agents.length === 0 || names(held, roles.agents);
  const found = [...(isAgent ? (["agent"] as const) : []), ...rolesOf(held, roles)];
  if (found.length > 0) return found;
  throw fail(
    "plasm-policy-denied",
    `You have no role here: ${roles.claim} of what your identity provider says names none that this server knows. Whoever manages it can give you one.`,
  );
}

/** The scopes of a token: `scope` as RFC 9068 has it, else `scp`, which some issuers write as a list. */
function scopesIn(payload: JWTPayload): readonly string[] {
  const given = payload["scope"] ?? payload["scp"];
  return typeof given === "string" ? given.split(" ") : textsOf(given);
}

/** The error of a credential that may not do what was asked; `scope` names all that it would need (RFC 6750). */
export const insufficientScope = (text: string, scope: string | null): Failure =>
  fail("plasm-insufficient-scope", text, {
    meta: { error: { code: "plasm-insufficient-scope", ...(scope === null ? {} : { scope }) } },
  });

/** Both scopes as one text: who asks for what lacks asks for what is needed besides, too. */
const wholeScope = ({ call, effects }: TokenScopes): string =>
  [call, effects].filter((one) => one !== null).join(" ");

function readsOnlyIn(payload: JWTPayload, scopes: TokenScopes): Caller["readsOnly"] {
  const { call, effects } = scopes;
  const granted = scopesIn(payload);
  if (call !== null && !granted.includes(call) && !(effects !== null && granted.includes(effects)))
    throw insufficientScope(`The token lacks the scope ${call}, which calls need.`, call);
  if (effects === null || granted.includes(effects)) return undefined;
  return { lacks: effects, stepUp: wholeScope(scopes) };
}

/**
 * What a token whose signature and audience are good makes of its bearer. Throws plasm-policy-denied where it has no role, and
 * plasm-insufficient-scope.
 */
export function rightsIn(
  payload: JWTPayload,
  audiences: readonly string[],
  roles: TokenRoles | null,
  scopes: TokenScopes,
): TokenRights {
  if (roles === null) return { roles: ["agent"], readsOnly: readsOnlyIn(payload, scopes) };
  const audience = textsOf(payload.aud);
  const held = textsOf(claimIn(payload, roles.claim));
  if (names(audience, roles.audiences)) {
    // One that serves both would let an agent approve what it asks for.
    if (names(audience, audiences)) throw noRole();
    const found = rolesOf(held, roles);
    if (found.length === 0) throw noRole();
    return { roles: found, readsOnly: undefined };
  }
  if (roles.agents.length > 0 && !names(held, roles.agents)) throw noRole();
  return { roles: ["agent"], readsOnly: readsOnlyIn(payload, scopes) };
}
