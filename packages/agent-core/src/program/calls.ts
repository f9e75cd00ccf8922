import type { OperationKey } from "../ports.ts";
import { noteCancelled, wasCancelled } from "../session/connections.ts";
import type { OperationDeps } from "./deps.ts";
import { fail } from "../errors/problem.ts";
import { SHUTDOWN } from "./run/failed-run.ts";

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
export class CallTracker {
  readonly #calls = new Set<Promise<unknown>>();
  readonly #stop = new AbortController();
  readonly #durable: () => Promise<void>;
  #closed = false;

  /** `durable` is waited for before a call is answered (SESS-33); it does not reject. */
  constructor(durable: () => Promise<void>) {
    this.#durable = durable;
  }

  /**
   * Runs a call; `stop` aborts when it is to end early. An answer that `may` be given before the disk has what the call
   * wrote does not wait for it. Throws plasm-store-unavailable once drained.
   */
  async run<T>(
    work: (stop: AbortSignal) => Promise<T>,
    may: (answer: T) => boolean = () => false,
  ): Promise<T> {
    if (this.#closed) throw fail("plasm-store-unavailable", "The server is being stopped.");
    const call = this.#kept(work(this.#stop.signal), may);
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  async #kept<T>(call: Promise<T>, may: (answer: T) => boolean): Promise<T> {
    const [outcome] = await Promise.allSettled([call]);
    if (outcome.status === "rejected" || !may(outcome.value)) await this.#durable();
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
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

/** A call of a connection, by a name that its surface gives it; names are not used again. */
export interface CallName {
  readonly connection: string;
  readonly call: string;
}

/** A call that any process can cancel until it has ended. */
export interface CancellableCall {
  readonly signal: AbortSignal;
  end(): void;
}

/** How far the clocks of processes on one store may differ, in ms. */
const CLOCKS_DIFFER_MS = 5_000;

/** No operation has such a place: queues carry news of calls as they carry those of operations. */
const placeOf = ({ connection, call }: CallName): OperationKey => ({
  scope: "calls",
  id: JSON.stringify([connection, call]),
});

/**
 * Makes a call cancellable by `cancelCall` in whichever process the cancel arrives (OPS-11). What is true
 * stands in the store; the queue only says when to look.
 */
export function beginCall(
  deps: Pick<OperationDeps, "store" | "queue" | "warn">,
  name: CallName,
): CancellableCall {
  const { store, queue, warn } = deps;
  const { connection, call } = name;
  const since = store.now() - CLOCKS_DIFFER_MS;
  const controller = new AbortController();
  const look = async (): Promise<void> => {
    if (await wasCancelled(store, connection, call, since)) controller.abort();
  };
  const end = queue.listen(placeOf(name), () => {
    look().catch((cause: unknown) => warn("A cancelled call could not be looked for", cause));
  });
  return { signal: controller.signal, end };
}

/** Cancels a call wherever it runs; one that has ended, or never was, is none. */
export async function cancelCall(
  { store, queue }: Pick<OperationDeps, "store" | "queue">,
  name: CallName,
): Promise<void> {
  await noteCancelled(store, name.connection, name.call);
  queue.announce(placeOf(name));
}
