import { randomUUID } from "node:crypto";
import type { Json, JsonObject, PlanNode } from "@plasm/core";
import type { HttpMethod } from "@plasm/core/internal";
import type { TransportReaders } from "./transport-reader.ts";

/** One request that was sent, for traces: no query, no header, no body (RUN-142). */
export interface SentRequest {
  readonly node: string;
  readonly entryId: string;
  readonly method: string;
  readonly origin: string;
  readonly pathTemplate: string;
  readonly attempt: number;
  /** null when no response came */
  readonly status: number | null;
  readonly ms: number;
}

/** A node as those see it who watch a run: no label, for that is the program's. */
export interface StartedNode {
  readonly id: string;
  readonly kind: PlanNode["kind"];
  /** the catalog it is of; null for one that only computes */
  readonly entryId: string | null;
}

/** How a node ended, or stands where its run did. */
export interface EndedNode {
  readonly status: "done" | "failed" | "skipped";
  readonly rows: number;
}

/** A request that is about to be sent. */
export type StartedRequest = Omit<SentRequest, "status" | "ms">;

/** What becomes of one request. */
export interface RequestWatch {
  /** sent with it, to tell the API whose trace it is of */
  readonly headers: readonly HeaderPair[];
  /** `status` is null when no response came */
  ended(status: number | null, ms: number): void;
}

/**
 * Who watches a run for traces (RUN-142, SURF-27): told of names, numbers and templates, never of arguments,
 * rows, headers or bodies. Must not throw.
 */
export interface RunObserver {
  /** A node of the plan begins; what it gives is called once, when that has ended or its run has. */
  node(node: StartedNode): (ended: EndedNode) => void;
  /** A request is about to be sent. */
  request(request: StartedRequest): RequestWatch;
}

/** Name and value of a header, in the order sent or received; names compare ignoring case. */
export type HeaderPair = readonly [name: string, value: string];

/** Bytes that are read as they come, as often as wanted: they are never wholly in memory (VAL-02). */
export interface StreamedBytes {
  readonly size: number;
  /** names its content */
  readonly sha256: string;
  open(): AsyncIterable<Uint8Array>;
}

/** A file of a session, which holds its bytes (VAL-01). */
export interface StoredFile extends StreamedBytes {
  readonly uri: string;
  readonly mimeType: string;
}

/** Why a file was not kept. A transport that meets it answers with its words, as a failure `unkept`. */
export class FileNotKeptError extends Error {
  override readonly name = "FileNotKeptError";
  readonly fix: string;
  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

/** Who takes an answer that is a file as its bytes come, so that it is never wholly in memory (VAL-01). */
export interface FileTaker {
  /** it is asked once so many bytes of an answer of 2xx have come */
  readonly from: number;
  /** Whether an answer is a file, by its headers and the bytes that came first. */
  takes(headers: readonly HeaderPair[], start: Uint8Array): boolean;
  /** size of the file after decompression */
  readonly maxBytes: number;
  /** from the first byte to the last; `timeoutMs` of the request is how long it may be silent in between */
  readonly timeoutMs: number;
  /** Reads the bytes to their end. Rejects with what reading them threw, or FileNotKeptError. */
  take(headers: readonly HeaderPair[], content: AsyncIterable<Uint8Array>): Promise<StoredFile>;
}

/** One attempt at one HTTP exchange. Retries, redirects and paging are above this port. */
export interface TransportRequest {
  readonly method: HttpMethod;
  /** absolute http(s) URL, without user and fragment */
  readonly url: string;
  readonly headers: readonly HeaderPair[];
  readonly body: Uint8Array | null;
  /** in place of `body`, which is null: given to transports alone that stream (VAL-02) */
  readonly stream?: StreamedBytes;
  /** takes an answer that is a file; a transport that does not stream leaves it alone */
  readonly file?: FileTaker;
  /**
   * Whether a private address may be reached (RUN-140): `true` where the URL itself writes one, which the effective
   * backend's origin alone may; `"named"` also by a name that leads there, which only a deployment's own setting may
   */
  readonly allowPrivate: boolean | "named";
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
  /** what it is to a recording; a transport that neither records nor replays does not ask */
  readonly mark?: () => RequestMark;
}

/** A request without backend, headers, credentials and body, as a recording names it (RUN-160). */
export interface RequestShape {
  /** `http`, `graphql` or `token` */
  readonly transport: string;
  readonly method: string;
  /** path, behind `{backend}` or another origin */
  readonly path: string;
  /** sorted */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** format of the body, or null without one */
  readonly format: string | null;
  /** the path with `{name}` for variables */
  readonly template: string;
}

/** What a request is to a recording: the same whoever sends it and wherever its backend stands. */
export interface RequestMark {
  readonly fingerprint: string;
  readonly shape: RequestShape;
  /** effects are not sent unasked when a recording lacks them (RUN-161) */
  readonly effect: boolean;
  /** removes what must not be stored (RUN-162) */
  readonly redact: (text: string) => string;
  /** the same for the body of its answer */
  readonly redactBody: (data: Uint8Array) => Uint8Array;
  /** set where an answer of 2xx is to be stored later, when its secrets are known */
  readonly later?: (store: () => Promise<void>) => void;
}

/** An answer as the wire had it. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  /** decompressed */
  readonly body: Uint8Array;
  /** what the request's taker made of the body, which is empty then */
  readonly file?: StoredFile;
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
    | "unkept"
    | "address_refused"
    | "tls"
    | "malformed"
    | "aborted"
    | "replay_miss";
  readonly sent: boolean;
  readonly detail: string;
  /** what to do about it, where only the transport knows */
  readonly fix?: string;
}

/** What became of a request: an answer of any status, or why there is none. */
export type TransportOutcome =
  | { readonly ok: true; readonly response: TransportResponse }
  | { readonly ok: false; readonly failure: TransportFailure };

/** Sends one request once. Never throws for what a network or a server does. */
export interface Transport {
  /** whether it sends bodies and takes files as their bytes come; else a body is given whole, and answers are whole (VAL-02) */
  readonly streams?: true;
  send(request: TransportRequest): Promise<TransportOutcome>;
  close(): Promise<void>;
}

/** The only source of time: one reading per run (PLAN-063), waits for back-off and Retry-After. */
export interface Clock {
  /** milliseconds since the epoch */
  now(): number;
  /** milliseconds since some moment, of a clock that nobody sets; `now` without it */
  elapsed?(): number;
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

/** Where each run's one clock reading (PLAN-063) and its id come from, so that a recording has them. */
export interface RunSource {
  start(): { readonly at: number; readonly id: string };
}

/** Where secrets come from (RUN-120). `undefined` means there is none by that name. */
export interface SecretProvider {
  env(name: string): string | undefined;
  /** Why a catalog may not read a variable of the environment; null where it may. Without it, any catalog reads any. */
  refusesEnv?(name: string, entryId: string): string | null;
  /** The value under a key; with a principal in the scope, that principal's own and no other. */
  hosted(key: string, scope: CredentialScope): Promise<string | undefined>;
  /**
   * The labels of the accounts among which a scope's calls choose that name none of a catalog, sorted; those of other
   * principals are none (RUN-129). Throws
   * StoredSecretError where only one is known, and a damaged record may be another.
   */
  accounts?(entryId: string, scope: CredentialScope): readonly string[];
  /** The labels of all accounts of a catalog that a scope may name, sorted (RUN-129). */
  labels?(entryId: string, scope: CredentialScope): readonly string[];
  /** Whose the value under a key is that {@link SecretProvider.hosted} gives: a `tenant` of null is all of them; null without one. */
  holder?(
    key: string,
    scope: CredentialScope,
  ): { readonly tenant: string | null; readonly principal: string | null } | null;
  /**
   * Keeps a refreshed envelope in place of `before`, if that is still what stands under the key
   * (RUN-123). Without it, refreshed tokens live as long as the host's token cache.
   */
  keepHosted?(key: string, scope: CredentialScope, before: string, value: string): Promise<void>;
  /**
   * Does work while no other process that has the same store does any for this key, so that one refresh at
   * a time is made (RUN-123); null if that did not come about in time. Without it, processes do not know of
   * each other.
   */
  exclusively?<T>(key: string, scope: CredentialScope, work: () => Promise<T>): Promise<T | null>;
}

/** Whose credentials a run uses. A session credential never serves another entry id (RUN-120). */
export interface CredentialScope {
  readonly tenant: string;
  /** delegated mode: a principal is demanded, and its credentials alone are used */
  readonly delegated?: boolean;
  readonly principal?: string;
  /** entry id → secret set for the session */
  readonly session?: ReadonlyMap<string, string>;
  /** entry id → the account whose credential is used, and no other (RUN-129) */
  readonly accounts?: ReadonlyMap<string, string>;
  /** whether `accounts` says all: a catalog that is not in it uses none, even where it has one only (RUN-129) */
  readonly accountsDecided?: boolean;
  /** entry id → the sign-in that a run began with, null for none: another one in its place is refused (RUN-129) */
  readonly signIns?: ReadonlyMap<string, string | null>;
}

/** A token with what is known of it; `expiresAt` in milliseconds, null if it does not end. */
export interface AccessToken {
  readonly access: string;
  readonly refresh: string | null;
  readonly expiresAt: number | null;
  /** scopes as granted, separated by blanks; null if unknown */
  readonly scope: string | null;
}

/**
 * The tokens that a host holds between runs, by an opaque key; one renewal at a time for each
 * (RUN-122, RUN-123). In memory only.
 */
export interface TokenCache {
  /** the token held under a key, if there is one */
  held(key: string): AccessToken | null;
  /** The outcome of a renewal that is under way, else of this one; rejects as that does. */
  renew(
    key: string,
    held: AccessToken | null,
    renew: (held: AccessToken | null) => Promise<AccessToken>,
  ): Promise<AccessToken>;
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

/** Functions that catalogs call, by name (RUN-105). */
export type FunctionTable = ReadonlyMap<string, RegisteredFunction>;

/** Files of one session, which are too large to stand in rows (RUN-038, VAL-01). */
export interface ArtifactStore {
  /**
   * Keeps bytes as they come; equal ones have one URI. `from` is the capability that they are an answer of, as
   * `entry_id/capability`; null for bytes that were taken to be sent, and that nobody reads (VAL-07). Rejects with what
   * reading them threw, and keeps nothing then.
   */
  put(
    content: AsyncIterable<Uint8Array>,
    mimeType: string,
    from?: string | null,
  ): Promise<StoredFile>;
  /** The file at a URI of this very session, if its policy allows it; null for any other. */
  open(uri: string): Promise<StoredFile | null>;
}

/** Everything the host supplies to a run. */
export interface Ports {
  readonly transport: Transport;
  readonly secrets: SecretProvider;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly functions: FunctionTable;
  /** who serves reads of transports other than HTTP, by the name that mappings have for it; nobody without it */
  readonly readers?: TransportReaders;
  /** without it, a run takes the clock's time and a random id */
  readonly runs?: RunSource;
  /** tokens that outlive a run; without it each run asks for its own */
  readonly tokens?: TokenCache;
}

/** The machine's clock. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted === true) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener("abort", end, { once: true });
    }),
});

/** The machine's randomness. */
export const systemIds: IdSource = Object.freeze({
  id: () => randomUUID(),
  random: () => Math.random(),
});
