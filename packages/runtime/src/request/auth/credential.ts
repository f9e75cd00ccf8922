import { createHash } from "node:crypto";
import type { Auth, FurtherKey } from "@plasm/core/internal";
import type {
  Clock,
  CredentialScope,
  HeaderPair,
  SecretProvider,
  TokenCache,
  Transport,
} from "../../ports.ts";
import type { Redactor } from "./redactor.ts";
import { type Signer, signerOf } from "./sign-request.ts";

/** What a request carries to say who asks (RUN-121). Held in memory only, never serialised. */
export interface Injection {
  readonly secret: string | null;
  readonly headers: readonly HeaderPair[];
  readonly query: readonly (readonly [name: string, value: string])[];
  /** what makes headers for each request anew */
  readonly sign?: Signer;
}

/** A request that says nothing of who asks. */
const NOTHING: Injection = Object.freeze({ secret: null, headers: [], query: [] });

/** Schemes that carry a secret. */
export type SecretAuth = Exclude<Auth, { scheme: "none" }>;

/** What says how a secret is carried. */
type Carrier = SecretAuth | FurtherKey;

/** What a request carries that carries all of them; a renewed secret is the first one. */
export const together = (first: Injection, further: readonly Injection[]): Injection => ({
  secret: first.secret,
  headers: [first, ...further].flatMap(({ headers }) => headers),
  query: [first, ...further].flatMap(({ query }) => query),
  ...(first.sign === undefined ? {} : { sign: first.sign }),
});

/** How a scheme carries a secret: header, query key, or bearer token (RUN-121). */
export function inject(auth: Carrier, secret: string): Injection {
  switch (auth.scheme) {
    case "api_key_header":
      return { secret, headers: [[auth.header, auth.prefix + secret]], query: [] };
    case "api_key_query":
      return { secret, headers: [], query: [[auth.param, secret]] };
    case "sigv4":
      return { secret, headers: [], query: [], sign: signerOf(auth, secret) };
    case "bearer_token":
    case "oauth_bearer":
    case "oauth2_client_credentials":
      return { secret, headers: [["Authorization", `Bearer ${secret}`]], query: [] };
  }
}

/** Whether a text may stand in a header or a query: no control character, nothing beyond Latin-1. */
export const isSendable = (secret: string): boolean => /^[\x20-\x7e\xa0-\xff]+$/.test(secret);

/** Tells secrets apart without holding them. */
export const nameOfSecret = (...parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);

/** A catalog's credential for one run: what requests carry, renewed where that can be done. */
export interface Credential {
  /** tells credentials apart without holding them: coalescing and rate limits are per credential */
  readonly id: string;
  /** the query keys that carry it, which addresses of answers are told without */
  readonly queryKeys: readonly string[];
  /** What a request carries now. Rejects with RunFailure where it cannot be had. */
  take(): Promise<Injection>;
  /**
   * What to carry instead of what was refused with 401, or null where nothing else can be had
   * (RUN-124). Rejects with RunFailure where renewing it fails.
   */
  renew(refused: Injection): Promise<Injection | null>;
  /** Notes that an API took it. */
  accepted(used: Injection): void;
  /** scopes it is known to have, or null; known once it was taken */
  granted(): ReadonlySet<string> | null;
}

/** What credentials are made with. */
export interface CredentialSetting {
  readonly secrets: SecretProvider;
  readonly scope: CredentialScope;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly tokens: TokenCache;
  readonly redactor: Redactor;
}

/** A credential that stays as it is. */
export const fixedCredential = (id: string, injection: Injection): Credential =>
  Object.freeze({
    id,
    queryKeys: injection.query.map(([name]) => name),
    take: () => Promise.resolve(injection),
    renew: () => Promise.resolve(null),
    accepted: () => undefined,
    granted: () => null,
  });

/** The credential of a request that carries none. */
export const NO_CREDENTIAL: Credential = fixedCredential("none", NOTHING);
