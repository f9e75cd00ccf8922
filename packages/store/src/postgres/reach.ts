import { setTimeout as delay } from "node:timers/promises";
import type { PoolClient } from "pg";
import { isLost, isSlow } from "./postgres-error.ts";
import { StoreUnavailableError } from "../store-unavailable-error.ts";

/** Parts of a limit: a process that slept, or whose loop was held, has spent one of them at most each time. */
const PARTS = 20;

/**
 * Counts time in which this process ran. A timer of Node also counts time in which its loop was held: what arrived
 * meanwhile is read only after the timer struck, so that a held loop looks like a server that does not answer.
 */
export class ServedTimer {
  /** resolves when the time is over; never once it was stopped */
  readonly over: Promise<void>;
  readonly #timer: NodeJS.Timeout | null = null;
  #left = PARTS;

  constructor(ms: number) {
    let end = (): void => undefined;
    this.over = new Promise((resolve) => (end = resolve));
    if (ms <= 0) {
      this.#left = 0;
      end();
      return;
    }
    this.#timer = setInterval(() => {
      this.#left = Math.max(0, this.#left - 1);
      if (this.#left > 0) return;
      this.stop();
      end();
    }, ms / PARTS);
    this.#timer.unref();
  }

  get isOver(): boolean {
    return this.#left === 0;
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }
}

/** Settles as an answer does; rejects with what `late` gives when it took more ms than so many in which this process ran. */
export async function withinServedTime<T>(
  answer: Promise<T>,
  limitMs: number,
  late: () => Error,
): Promise<T> {
  const timer = new ServedTimer(limitMs);
  const isLate = timer.over.then(() => Promise.reject(late()));
  try {
    return await Promise.race([answer, isLate]);
  } finally {
    timer.stop();
  }
}

/** How long an outage may last of which no call is to know: a restart of the server, a failover of the network. */
const BLIP_MS = 8_000;
/** What a new connection may take once it is known that the server is away: who comes later is told at once. */
const KNOWN_MS = 1_000;
const PAUSE_MS = 100;
/** How often a connection may be too slow while the server answers over others. */
const MOST_SLOW = 3;

/** How the server is reached. */
export interface ReachOptions {
  /** a connection of the pool, made where none is idle */
  readonly connect: () => Promise<PoolClient>;
  /** how long an outage may last that is waited out, in ms; 8 s without it */
  readonly blipMs?: number | undefined;
}

interface Away {
  readonly cause: unknown;
  /** until when its return is waited for */
  readonly patience: ServedTimer;
}

interface Try {
  readonly isBack: Promise<boolean>;
  readonly patience: ServedTimer;
}

/**
 * Connects to a server that may be away for a moment: who comes in its first seconds waits for its return, who comes
 * later is told at once, after one try that all share. So a restart of the server fails nothing, and an outage
 * holds nobody up (SESS-33). Only time in which this process ran is counted, and a server that answers over another
 * connection is not away: a crowd is served in turn.
 */
export class Reach {
  readonly #options: Required<Pick<ReachOptions, "connect">> & { readonly blipMs: number };
  #away: Away | null = null;
  #trying: Try | null = null;
  /** by the clock that only goes on, in ms */
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** connections made before an answer stayed away are not trusted again */
  #trustedFrom = 0;
  readonly #madeAt = new WeakMap<PoolClient, number>();

  constructor({ connect, blipMs = BLIP_MS }: ReachOptions) {
    this.#options = { connect, blipMs };
  }

  /** Throws what kept it from being reached. */
  async connect(): Promise<PoolClient> {
    for (let slow = 0; ;) {
      if (this.#away === null) {
        const from = performance.now();
        try {
          return await this.#trusted();
        } catch (thrown) {
          if (!isLost(thrown)) throw thrown;
          if (isSlow(thrown) && this.#answeredAt > from) {
            slow += 1;
            if (slow === MOST_SLOW) throw tooSlow(thrown);
            continue;
          }
          this.lost(thrown);
        }
      }
      await this.#return();
    }
  }

  /** Notes that a statement was answered. */
  answered(): void {
    this.#answeredAt = performance.now();
  }

  /** Notes that a connection broke, or could not be made. */
  lost(cause: unknown): void {
    if (isLost(cause)) this.#leave(cause, this.#options.blipMs);
  }

  /** Notes that nothing came back for so long: whoever comes now need not wait as long again. */
  hung(cause: unknown, forMs: number): void {
    this.#trustedFrom = performance.now();
    this.#leave(cause, this.#options.blipMs - forMs);
  }

  #leave(cause: unknown, ms: number): void {
    this.#away ??= { cause, patience: new ServedTimer(ms) };
  }

  #isBack(): void {
    this.#away?.patience.stop();
    this.#away = null;
  }

  /** Resolves when the server is back; throws where it stays away for longer than is waited for. */
  async #return(): Promise<void> {
    const underWay = this.#trying;
    for (;;) {
      const away = this.#away;
      if (away === null) return;
      const isLong = away.patience.isOver;
      const trying = this.#tryOnce();
      const patience = Promise.all([away.patience.over, trying.patience.over]).then(() => null);
      const isBack = await Promise.race([trying.isBack, patience]);
      if (isBack === true) return;
      // What failed may have begun before the server was back.
      const isLate = isBack === false && trying === underWay;
      if (isLong && !isLate) throw away.cause;
      if (!isLate) await delay(PAUSE_MS);
    }
  }

  /** One try at a time, whoever waits for it. */
  #tryOnce(): Try {
    if (this.#trying !== null) return this.#trying;
    const patience = new ServedTimer(KNOWN_MS);
    const isBack = this.#trusted()
      .then(
        (client) => {
          client.release();
          this.#isBack();
          return true;
        },
        (cause: unknown) => {
          // What else is wrong with it now is said by whoever asks next.
          if (!isLost(cause)) this.#isBack();
          return !isLost(cause);
        },
      )
      .finally(() => {
        patience.stop();
        this.#trying = null;
      });
    this.#trying = { isBack, patience };
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

const tooSlow = (cause: unknown): StoreUnavailableError =>
  new StoreUnavailableError(
    "The store is busy: no connection was made in time, while others are answered.",
    { cause, fault: "busy" },
  );
