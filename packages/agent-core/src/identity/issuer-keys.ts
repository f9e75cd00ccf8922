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
const OK = 200;

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
  const keys = createRemoteJWKSet(new URL(url), {
    cooldownDuration: cooldownMs,
    cacheMaxAge: maxAgeMs,
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: async (address, init) => {
      if (Date.now() - failedAt < cooldownMs) throw new KeysUnavailableError(url);
      try {
        const response = await fetch(address, init);
        if (response.status === OK) return response;
        await response.body?.cancel();
      } catch (cause) {
        failedAt = Date.now();
        throw new KeysUnavailableError(url, { cause });
      }
      failedAt = Date.now();
      throw new KeysUnavailableError(url);
    },
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (thrown) {
      if (!(thrown instanceof errors.JOSEError)) throw thrown;
      if (!OF_KEY_SET.includes(thrown.code)) throw thrown;
      throw new KeysUnavailableError(url, { cause: thrown });
    }
  };
}
