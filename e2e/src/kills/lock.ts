import { deferred, type Deferred } from "../harness/deferred.ts";

/** Which request to hold, and where: when it arrives, or when it is done and the answer is on its way. */
export interface Hold {
  readonly of: "read" | "write";
  readonly when: "arrived" | "answered";
  /** counted from 1 since the last `forget`, among its kind */
  readonly nth: number;
  /** of a write that has arrived: whether it is never performed */
  readonly lost: boolean;
}

interface Held {
  readonly which: Hold;
  readonly reached: Deferred;
  readonly letGo: Deferred;
  /** what was held has been performed, or never will be */
  readonly settled: Deferred;
}

const kindOf = (request: string): Hold["of"] => (request.startsWith("GET ") ? "read" : "write");

const nothing = () => ({ arrived: 0, answered: 0 });

/** Holds at most one request at a time. */
export class Lock {
  #held: Held | null = null;
  #door = 0;
  #counts = { read: nothing(), write: nothing() };

  /** Resolves with the door of the request that is held. */
  get held(): Promise<number> {
    const held = this.#held;
    if (held === null) return Promise.reject(new Error("nothing is to be held"));
    return held.reached.promise.then(() => this.#door);
  }

  hold(which: Hold): void {
    this.#held = { which, reached: deferred(), letGo: deferred(), settled: deferred() };
  }

  /** Resolves when what was held was performed or is lost. */
  async release(): Promise<void> {
    const held = this.#held;
    held?.letGo.resolve();
    await held?.settled.promise;
    this.#held = null;
  }

  forget(): void {
    this.#counts = { read: nothing(), write: nothing() };
  }

  /** Rejects for a request that is to be lost. */
  async arrived(request: string, door: number): Promise<void> {
    const of = kindOf(request);
    this.#counts[of].arrived += 1;
    const held = this.#held;
    if (held === null || !this.#isIt(held, of, "arrived")) return;
    this.#reach(held, door);
    await held.letGo.promise;
    if (held.which.lost || of === "read") held.settled.resolve();
    if (held.which.lost) throw new Error("lost on its way");
  }

  async answered(request: string, door: number): Promise<void> {
    const of = kindOf(request);
    this.#counts[of].answered += 1;
    const held = this.#held;
    if (held === null || held.which.of !== of) return;
    if (of === "write" && this.#counts.write.answered === held.which.nth) held.settled.resolve();
    if (!this.#isIt(held, of, "answered")) return;
    held.settled.resolve();
    this.#reach(held, door);
    await held.letGo.promise;
  }

  #reach(held: Held, door: number): void {
    this.#door = door;
    held.reached.resolve();
  }

  #isIt({ which }: Held, of: Hold["of"], when: Hold["when"]): boolean {
    return which.of === of && which.when === when && which.nth === this.#counts[of][when];
  }
}
