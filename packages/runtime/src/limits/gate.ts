import { HostWindow, type Passage } from "./host-window.ts";
import { FIXED, RunStop } from "./limits.ts";

/** Until when requests with a host and credential must wait, in clock milliseconds (RUN-025). */
export interface RatePauses {
  set(key: string, until: number): void;
  until(key: string): number;
}

/** From so many on, pauses that are over are forgotten, and what hosts refused that are asked nothing. */
const MOST = 1_000;
const LONG_MS = 600_000;

/**
 * The pauses of one run. Those that a run would wait out hold for all runs that share a host; a longer one ends this
 * run's requests alone (RUN-025): another run asks again, so that what an API once said of hours, or said wrongly,
 * does not bar it for as long as the process lives.
 */
export function pausesOfRun(shared: RatePauses, now: () => number): RatePauses {
  const own = createRatePauses();
  return Object.freeze({
    set(key: string, until: number) {
      own.set(key, until);
      if (until - now() <= FIXED.retryAfterCapMs) shared.set(key, until);
    },
    until: (key: string) => Math.max(own.until(key), shared.until(key)),
  });
}

/** No pauses yet. */
export function createRatePauses(): RatePauses {
  const pauses = new Map<string, number>();
  return Object.freeze({
    set(key: string, until: number) {
      // Those that are long over are forgotten: hosts come and go as long as the process lives.
      if (pauses.size >= MOST)
        for (const [one, end] of pauses) if (end < until - LONG_MS) pauses.delete(one);
      pauses.set(key, Math.max(until, pauses.get(key) ?? 0));
    },
    until: (key: string) => pauses.get(key) ?? 0,
  });
}

/** Lets at most so many requests of a run go at once, in all and per host, in order of arrival (RUN-022, PLAN-060). */
export interface Gate {
  /** `judge` says what became of the request (RUN-214). Throws RunStop where the run ends while the task waits. */
  run<T>(host: string, task: () => Promise<T>, judge?: (result: T) => Passage): Promise<T>;
  /** how many requests of all runs have passed at a host: a number to compare with itself */
  passed(host: string): number;
}

interface Waiting {
  readonly host: string;
  readonly start: (entered: number) => void;
  readonly refuse: (why: RunStop) => void;
}

/** A run at a gate that others share. */
interface AtGate {
  readonly perRun: number;
  total: number;
  /** in order of arrival */
  readonly waiting: Waiting[];
}

/** What ends the waiting of a run, besides its turn. */
export interface RunEnd {
  readonly signal: AbortSignal | undefined;
  /** milliseconds that are left of its wall time */
  wallLeft(): number;
}

/** The longest time that a timer takes: a longer one would be over at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The end of the run, while any of it waits. */
function watchEnd({ waiting }: AtGate, { signal, wallLeft }: RunEnd): () => void {
  const stop = (reason: "cancelled" | "wall"): void => {
    for (const one of waiting.splice(0)) one.refuse(new RunStop(reason));
  };
  const cancel = (): void => stop("cancelled");
  const left = wallLeft();
  const timer = setTimeout(() => stop("wall"), Math.max(1, left < LONGEST_MS ? left : LONGEST_MS));
  signal?.addEventListener("abort", cancel, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  };
}

/**
 * What the runs of one tenant share in this process: how many requests go to a host at once, however many runs there are,
 * and until when a host that limits its callers is not asked. Runs that wait for a host take turns.
 */
export class TenantHosts {
  readonly pauses: RatePauses = createRatePauses();
  readonly #perHost: number;
  readonly #windows = new Map<string, HostWindow>();
  /** runs that wait, the one whose turn is next first */
  readonly #turns = new Set<AtGate>();

  constructor(perHost: number) {
    this.#perHost = perHost;
  }

  /** Whether no request is under way, and none waits. */
  get isIdle(): boolean {
    return this.#turns.size === 0 && [...this.#windows.values()].every(({ isActive }) => !isActive);
  }

  /** The gate of one run. */
  gate(perRun: number, end: RunEnd | null = null): Gate {
    const run: AtGate = { perRun, total: 0, waiting: [] };
    let unwatch: (() => void) | null = null;
    const turn = async (host: string): Promise<number> => {
      if (end !== null) unwatch ??= watchEnd(run, end);
      this.#turns.add(run);
      try {
        return await new Promise<number>((start, refuse) => {
          run.waiting.push({ host, start, refuse });
        });
      } finally {
        if (run.waiting.length === 0) {
          this.#turns.delete(run);
          unwatch?.();
          unwatch = null;
        }
      }
    };
    return {
      run: async (host, task, judge = () => "passed") => {
        // Where there is a place, nobody waits for it.
        const entered = this.#isFree(run, host) ? this.#enter(run, host) : await turn(host);
        let passage: Passage = "nothing";
        try {
          const result = await task();
          passage = judge(result);
          return result;
        } finally {
          this.#leave(run, host, entered, passage);
        }
      },
      passed: (host) => this.#windows.get(host)?.passed ?? 0,
    };
  }

  #isFree({ total, perRun }: AtGate, host: string): boolean {
    return total < perRun && (this.#windows.get(host)?.isFree ?? true);
  }

  /** Which of those who wait may go first, in order of arrival; below 0 where none may. */
  #nextOf(run: AtGate): number {
    if (run.total >= run.perRun) return -1;
    // Most wait for one host, which is looked at once.
    let full = "";
    return run.waiting.findIndex(({ host }) => {
      if (host === full) return false;
      if (this.#isFree(run, host)) return true;
      full = host;
      return false;
    });
  }

  #window(host: string): HostWindow {
    const known = this.#windows.get(host);
    if (known !== undefined) return known;
    if (this.#windows.size >= MOST) {
      for (const [name, { isActive }] of this.#windows) if (!isActive) this.#windows.delete(name);
    }
    const made = new HostWindow(this.#perHost);
    this.#windows.set(host, made);
    return made;
  }

  #enter(run: AtGate, host: string): number {
    run.total += 1;
    return this.#window(host).enter();
  }

  #leave(run: AtGate, host: string, entered: number, passage: Passage): void {
    const window = this.#window(host);
    window.leave(entered, passage);
    if (window.isAsNew) this.#windows.delete(host);
    run.total -= 1;
    this.#admit();
  }

  /** Lets in whoever may, one of each run at a time. */
  #admit(): void {
    for (let isAny = true; isAny;) {
      isAny = false;
      for (const run of this.#turns) {
        const at = this.#nextOf(run);
        if (at === -1) continue;
        const [next] = run.waiting.splice(at, 1);
        if (next === undefined) continue;
        isAny = true;
        const entered = this.#enter(run, next.host);
        this.#turns.delete(run);
        if (run.waiting.length > 0) this.#turns.add(run);
        next.start(entered);
        break;
      }
    }
  }
}

/** What all runs of a process share of hosts, each tenant for itself (RUN-022, RUN-025). */
export interface SharedHosts {
  of(tenant: string): TenantHosts;
}

/** Tenants that are remembered although none of their requests is under way: for their pauses. */
const MOST_IDLE = 1_000;

/** No requests yet. */
export function createSharedHosts(perHost: number = FIXED.perHost): SharedHosts {
  const tenants = new Map<string, TenantHosts>();
  return {
    of: (tenant) => {
      const known = tenants.get(tenant);
      if (known !== undefined) return known;
      if (tenants.size >= MOST_IDLE) {
        for (const [name, one] of tenants) if (one.isIdle) tenants.delete(name);
      }
      const made = new TenantHosts(perHost);
      tenants.set(tenant, made);
      return made;
    },
  };
}
