import { describe, expect, it } from "vitest";
import { shareSync } from "./shared-sync.ts";

/** A disk whose syncs end when the test says so. */
function slowDisk() {
  const ends: { done: () => void; fail: (why: Error) => void }[] = [];
  const sync = () =>
    new Promise<void>((resolve, reject) => ends.push({ done: resolve, fail: reject }));
  return { ends, disk: shareSync(sync) };
}

/** What has happened of some promises so far. */
function watch(promises: Readonly<Record<string, Promise<void>>>): () => readonly string[] {
  const settled: string[] = [];
  for (const [name, promise] of Object.entries(promises)) {
    promise.then(
      () => settled.push(name),
      (why: Error) => settled.push(`${name}: ${why.message}`),
    );
  }
  return () => settled;
}

/** Lets all promises that can go on do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("writes that share a sync", () => {
  it("with nothing written ask for nothing", async () => {
    const { ends, disk } = slowDisk();
    await disk.reached();
    expect(ends).toHaveLength(0);
  });

  it("are behind until the disk has them", async () => {
    const { ends, disk } = slowDisk();
    disk.wrote(2);
    const told = disk.reached();
    disk.wrote(3);
    expect(disk.behind).toBe(5);
    ends[0]?.done();
    await told;
    expect(disk.behind).toBe(3);
  });

  it("wait until the disk has them, and together", async () => {
    const { ends, disk } = slowDisk();
    disk.wrote(1);
    disk.wrote(1);
    const told = watch({ a: disk.reached(), b: disk.reached() });
    await settle();
    expect([ends.length, told()]).toEqual([1, []]);
    ends[0]?.done();
    await settle();
    expect(told()).toEqual(["a", "b"]);
    await disk.reached();
    expect(ends).toHaveLength(1);
  });

  it("wait for the next one, together, where one began before they were written", async () => {
    const { ends, disk } = slowDisk();
    disk.wrote(1);
    const first = disk.reached();
    disk.wrote(1);
    disk.wrote(1);
    const told = watch({ first, b: disk.reached(), c: disk.reached() });
    ends[0]?.done();
    await settle();
    expect([ends.length, told()]).toEqual([2, ["first"]]);
    ends[1]?.done();
    await settle();
    expect(told()).toEqual(["first", "b", "c"]);
  });

  it("all fail that a failed one was to cover, and no later one", async () => {
    const { ends, disk } = slowDisk();
    disk.wrote(1);
    const [a, b] = [disk.reached(), disk.reached()];
    disk.wrote(1);
    const told = watch({ a, b, c: disk.reached() });
    ends[0]?.fail(new Error("the disk is gone"));
    await settle();
    expect(told()).toEqual(["a: the disk is gone", "b: the disk is gone"]);
    ends[1]?.done();
    await settle();
    expect(told().at(-1)).toBe("c");
  });
});
