import { setTimeout as delay } from "node:timers/promises";
import type { PoolClient } from "pg";
import { isLost } from "./postgres-error.ts";

/** How long an outage may last of which no call is to know: a restart of the server, a failover of the network. */
const BLIP_MS = 8_000;
/** What a new connection may take once it is known that the server is away: who comes later is told at once. */
const KNOWN_MS = 1_000;
const PAUSE_MS = 100;

/** How the server is reached. */
export interface ReachOptions {
  /** a connection of the pool, made where none is idle */
  readonly connect: () => Promise<PoolClient>;
  /** how long an outage may last that is waited out, in ms; 8 s without it */
  readonly blipMs?: number | undefined;
}

interface Away {
  /** by the clock that only goes on, in ms */
  readonly since: number;
  readonly cause: unknown;
}

/**
 * Connects to a server that may be away for a moment: who comes in its first seconds waits for its return, who comes
 * later is told at once, after one try that all share. So a restart of the server fails nothing, and an outage
 * holds nobody up (SESS-33).
 */
export class Reach {
  readonly #options: Required<Pick<ReachOptions, "connect">> & { readonly blipMs: number };
  #away: Away | null = null;
  #trying: Promise<boolean> | null = null;
  #tryingSince = 0;
  /** connections made before an answer stayed away are not trusted again */
  #trustedFrom = 0;
  readonly #madeAt = new WeakMap<PoolClient, number>();

  constructor({ connect, blipMs = BLIP_MS }: ReachOptions) {
    this.#options = { connect, blipMs };
  }

  /** Throws what kept it from being reached. */
  async connect(): Promise<PoolClient> {
    for (;;) {
      if (this.#away === null) {
        try {
          return await this.#trusted();
        } catch (thrown) {
          this.lost(thrown);
          if (!isLost(thrown)) throw thrown;
        }
      }
      await this.#return();
    }
  }

  /** Notes that a connection broke, or could not be made. */
  lost(cause: unknown, forMs = 0): void {
    if (isLost(cause)) this.#away ??= { since: performance.now() - forMs, cause };
  }

  /** Notes that nothing came back for so long: whoever comes now need not wait as long again. */
  hung(cause: unknown, forMs: number): void {
    this.#trustedFrom = performance.now();
    this.#away ??= { since: performance.now() - forMs, cause };
  }

  /** Resolves when the server is back; throws where it stays away for longer than is waited for. */
  async #return(): Promise<void> {
    const arrived = performance.now();
    for (;;) {
      const away = this.#away;
      if (away === null) return;
      const left = away.since + this.#options.blipMs - performance.now();
      const trying = this.#tryOnce();
      const patience = Math.max(0, left, this.#tryingSince + KNOWN_MS - performance.now());
      const isBack = await Promise.race([trying, delay(patience, null, { ref: false })]);
      if (isBack === true) return;
      // What failed may have begun before the server was back.
      const isLate = isBack === false && this.#tryingSince < arrived;
      if (left <= 0 && !isLate) throw away.cause;
      if (!isLate) await delay(PAUSE_MS);
    }
  }

  /** One try at a time, whoever waits for it. */
  #tryOnce(): Promise<boolean> {
    if (this.#trying !== null) return this.#trying;
    this.#tryingSince = performance.now();
    this.#trying = this.#trusted()
      .then(
        (client) => {
          client.release();
          this.#away = null;
          return true;
        },
        (cause: unknown) => {
          // What else is wrong with it now is said by whoever asks next.
          if (!isLost(cause)) this.#away = null;
          return !isLost(cause);
        },
      )
      .finally(() => (this.#trying = null));
    return this.#trying;
  }

  /** A connection that answered since the last one hung. */
  async #trusted(): Promise<PoolClient> {
    for (;;) {
      const client = await this.#options.connect();
      const madeAt = this.#madeAt.get(client) ?? performance.now();
      this.#madeAt.set(client, madeAt);
      if (madeAt >= this.#trustedFrom) return client;
      client.release(true);
    }
  }
}
