import { createHash } from "node:crypto";
import type { Auth, FurtherKey } from "@plasm/core";
import type { HeaderPair } from "../ports.ts";

/** What a request carries to say who asks (RUN-121). Held in memory only, never serialised. */
export interface Injection {
  readonly secret: string | null;
  readonly headers: readonly HeaderPair[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** A request that says nothing of who asks. */
export const NOTHING: Injection = Object.freeze({ secret: null, headers: [], query: [] });

/** Schemes that carry a secret. */
export type SecretAuth = Exclude<Auth, { scheme: "none" }>;

/** What says how a secret is carried. */
export type Carrier = SecretAuth | FurtherKey;

/** What a request carries that carries all of them; a renewed secret is the first one. */
export const together = (first: Injection, further: readonly Injection[]): Injection => ({
  secret: first.secret,
  headers: [first, ...further].flatMap(({ headers }) => headers),
  query: [first, ...further].flatMap(({ query }) => query),
});

/** How a scheme carries a secret: header, query key, or bearer token (RUN-121). */
export function inject(auth: Carrier, secret: string): Injection {
  switch (auth.scheme) {
    case "api_key_header":
      return { secret, headers: [[auth.header, auth.prefix + secret]], query: [] };
    case "api_key_query":
      return { secret, headers: [], query: [[auth.param, secret]] };
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
