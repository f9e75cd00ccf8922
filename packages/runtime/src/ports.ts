import type { HttpMethod, Json, JsonObject } from "@plasm/core";

/** Name and value of a header, in the order sent or received; names compare ignoring case. */
export type HeaderPair = readonly [name: string, value: string];

/** One attempt at one HTTP exchange. Retries, redirects and paging are above this port. */
export interface TransportRequest {
  readonly method: HttpMethod;
  /** absolute http(s) URL, without user and fragment */
  readonly url: string;
  readonly headers: readonly HeaderPair[];
  readonly body: Uint8Array | null;
  /** true for the effective backend's origin: it alone may name a private address (RUN-140) */
  readonly allowPrivate: boolean;
  readonly connectTimeoutMs: number;
  /** from sending to the last byte of the answer */
  readonly timeoutMs: number;
  /** size of the answer after decompression (RUN-028) */
  readonly maxResponseBytes: number;
  /**
   * true for effects: they never ride on an idle connection, which the server may be closing, so that
   * nobody could tell whether they arrived
   */
  readonly freshConnection: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  /** decompressed */
  readonly body: Uint8Array;
}

/**
 * Why an attempt gave no response. `sent` tells whether the request may have reached the server:
 * RUN-025 retries effects only when it has not.
 */
export interface TransportFailure {
  readonly kind:
    | "connect"
    | "timeout"
    | "lost"
    | "too_large"
    | "address_refused"
    | "tls"
    | "malformed"
    | "aborted"
    | "replay_miss";
  readonly sent: boolean;
  readonly detail: string;
}

export type TransportOutcome =
  | { readonly ok: true; readonly response: TransportResponse }
  | { readonly ok: false; readonly failure: TransportFailure };

/** Sends one request once. Never throws for what a network or a server does. */
export interface Transport {
  send(request: TransportRequest): Promise<TransportOutcome>;
  close(): Promise<void>;
}

/** The only source of time: one reading per run (PLAN-063), waits for back-off and Retry-After. */
export interface Clock {
  /** milliseconds since the epoch */
  now(): number;
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The only source of randomness: ids and back-off jitter. */
export interface IdSource {
  /** a fresh unique id */
  id(): string;
  /** a number in [0, 1) */
  random(): number;
}

/** Where secrets come from (RUN-120). `undefined` means there is none by that name. */
export interface SecretProvider {
  env(name: string): string | undefined;
  hosted(key: string, scope: CredentialScope): Promise<string | undefined>;
}

/** Whose credentials a run uses. A session credential never serves another entry id (RUN-120). */
export interface CredentialScope {
  readonly tenant: string;
  /** delegated mode: the principal whose credentials alone are used */
  readonly principal?: string;
  /** entry id → secret set for the session */
  readonly session?: ReadonlyMap<string, string>;
}

/** What a registered function sees besides its arguments (RUN-105). */
export interface FunctionContext {
  readonly environment: JsonObject;
  /** the run's one clock reading, milliseconds since the epoch */
  readonly now: number;
  readonly id: () => string;
}

/**
 * A function registered by name: pure in its context and arguments, without I/O (RUN-105). An
 * argument or value that is nothing is undefined.
 */
export type RegisteredFunction = (
  context: FunctionContext,
  args: readonly (Json | undefined)[],
) => { readonly value: Json | undefined } | { readonly error: string };

export type FunctionTable = ReadonlyMap<string, RegisteredFunction>;

/** Everything the host supplies to a run. */
export interface Ports {
  readonly transport: Transport;
  readonly secrets: SecretProvider;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly functions: FunctionTable;
}
