import type { OperationKey, OperationQueue } from "../ports.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** Queues under test: as many as there are processes that can serve one store. */
export interface QueuesUnderTest {
  /** The first and, where a second process brings work to the same ones, another. */
  readonly queues: readonly [OperationQueue, ...OperationQueue[]];
  readonly dispose: () => Promise<void>;
}

const PATIENCE = { timeout: 10_000, interval: 20 };

const place = (id: string): OperationKey => ({ scope: "t1", id: `l1/"${id}"` });

/** Attempts of which the test says when they are over. */
class Attempts {
  readonly begun: string[] = [];
  readonly #over = new Map<string, () => void>();

  readonly run = async ({ id }: OperationKey): Promise<void> => {
    this.begun.push(id);
    await new Promise<void>((resolve) => this.#over.set(id, resolve));
  };

  end({ id }: OperationKey): void {
    this.#over.get(id)?.();
  }
}

/** What each test of the contract has at hand. */
function useQueues(make: () => Promise<QueuesUnderTest>) {
  let under: QueuesUnderTest | undefined;
  const get = (): QueuesUnderTest => {
    if (under === undefined) throw new Error("There are no queues");
    return under;
  };
  beforeEach(async () => {
    under = await make();
  });
  afterEach(() => under?.dispose());
  return {
    get,
    first: (): OperationQueue => get().queues[0],
    last: (): OperationQueue => get().queues.at(-1) ?? get().queues[0],
  };
}

const [a, b, c] = [place("a"), place("b"), place("c")];

function workContract(name: string, make: () => Promise<QueuesUnderTest>): void {
  const { get, first, last } = useQueues(make);
  let attempts: Attempts;
  beforeEach(() => {
    attempts = new Attempts();
  });
  const workAll = (run = attempts.run): void => {
    for (const queue of get().queues) queue.work(run);
  };

  describe(`${name}: work`, () => {
    it("brings each operation that is submitted to one attempt, several at a time", async () => {
      workAll();
      for (const one of [a, b, c]) await first().submit(one);
      await expect.poll(() => attempts.begun.toSorted(), PATIENCE).toEqual([a.id, b.id, c.id]);
      for (const one of [a, b, c]) attempts.end(one);
    });

    it("has one attempt at an operation at a time, however often it is submitted (OPS-31)", async () => {
      workAll();
      await first().submit(a);
      await expect.poll(() => attempts.begun, PATIENCE).toEqual([a.id]);
      for (const queue of get().queues) await queue.submit(a);
      await first().submit(b);
      await expect.poll(() => attempts.begun, PATIENCE).toEqual([a.id, b.id]);
      for (const one of [a, b]) attempts.end(one);
    });

    it("brings an operation again that is submitted when its attempt is over", async () => {
      workAll();
      await first().submit(a);
      await expect.poll(() => attempts.begun, PATIENCE).toEqual([a.id]);
      attempts.end(a);
      // Submitted until it is taken: the attempt may end a little later than it says.
      const again = async (): Promise<number> => {
        await last().submit(a);
        return attempts.begun.length;
      };
      await expect.poll(again, PATIENCE).toBe(2);
      attempts.end(a);
    });

    it("goes on after an attempt that throws", async () => {
      const begun: string[] = [];
      workAll(async ({ id }) => {
        begun.push(id);
        if (id === a.id) throw new Error("The store is away");
      });
      await first().submit(a);
      await expect.poll(() => begun, PATIENCE).toContain(a.id);
      await first().submit(b);
      await expect.poll(() => begun, PATIENCE).toContain(b.id);
    });

    it("rest resolves when attempts under way are over, and takes up no more", async () => {
      first().work(attempts.run);
      await first().submit(a);
      await expect.poll(() => attempts.begun, PATIENCE).toEqual([a.id]);
      let rests = false;
      const resting = first()
        .rest()
        .then(() => (rests = true));
      await first().submit(b);
      expect(rests).toBe(false);
      attempts.end(a);
      await resting;
      expect(attempts.begun).toEqual([a.id]);
    });
  });
}

function newsContract(name: string, make: () => Promise<QueuesUnderTest>): void {
  const { first, last } = useQueues(make);

  describe(`${name}: news`, () => {
    it("calls who listens to an operation after each change, by whatever process", async () => {
      let heard = 0;
      const unlisten = last().listen(a, () => (heard += 1));
      first().announce(a);
      await expect.poll(() => heard, PATIENCE).toBeGreaterThan(0);
      const before = heard;
      first().announce(a);
      await expect.poll(() => heard, PATIENCE).toBeGreaterThan(before);
      unlisten();
    });

    it("calls no more who has ended listening, and others still", async () => {
      let [gone, there] = [0, 0];
      const unlisten = last().listen(a, () => (gone += 1));
      const other = last().listen(a, () => (there += 1));
      unlisten();
      first().announce(a);
      await expect.poll(() => there, PATIENCE).toBeGreaterThan(0);
      expect(gone).toBe(0);
      other();
    });
  });
}

/** What every adapter of the operation queue does, on one process or several. */
export function queueContract(name: string, make: () => Promise<QueuesUnderTest>): void {
  workContract(name, make);
  newsContract(name, make);
}
