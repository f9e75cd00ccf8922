import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";

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
export class KeysUnavailableError extends Error {
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
export function issuerKeys(url: string, { fetch, ...times }: KeyFetching): JWTVerifyGetKey {
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
