import { createHash } from "node:crypto";
import type { Problem } from "@plasm/agent-core";
import { problem } from "@plasm/agent-core/internal";
import ipaddr from "ipaddr.js";

/** How many attempts may fail in a row, and how many more each minute. */
export interface AttemptRate {
  readonly burst: number;
  readonly perMinute: number;
}

/** What guessing is held by. */
export interface GuessLimits {
  /** credentials that are refused, from one address */
  readonly credentials: AttemptRate;
  /** the same for one API key, whose id stands in its text, from all addresses */
  readonly key: AttemptRate;
  /** paths of sessions that are not there, from one address, by callers who prove nothing */
  readonly paths: AttemptRate;
  /** addresses, keys and good credentials that are remembered, of each; the oldest are forgotten */
  readonly entries: number;
}

export const GUESS_LIMITS: GuessLimits = Object.freeze({
  credentials: { burst: 100, perMinute: 60 },
  key: { burst: 20, perMinute: 20 },
  paths: { burst: 200, perMinute: 120 },
  entries: 10_000,
});

const MINUTE_MS = 60_000;

/** A map that forgets what it was told first once it is full. */
class Remembered<V> {
  readonly #kept = new Map<string, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): V | undefined {
    return this.#kept.get(key);
  }

  set(key: string, value: V): void {
    this.#kept.delete(key);
    this.#kept.set(key, value);
    if (this.#kept.size <= this.#most) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }

  delete(key: string): void {
    this.#kept.delete(key);
  }

  get size(): number {
    return this.#kept.size;
  }
}

/** Failures by a name, forgiven with time. */
class Failures {
  readonly #debts: Remembered<{ readonly failed: number; readonly at: number }>;
  readonly #rate: AttemptRate;

  constructor(rate: AttemptRate, entries: number) {
    this.#rate = rate;
    this.#debts = new Remembered(entries);
  }

  #owed(name: string, now: number): number {
    const debt = this.#debts.get(name);
    if (debt === undefined) return 0;
    const forgiven = ((now - debt.at) / MINUTE_MS) * this.#rate.perMinute;
    return Math.max(0, debt.failed - Math.max(0, forgiven));
  }

  note(name: string, now: number): void {
    const failed = Math.min(this.#owed(name, now) + 1, this.#rate.burst);
    this.#debts.set(name, { failed, at: now });
  }

  /** Seconds until another attempt is let through; 0 where one is now. */
  wait(name: string, now: number): number {
    const over = this.#owed(name, now) - (this.#rate.burst - 1);
    return over <= 0 ? 0 : Math.ceil((over / this.#rate.perMinute) * 60);
  }

  get size(): number {
    return this.#debts.size;
  }
}

const digest = (text: string): string => createHash("sha256").update(text).digest("base64");

/** The id in the text of a key, which whoever guesses the rest has to know. */
const KEY_ID = /^plasm_([0-9a-f]{16})_/;

/** Bits of an IPv6 address that say whose it is: a network of 64 has as many addresses as one cares to use. */
const NETWORK_BITS = 64;

/** Whom an address stands for: an IPv4 address in whatever form, or a network of IPv6. */
export function senderOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${NETWORK_BITS}`).toString();
}

/** The path of an execute session; what stands behind it leads into that session. */
const SESSION = /^\/execute\/[^/]+\/[^/]+/;

/** What of a request is looked at. */
export interface GuessAttempt {
  /** the other end of the connection; null where there is none */
  readonly address: string | null;
  readonly credential: string | null;
  readonly path: string;
}

const UNAUTHENTICATED = 401;
const NOT_FOUND = 404;

/**
 * Slows down who guesses API keys, tokens and paths of sessions. Only what fails counts, and what was good before passes
 * always: neither a crowd behind one proxy nor the owner of a key is locked out by whoever guesses beside them. It
 * remembers a bounded number of senders, in this process alone.
 */
export class Guesses {
  readonly #good: Remembered<true>;
  readonly #credentials: Failures;
  readonly #keys: Failures;
  readonly #paths: Failures;
  readonly #now: () => number;

  constructor(limits: GuessLimits = GUESS_LIMITS, now: () => number = () => performance.now()) {
    const { credentials, key, paths, entries } = limits;
    this.#good = new Remembered(entries);
    this.#credentials = new Failures(credentials, entries);
    this.#keys = new Failures(key, entries);
    this.#paths = new Failures(paths, entries);
    this.#now = now;
  }

  /** The problem of an attempt that has to wait; null where it may go on. */
  refuse(attempt: GuessAttempt): Problem | null {
    const now = this.#now();
    const { address, credential } = attempt;
    const sender = address === null ? null : senderOf(address);
    let wait = 0;
    if (credential !== null && this.#good.get(digest(credential)) === undefined) {
      if (sender !== null) wait = this.#credentials.wait(sender, now);
      const [, id] = KEY_ID.exec(credential) ?? [];
      if (id !== undefined) wait = Math.max(wait, this.#keys.wait(id, now));
    }
    const session = this.#sessionOf(attempt);
    if (session !== null && sender !== null && this.#good.get(digest(session)) === undefined) {
      wait = Math.max(wait, this.#paths.wait(sender, now));
    }
    if (wait === 0) return null;
    const text = `Too many attempts have failed from here, or with this key. Try again in ${wait} s.`;
    return problem("plasm-rate-limited", text, { retryAfter: wait });
  }

  /** Notes what an attempt came to, by the status of its answer. */
  note(attempt: GuessAttempt, status: number): void {
    const now = this.#now();
    const { address, credential } = attempt;
    const sender = address === null ? null : senderOf(address);
    if (credential !== null) {
      const known = digest(credential);
      if (status !== UNAUTHENTICATED) this.#good.set(known, true);
      else {
        this.#good.delete(known);
        if (sender !== null) this.#credentials.note(sender, now);
        const [, id] = KEY_ID.exec(credential) ?? [];
        if (id !== undefined) this.#keys.note(id, now);
      }
    }
    const session = this.#sessionOf(attempt);
    if (session === null || status === UNAUTHENTICATED) return;
    const known = digest(session);
    if (status !== NOT_FOUND) this.#good.set(known, true);
    else if (sender !== null && this.#good.get(known) === undefined) this.#paths.note(sender, now);
  }

  /** How much is remembered, of the kind that has most. */
  get size(): number {
    const kinds = [this.#good, this.#credentials, this.#keys, this.#paths];
    return Math.max(...kinds.map(({ size }) => size));
  }

  /** The session that a path names, for who proves nothing: to others a path gives nothing that they have not opened. */
  #sessionOf({ credential, path }: GuessAttempt): string | null {
    return credential === null ? (SESSION.exec(path)?.[0] ?? null) : null;
  }
}
