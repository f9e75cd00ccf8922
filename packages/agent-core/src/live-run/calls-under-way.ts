import { fail } from "../errors/failure.ts";
import { SHUTDOWN } from "./stopped-run.ts";

/** How long a cancelled call may take to end: more than the time one effect in flight may (RUN-130). */
const LONGEST_MS = 60_000;

const after = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** The calls that an engine is at, so that its store is not closed under them. */
export class CallsUnderWay {
  readonly #calls = new Set<Promise<unknown>>();
  readonly #stop = new AbortController();
  readonly #durable: () => Promise<void>;
  #closed = false;

  /** `durable` is waited for before any call is answered (SESS-33); it does not reject. */
  constructor(durable: () => Promise<void>) {
    this.#durable = durable;
  }

  /** Runs a call; `stop` aborts when it is to end early. Throws plasm-store-unavailable once drained. */
  async run<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#closed) throw fail("plasm-store-unavailable", "The server is being stopped.");
    const call = this.#kept(work(this.#stop.signal));
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  async #kept<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } finally {
      await this.#durable();
    }
  }

  /** One signal for two reasons to end. */
  either(stop: AbortSignal, own: AbortSignal | undefined): AbortSignal {
    return own === undefined ? stop : AbortSignal.any([stop, own]);
  }

  async drain(graceMs: number): Promise<void> {
    this.#closed = true;
    await this.#within(graceMs);
    if (this.#calls.size > 0) this.#stop.abort(SHUTDOWN);
    await this.#within(LONGEST_MS);
  }

  async #within(ms: number): Promise<void> {
    if (this.#calls.size === 0 || ms === 0) return;
    const done = new AbortController();
    const all = Promise.allSettled(this.#calls).then(() => done.abort());
    await Promise.race([all, after(ms, done.signal)]);
  }
}
