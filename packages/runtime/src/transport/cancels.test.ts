import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { Cancels } from "./cancels.ts";

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

describe("a caller that gives up is heard once for all its requests", () => {
  test("each that is under way is told, those that are over are not", () => {
    const [abort, cancels] = [new AbortController(), new Cancels()];
    const told: string[] = [];
    const add = (name: string) => cancels.add(abort.signal, () => told.push(name));
    const over = add("first");
    add("second");
    over();
    add("third");
    expect(listeners(abort.signal)).toBe(1);
    abort.abort();
    expect(told).toEqual(["second", "third"]);
  });

  test("nobody listens where nothing is under way, and the next one is told again", () => {
    const [abort, cancels] = [new AbortController(), new Cancels()];
    const told: string[] = [];
    cancels.add(abort.signal, () => told.push("first"))();
    expect(listeners(abort.signal)).toBe(0);
    cancels.add(abort.signal, () => told.push("second"));
    abort.abort();
    expect(told).toEqual(["second"]);
  });

  test("one that ends as it is told ends once, and callers are apart", () => {
    const [one, other, cancels] = [new AbortController(), new AbortController(), new Cancels()];
    const told: string[] = [];
    const over = cancels.add(one.signal, () => {
      told.push("one");
      over();
    });
    cancels.add(other.signal, () => told.push("other"));
    one.abort();
    over();
    expect(told).toEqual(["one"]);
    expect([listeners(one.signal), listeners(other.signal)]).toEqual([0, 1]);
  });
});
