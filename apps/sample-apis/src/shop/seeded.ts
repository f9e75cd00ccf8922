/** Numbers that look random and are the same at every start. */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 up to, not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.between(0, list.length - 1)];
    if (picked === undefined) throw new Error("nothing to pick from");
    return picked;
  }

  /** Up to `most` different elements, in the order of the list. */
  some<T>(list: readonly T[], most: number): readonly T[] {
    const wanted = this.between(0, most);
    const chosen = new Set<T>();
    for (let tries = 0; tries < wanted; tries++) chosen.add(this.pick(list));
    return list.filter((one) => chosen.has(one));
  }

  /** A moment between two days, to the minute. */
  moment(from: string, to: string): Date {
    const start = Date.parse(from) / 60_000;
    return new Date(this.between(start, Date.parse(to) / 60_000) * 60_000);
  }

  day(from: string, to: string): string {
    return this.moment(from, to).toISOString().slice(0, 10);
  }
}

/** A moment as RFC 3339 without fractions of a second. */
export const rfc3339 = (moment: Date): string => moment.toISOString().replace(".000Z", "Z");

export const unixSeconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
