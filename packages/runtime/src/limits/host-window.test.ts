import fc from "fast-check";
import { expect, test } from "vitest";
import { HostWindow, type Passage } from "./host-window.ts";

/** How many go at once. */
function room(window: HostWindow): number {
  const entered: number[] = [];
  while (window.isFree) entered.push(window.enter());
  for (const each of entered) window.leave(each, "nothing");
  return entered.length;
}

function pass(window: HostWindow, times: number): void {
  for (let n = 0; n < times; n += 1) window.leave(window.enter(), "passed");
}

test("RUN-214 halved once for all that went together, then one more for as many as go", () => {
  const window = new HostWindow(6);
  const entered = Array.from({ length: 6 }, () => window.enter());
  expect(window.isFree).toBe(false);
  for (const each of entered) window.leave(each, "refused");
  expect(room(window)).toBe(3);
  pass(window, 3);
  expect(room(window)).toBe(4);
  pass(window, 4);
  expect(room(window)).toBe(5);
  pass(window, 99);
  expect(room(window)).toBe(5);
  pass(window, 1);
  expect([room(window), window.isAsNew]).toEqual([6, true]);
});

test("RUN-214 one goes whatever is refused, and two after a hundred", () => {
  const window = new HostWindow(6);
  for (let n = 0; n < 5; n += 1) window.leave(window.enter(), "refused");
  expect(room(window)).toBe(1);
  pass(window, 99);
  expect(room(window)).toBe(1);
  pass(window, 1);
  expect(room(window)).toBe(2);
});

test("RUN-214 whatever becomes of requests, between one and six go at once", () => {
  const passage = fc.constantFrom<Passage>("passed", "refused", "nothing");
  const steps = fc.array(fc.tuple(fc.nat(8), passage), { maxLength: 400 });
  fc.assert(
    fc.property(steps, (all) => {
      const window = new HostWindow(6);
      const open: number[] = [];
      for (const [at, what] of all) {
        if (at > 3 && window.isFree) open.push(window.enter());
        else {
          const [entered] = open.splice(at % Math.max(1, open.length), 1);
          if (entered !== undefined) window.leave(entered, what);
        }
        expect(open.length).toBeLessThanOrEqual(6);
      }
      for (const entered of open) window.leave(entered, "nothing");
      expect(room(window)).toBeGreaterThanOrEqual(1);
      expect(room(window)).toBeLessThanOrEqual(6);
    }),
  );
});
