import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import { fail, type Failure } from "../errors/problem.ts";
import type { KeyRole } from "../records/sessions.ts";
import type { Caller } from "./caller.ts";
import { rightsIn, rightsOfPerson, type TokenRoles, type TokenScopes } from "./token-claims.ts";
import {
  isProven,
  isTenantName,
  scopeOfIssuersTenant,
  scopeOfSubject,
  tenantForm,
} from "./tenant-scope.ts";

/** Fetches a document over HTTP; what hosts give is their `fetch`. */
export type FetchDocument = (url: string, init: RequestInit) => Promise<Response>;

/** What the keys of issuers are fetched with. Times in ms. */
export interface KeyFetching {
  readonly fetch: FetchDocument;
  /** how long after a fetch an unknown key, or a failure, causes no other */
  readonly cooldownMs?: number;
  /** how long fetched keys are used without asking again */
  readonly maxAgeMs?: number;
}

const COOLDOWN_MS = 30_000;
const MAX_AGE_MS = 600_000;
const TIMEOUT_MS = 5_000;
/** A clock that has moved by more than this beside the other one was set. */
const STEP_MS = 1_000;
const OK = 200;

/** How far the clock that can be set is from the one that cannot. */
const clockOffset = (): number => Date.now() - performance.now();

/** The keys of an issuer cannot be had: that says nothing of a token. */
class KeysUnavailableError extends Error {
  override readonly name = "KeysUnavailableError";
}

/** Faults of the key set itself, or of its way here; jose has no class of its own for all of them. */
const OF_KEY_SET: readonly string[] = [
  errors.JOSEError.code,
  errors.JWKSInvalid.code,
  errors.JWKSTimeout.code,
];

/**
 * The public keys at a JWKS address (SURF-23): cached, fetched again when they are old or a token names one
 * that is not among them, but not more often than every `cooldownMs`. Throws KeysUnavailableError.
 */
function issuerKeys(url: string, { fetch, ...times }: KeyFetching): JWTVerifyGetKey {
  const { cooldownMs = COOLDOWN_MS, maxAgeMs = MAX_AGE_MS } = times;
  let failedAt = -Infinity;
  const fetchKeys = async (address: string, init: RequestInit): Promise<Response> => {
    if (performance.now() - failedAt < cooldownMs) throw new KeysUnavailableError(url);
    try {
      const response = await fetch(address, init);
      if (response.status === OK) return response;
      await response.body?.cancel();
    } catch (cause) {
      failedAt = performance.now();
      throw new KeysUnavailableError(url, { cause });
    }
    failedAt = performance.now();
    throw new KeysUnavailableError(url);
  };
  const begin = (): JWTVerifyGetKey =>
    createRemoteJWKSet(new URL(url), {
      cooldownDuration: cooldownMs,
      cacheMaxAge: maxAgeMs,
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: fetchKeys,
    });
  let keys = begin();
  let clock = clockOffset();
  return async (header, token) => {
    // jose counts the age of keys by a clock that may be set: back by an hour, it would not ask for new ones for an hour.
    if (Math.abs(clockOffset() - clock) > STEP_MS) {
      clock = clockOffset();
      keys = begin();
    }
    try {
      return await keys(header, token);
    } catch (thrown) {
      if (!(thrown instanceof errors.JOSEError)) throw thrown;
      if (!OF_KEY_SET.includes(thrown.code)) throw thrown;
      throw new KeysUnavailableError(url, { cause: thrown });
    }
  };
}

/** Whose tokens are accepted, and what of them is checked (SURF-23). */
export interface TokenIssuer {
  /** what `iss` must be; tokens of any, or of none, without it */
  readonly issuer: string | null;
  /** one of which `aud` must name; none is looked at without any */
  readonly audiences: readonly string[];
  /** a secret of 32 bytes at least for HS256, or the address of a JWKS for RS256 and ES256 */
  readonly keys:
    | { readonly kind: "secret"; readonly secret: Uint8Array }
    | { readonly kind: "jwks"; readonly url: string };
  /** `shared`: its tenants are those of keys, and of other such issuers, by name; else its own alone */
  readonly tenants: "own" | "shared";
  /** the claim that names the user, `sub` without it */
  readonly subjectClaim?: string;
  /** who is an operator, an administrator or an agent; all are agents without it */
  readonly roles: TokenRoles | null;
  readonly scopes: TokenScopes;
}

/** Whose a token is, and what for. */
export interface VerifiedToken {
  readonly caller: Caller;
  readonly roles: readonly KeyRole[];
}

/**
 * Makes a caller of a token. Throws plasm-unauthenticated, plasm-policy-denied, plasm-insufficient-scope, or plasm-upstream-error
 * without the issuer's keys.
 */
export type VerifyToken = (token: string) => Promise<VerifiedToken>;

/** Clocks of issuers may differ by so many seconds. */
const TOLERANCE_S = 5;
/** A token that would be good for longer was made by mistake, and could not be taken back for as long. */
const LONGEST_DAYS = 366;
const DAY_S = 86_400;
const TENANT_CLAIMS = ["tenant_id", "tid", "tenant"] as const;
/** What stands for the issuer in a scope where a token names none. */
const NO_ISSUER = "jwt";
/** A name that people can tell from others: no blank at its ends, nothing that is not seen or turns the writing round. */
const SUBJECT = /^(?!\s)[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,255}(?<!\s)$/u;

const refuse = (why: string): Failure =>
  fail("plasm-unauthenticated", `The token is not accepted: ${why}.`);

/** What is wrong with a token, in words of which none is the token's. */
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return "it has expired";
  if (error instanceof errors.JWTClaimValidationFailed) {
    const known = ["exp", "nbf", "iss", "aud", "sub", "iat"].find((name) => name === error.claim);
    if (known === undefined) return "its claims are not in order";
    return error.reason === "missing" ? `it has no ${known}` : `its ${known} is not right here`;
  }
  if (error instanceof errors.JWKSNoMatchingKey) return "its key is none of the issuer's";
  if (error instanceof errors.JOSEAlgNotAllowed) return "its algorithm is not taken";
  return "it is no token that was signed for this server";
}

const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The tenant that a token names, in the order of SURF-23; null if it names none. */
function tenantIn(payload: JWTPayload): string | null {
  const claim = TENANT_CLAIMS.find((name) => payload[name] !== undefined && payload[name] !== null);
  if (claim === undefined) return null;
  const name = textOr(payload[claim]);
  if (name !== null && isTenantName(name)) return tenantForm(name);
  throw refuse(`its ${claim} cannot be the name of a tenant`);
}

function actAsIn({ act_as: given }: JWTPayload): readonly string[] {
  if (!Array.isArray(given)) return [];
  return given.filter((user): user is string => typeof user === "string" && SUBJECT.test(user));
}

/** Whom claims are of that are known to be true. */
function callerIn(of: TokenIssuer, payload: JWTPayload): Caller & { readonly subject: string } {
  const { issuer, tenants } = of;
  const claim = of.subjectClaim ?? "sub";
  const subject: unknown = payload[claim];
  if (typeof subject !== "string") throw refuse(`its ${claim} is not text`);
  if (!SUBJECT.test(subject)) throw refuse(`its ${claim} cannot be the name of a user`);
  if (claim === "email" && payload["email_verified"] === false)
    throw refuse("its email is not verified, so that anybody could have taken it");
  const ahead = (payload.exp ?? Infinity) - Date.now() / 1000;
  if (!(ahead <= LONGEST_DAYS * DAY_S)) {
    throw refuse(`its exp is more than ${LONGEST_DAYS} days ahead`);
  }
  const tenant = tenantIn(payload);
  const from = issuer ?? textOr(payload.iss) ?? NO_ISSUER;
  const named = (name: string): string =>
    tenants === "shared" ? name : scopeOfIssuersTenant(from, name);
  const scope = tenant === null ? scopeOfSubject(from, subject) : named(tenant);
  if (!isProven(scope)) throw refuse("its iss cannot be the name of an issuer");
  const actAs = actAsIn(payload);
  return {
    scope,
    subject,
    connection: null,
    credential: { kind: "token" },
    ...(actAs.length === 0 ? {} : { actAs }),
    ...(payload["service"] === true ? { service: true } : {}),
  };
}

function verified(of: TokenIssuer, payload: JWTPayload): VerifiedToken {
  const caller = callerIn(of, payload);
  const { roles, readsOnly } = rightsIn(payload, of.audiences, of.roles, of.scopes);
  return { caller: { ...caller, ...(readsOnly === undefined ? {} : { readsOnly }) }, roles };
}

interface Verifier {
  readonly of: TokenIssuer;
  readonly verify: (token: string) => Promise<JWTPayload>;
}

function verifierOf(
  of: TokenIssuer,
  {
    audiences,
    subjectClaim,
  }: { readonly audiences: readonly string[]; readonly subjectClaim: string },
  fetching: KeyFetching,
): Verifier {
  const { issuer, keys } = of;
  const key: JWTVerifyGetKey =
    keys.kind === "secret" ? async () => keys.secret : issuerKeys(keys.url, fetching);
  const options = {
    algorithms: keys.kind === "secret" ? ["HS256"] : ["RS256", "ES256"],
    requiredClaims: ["exp", subjectClaim],
    clockTolerance: TOLERANCE_S,
    ...(issuer === null ? {} : { issuer }),
    ...(audiences.length === 0 ? {} : { audience: [...audiences] }),
  };
  return { of, verify: async (token) => (await jwtVerify(token, key, options)).payload };
}

/** The issuer that a token says it is of; it is believed only once its signature is. */
function claimedIssuer(token: string): string | null {
  try {
    return textOr(decodeJwt(token).iss);
  } catch {
    throw refuse("it is no token that was signed for this server");
  }
}

/** What a token is refused with, or why it cannot be judged now; anything else as it is. */
function refusalOf(thrown: unknown): unknown {
  if (thrown instanceof errors.JOSEError) return refuse(reasonOf(thrown));
  if (!(thrown instanceof KeysUnavailableError)) return thrown;
  const text = "The keys of the token's issuer cannot be had now. Try again.";
  return fail("plasm-upstream-error", text, { retryable: true });
}

/**
 * Whom an identity token is of that an issuer has given for this very sign-in of an application of ours, and what they are here;
 * `more` are claims that it has told beside it, `granted` scopes. Throws as {@link VerifyToken} does.
 */
export type VerifyPerson = (
  idToken: string,
  more: JWTPayload,
  granted: string,
) => Promise<VerifiedToken>;

/** Checks identity tokens of one issuer for one application (SURF-40). */
export function personVerifier(
  of: TokenIssuer,
  clientId: string,
  fetching: KeyFetching,
): VerifyPerson {
  // Whatever names the user may stand in `more`.
  const { verify } = verifierOf(of, { audiences: [clientId], subjectClaim: "sub" }, fetching);
  return async (idToken, more, granted) => {
    try {
      const claims = { ...more, ...(await verify(idToken)) };
      const { roles, readsOnly } = rightsOfPerson(claims, granted, of.roles, of.scopes);
      const caller = callerIn(of, claims);
      return { caller: { ...caller, ...(readsOnly === undefined ? {} : { readsOnly }) }, roles };
    } catch (thrown) {
      throw refusalOf(thrown);
    }
  };
}

/** Checks tokens of these issuers, each by its own keys and algorithms alone (SURF-23). */
export function tokenVerifier(issuers: readonly TokenIssuer[], fetching: KeyFetching): VerifyToken {
  const verifiers = issuers.map((one) => {
    const { audiences, roles, subjectClaim = "sub" } = one;
    return verifierOf(
      one,
      { audiences: [...audiences, ...(roles?.audiences ?? [])], subjectClaim },
      fetching,
    );
  });
  return async (token) => {
    const claimed = claimedIssuer(token);
    const found = verifiers.find(({ of }) => of.issuer === null || of.issuer === claimed);
    if (found === undefined) throw refuse("its iss is not right here");
    try {
      return verified(found.of, await found.verify(token));
    } catch (thrown) {
      throw refusalOf(thrown);
    }
  };
}
