import { getHeapStatistics } from "node:v8";
import { MOST_COMPUTED } from "@plasm/core/internal";
import type { Clock } from "../ports.ts";

/** What rows may take; all in bytes but for `cells`. */
export interface RowLimits {
  /** of the rows of all runs of this process that are under way, as memory */
  readonly process: number;
  /** of the rows of one tenant's runs, as memory */
  readonly tenant: number;
  /** of the rows of one run, as memory */
  readonly run: number;
  /** cells that one run may compute, as they would be written out */
  readonly cells: number;
  /** bytes that one run may compute, as they would be written out */
  readonly computed: number;
  /** bytes of the results of one run, written out */
  readonly results: number;
}

/** The settings of {@link RowLimits}, by which messages name a limit. */
export const ROW_SETTINGS: Readonly<Record<keyof RowLimits, string>> = Object.freeze({
  process: "PLASM_ROWS_MEMORY",
  tenant: "PLASM_ROWS_MEMORY_PER_TENANT",
  run: "PLASM_ROWS_MEMORY_PER_RUN",
  cells: "PLASM_COMPUTED_CELLS",
  computed: "PLASM_COMPUTED_BYTES",
  results: "PLASM_RESULT_BYTES",
});

const MIB = 1024 * 1024;

/**
 * Limits that fit a heap: half of it is for rows, of which one tenant may have three quarters, and one run half of
 * that. What is set replaces them; a run never has more than its tenant, nor a tenant more than the process.
 */
export function rowLimits(
  set: Readonly<Partial<RowLimits>> = {},
  heap: number = getHeapStatistics().heap_size_limit,
): RowLimits {
  const all = set.process ?? Math.floor(heap / 2);
  const tenant = Math.min(set.tenant ?? Math.floor((all * 3) / 4), all);
  return Object.freeze({
    process: all,
    tenant,
    run: Math.min(set.run ?? Math.floor(tenant / 2), tenant),
    cells: Math.min(set.cells ?? Math.min(4_000_000, Math.floor(heap / 512)), MOST_COMPUTED.cells),
    computed: Math.min(set.computed ?? Math.floor(heap / 16), MOST_COMPUTED.bytes),
    results: set.results ?? Math.min(64 * MIB, Math.floor(heap / 32)),
  });
}

/** The rows of a run do not fit, and waiting does not help; `limit` names what they are too large for. */
export class RowsTooLarge extends Error {
  override readonly name = "RowsTooLarge";
  readonly limit: "run" | "tenant" | "process";
  /** bytes that the run has and wanted */
  readonly wanted: number;
  constructor(limit: RowsTooLarge["limit"], wanted: number) {
    super(`rows of ${wanted} bytes exceed the limit of the ${limit}`);
    this.limit = limit;
    this.wanted = wanted;
  }
}

/** How long a run waits for others. */
export interface Patience {
  readonly clock: Clock;
  /** the clock reading at which it gives up */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** The memory of one run's rows. */
export interface RunMemory {
  readonly limits: RowLimits;
  /**
   * Takes so many bytes once they are free. Resolves to false where the signal aborts before. Throws
   * {@link RowsTooLarge} where the run may not have them, or they do not come free in time.
   */
  take(bytes: number, patience: Patience): Promise<boolean>;
  /** Takes so many bytes if they are free and nobody has to wait for them; says whether it has. */
  takeNow(bytes: number): boolean;
  /** Takes bytes of what is there already and may not be lost: an effect's answer. */
  note(bytes: number): void;
  /** Gives back what turned out not to be needed. */
  give(bytes: number): void;
  /** Gives everything back: nothing of the run is held any more. */
  close(): void;
}

interface Waiter {
  readonly account: Account;
  readonly bytes: number;
  readonly grant: () => void;
}

interface Account {
  readonly tenant: string;
  held: number;
}

/**
 * The memory that the rows of all runs of a process share. A run whose rows do not fit beside those of others
 * waits until they end, and never holds what others wait for while it waits for them: bytes are given only where
 * all runs that hold any can still come to their limit one after another (the banker's algorithm). Of those who
 * wait, the tenant that holds least comes first.
 */
export class RowMemory {
  readonly limits: RowLimits;
  readonly #accounts = new Set<Account>();
  readonly #waiters = new Set<Waiter>();

  constructor(limits: RowLimits = rowLimits()) {
    this.limits = limits;
  }

  /** Bytes that are held now, of all runs and of one tenant's. */
  held(tenant?: string): number {
    let sum = 0;
    for (const each of this.#accounts) {
      if (tenant === undefined || each.tenant === tenant) sum += each.held;
    }
    return sum;
  }

  /** How many requests for memory wait. */
  get waiting(): number {
    return this.#waiters.size;
  }

  open(tenant: string): RunMemory {
    const account: Account = { tenant, held: 0 };
    this.#accounts.add(account);
    const change = (bytes: number): void => {
      account.held = Math.max(0, account.held + bytes);
      if (bytes < 0) this.#serve();
    };
    return {
      limits: this.limits,
      take: (bytes, patience) => this.#take(account, bytes, patience),
      takeNow: (bytes) => this.#takeNow(account, bytes),
      note: change,
      give: (bytes) => change(-bytes),
      close: () => {
        this.#accounts.delete(account);
        change(-account.held);
      },
    };
  }

  async #take(account: Account, bytes: number, patience: Patience): Promise<boolean> {
    const wanted = account.held + bytes;
    if (wanted > this.limits.run) throw new RowsTooLarge("run", wanted);
    return this.#takeNow(account, bytes) || this.#wait(account, bytes, patience);
  }

  #takeNow(account: Account, bytes: number): boolean {
    if (account.held + bytes > this.limits.run) return false;
    const isBehind =
      account.held === 0 &&
      [...this.#waiters].some(({ account: { tenant } }) => tenant === account.tenant);
    if (isBehind || !this.#isSafe(account, bytes)) return false;
    account.held += bytes;
    return true;
  }

  async #wait(account: Account, bytes: number, patience: Patience): Promise<boolean> {
    const { clock, deadline, signal } = patience;
    const over = new AbortController();
    const until = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
    let grant = (): void => undefined;
    const granted = new Promise<true>((resolve) => {
      grant = () => resolve(true);
    });
    const waiter: Waiter = { account, bytes, grant };
    this.#waiters.add(waiter);
    try {
      const late = clock
        .sleep(Math.max(0, deadline - clock.now()), until)
        .then(() => false as const);
      if (await Promise.race([granted, late])) return true;
      if (signal?.aborted === true) return false;
      const own = this.held(account.tenant) + bytes > this.limits.tenant;
      throw new RowsTooLarge(own ? "tenant" : "process", account.held + bytes);
    } finally {
      this.#waiters.delete(waiter);
      over.abort();
    }
  }

  /** Gives to those who wait what is free by now: to each tenant in turn, and of one in the order they came. */
  #serve(): void {
    if (this.#waiters.size === 0) return;
    const held = new Map<string, number>();
    const of = (tenant: string): number => {
      const sum = held.get(tenant) ?? this.held(tenant);
      held.set(tenant, sum);
      return sum;
    };
    const inTurn = [...this.#waiters].toSorted(
      (a, b) => of(a.account.tenant) - of(b.account.tenant),
    );
    const passed = new Set<string>();
    for (const waiter of inTurn) {
      const { account, bytes, grant } = waiter;
      // Who holds nothing lets those go first who do: they end, and give it back.
      const mayStart = account.held > 0 || !passed.has(account.tenant);
      if (mayStart && account.held + bytes <= this.limits.run && this.#isSafe(account, bytes)) {
        account.held += bytes;
        this.#waiters.delete(waiter);
        grant();
      } else {
        passed.add(account.tenant);
      }
    }
  }

  /** Whether all who hold memory could still come to their limit, one after another, after this one has got more. */
  #isSafe(candidate: Account, bytes: number): boolean {
    const { process, tenant, run } = this.limits;
    // Who is alone comes to its limit where one of all and one of its tenant's may be as large.
    if (this.#accounts.size === 1 && this.#accounts.has(candidate))
      return run <= process && run <= tenant;
    const holders = [...this.#accounts]
      .map((each) => ({ tenant: each.tenant, held: each.held + (each === candidate ? bytes : 0) }))
      .filter(({ held }) => held > 0)
      // What each still needs is least where it holds most; who can end first gives back first.
      .toSorted((a, b) => b.held - a.held);
    const free = new Map<string, number>();
    let freeOfAll = process;
    for (const each of holders) {
      freeOfAll -= each.held;
      free.set(each.tenant, (free.get(each.tenant) ?? tenant) - each.held);
    }
    for (const each of holders) {
      const own = free.get(each.tenant) ?? 0;
      const needs = Math.max(0, run - each.held);
      if (needs > freeOfAll || needs > own) return false;
      freeOfAll += each.held;
      free.set(each.tenant, own + each.held);
    }
    return freeOfAll >= 0;
  }
}
