import { problem, type Problem } from "./problem.ts";

/** What a store throws where it cannot be used (SESS-33): a full disk, a damaged file, a database that is away. */
export interface StoreFaultError extends Error {
  /** the cause for whoever called, without path or address */
  readonly forCallers?: string;
  /** whether the same call may succeed later without a restart; true unless it says otherwise */
  readonly passes?: boolean;
  /** seconds after which the same call may be sent again, where that is known */
  readonly retryAfter?: number | null;
}

/** Whether a store threw it, of whatever package. */
export const isStoreFault = (thrown: unknown): thrown is StoreFaultError =>
  thrown instanceof Error && thrown.name === "StoreUnavailableError";

/** The answer to a call that the store could not serve: 503 with the cause (ERR-030, class server). */
export function storeProblem({ forCallers, passes, retryAfter }: StoreFaultError): Problem {
  const text = forCallers ?? "The store cannot be reached now. Try again.";
  return problem("plasm-store-unavailable", text, {
    retryable: passes ?? true,
    retryAfter: retryAfter ?? null,
  });
}

/** A cause that goes on is logged again after so long, so that a log that was rotated has it. */
const AGAIN_MS = 60_000;

/** Logs what keeps a store from being used: each cause once, whatever failed for it, and once when it has passed. */
export class StoreFaultLog {
  /** Logs anything, faults of the store as {@link note} does. */
  readonly warn = (what: string, cause: unknown): void => {
    if (isStoreFault(cause)) this.note(cause);
    else this.#warn(what, cause);
  };
  readonly #warn: (what: string, cause: unknown) => void;
  readonly #now: () => number;
  #last: { readonly message: string; readonly at: number } | null = null;

  constructor(warn: (what: string, cause: unknown) => void, now: () => number) {
    this.#warn = warn;
    this.#now = now;
  }

  /** Notes what a call threw; anything but a fault of the store is left to others. */
  note(thrown: unknown): void {
    if (!isStoreFault(thrown)) return;
    const { message } = thrown;
    const at = this.#now();
    if (this.#last?.message === message && at - this.#last.at < AGAIN_MS) return;
    this.#last = { message, at };
    this.#warn("The store cannot be used", thrown);
  }

  /** Notes that the store was written. */
  passed(): void {
    if (this.#last === null) return;
    const { message } = this.#last;
    this.#last = null;
    this.#warn("The store can be used again", new Error(message));
  }
}
