import { createHash } from "node:crypto";
import type { Auth } from "@plasm/core";
import type { HeaderPair } from "../ports.ts";

/** What a request carries to say who asks (RUN-121). Held in memory only, never serialised. */
export interface Injection {
  readonly secret: string | null;
  readonly header: HeaderPair | null;
  readonly query: readonly [name: string, value: string] | null;
}

/** A request that says nothing of who asks. */
export const NOTHING: Injection = Object.freeze({ secret: null, header: null, query: null });

/** Schemes that carry a secret. */
export type SecretAuth = Exclude<Auth, { scheme: "none" }>;

/** How a scheme carries a secret: header, query key, or bearer token (RUN-121). */
export function inject(auth: SecretAuth, secret: string): Injection {
  switch (auth.scheme) {
    case "api_key_header":
      return { secret, header: [auth.header, auth.prefix + secret], query: null };
    case "api_key_query":
      return { secret, header: null, query: [auth.param, secret] };
    case "bearer_token":
    case "oauth_bearer":
    case "oauth2_client_credentials":
      return { secret, header: ["Authorization", `Bearer ${secret}`], query: null };
  }
}

/** Whether a text may stand in a header or a query: no control character, nothing beyond Latin-1. */
export const isSendable = (secret: string): boolean => /^[\x20-\x7e\xa0-\xff]+$/.test(secret);

/** Tells secrets apart without holding them. */
export const nameOfSecret = (...parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
