import type { Clock, CredentialScope, SecretProvider, TokenCache, Transport } from "../ports.ts";
import { type Injection, NOTHING } from "./injection.ts";
import type { Redactor } from "./redactor.ts";

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
