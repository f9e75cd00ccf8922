/** Why a store cannot be used; what an operator does about it follows from this. */
export type StoreFault = "full" | "read_only" | "damaged" | "busy" | "removed" | "unreachable";

/** What callers are answered: the cause, without a path or an address (SESS-33, ERR-030). */
const FOR_CALLERS: Readonly<Record<StoreFault, string>> = {
  full: "The disk that holds the data directory is full. Everything answered before is kept. Try again once the operator has freed space.",
  read_only:
    "The data directory is read-only. Everything answered before is kept. Try again once the operator has made it writable.",
  damaged:
    "The store's database file is damaged. The operator must restore a backup or recover the file; trying again does not help.",
  busy: "The store is busy. Try again.",
  removed:
    "The data directory was deleted or replaced while it was in use. The operator must restart the server.",
  unreachable: "The store cannot be reached now. Try again.",
};

const BUSY_S = 1;

/** Faults that do not pass by themselves. */
const LASTING: ReadonlySet<StoreFault> = new Set(["damaged", "removed"]);

/** The store cannot be used now, or not at all; the message says which, why, and the way out. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
  readonly fault: StoreFault;

  constructor(
    message: string,
    { fault = "unreachable", ...options }: ErrorOptions & { readonly fault?: StoreFault } = {},
  ) {
    super(message, options);
    this.fault = fault;
  }

  /** The sentence for whoever called: it names no path and no address. */
  get forCallers(): string {
    return FOR_CALLERS[this.fault];
  }

  /** Seconds after which the same call may be sent again, where that is known: what is busy goes on serving. */
  get retryAfter(): number | null {
    return this.fault === "busy" ? BUSY_S : null;
  }

  /** Whether the same call may succeed later without a restart. */
  get passes(): boolean {
    return !LASTING.has(this.fault);
  }
}

/** The innermost message: what the database itself said. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "unknown";
  return thrown.cause === undefined ? thrown.message : reasonOf(thrown.cause);
}
