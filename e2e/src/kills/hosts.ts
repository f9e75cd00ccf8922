import { HostProcess, type HostOptions } from "./host-process.ts";
import type { StopPoint } from "./protocol.ts";

/** More than a lease (OPS-31): the store's clock is put ahead so far at each death. */
const LEASE_PASSED_MS = 31_000;

/** Places of hosts on one store; a place is empty or has one that lives. */
export class Hosts {
  readonly #options: readonly Omit<HostOptions, "clockAhead">[];
  readonly #up = new Map<number, HostProcess>();
  #clockAhead = 0;

  constructor(options: readonly Omit<HostOptions, "clockAhead">[]) {
    this.#options = options;
  }

  /** The one at a place, started if there is none. */
  async at(place: number): Promise<HostProcess> {
    const there = this.#up.get(place);
    if (there !== undefined) return there;
    const options = this.#options[place];
    if (options === undefined) throw new Error(`There is no place ${place}`);
    const host = await HostProcess.start({ ...options, clockAhead: this.#clockAhead });
    this.#up.set(place, host);
    return host;
  }

  /** Those that live, with their places. */
  get up(): readonly (readonly [number, HostProcess])[] {
    return [...this.#up];
  }

  /** Has all of them stand still at a point, or at none. */
  async stopAt(point: StopPoint | null): Promise<void> {
    await Promise.all(this.up.map(([, host]) => host.stopAt(point)));
  }

  async kill(place: number): Promise<void> {
    const host = this.#up.get(place);
    this.#up.delete(place);
    await host?.kill();
  }

  /** Every lease that somebody has now is one that has lapsed; who is asleep hears of it when awake. */
  async leasesLapse(asleep: readonly number[] = []): Promise<void> {
    this.#clockAhead += LEASE_PASSED_MS;
    const by = this.#clockAhead;
    const heard = this.up.map(async ([place, host]) => {
      const told = host.ask({ call: "put clock ahead", by });
      if (!asleep.includes(place)) await told;
    });
    await Promise.all(heard);
  }

  /** Lets all end by themselves: only so what they compiled is kept for those that start later. */
  async end(): Promise<void> {
    const all = this.up.map(([, host]) => host.end());
    this.#up.clear();
    await Promise.all(all);
  }
}
