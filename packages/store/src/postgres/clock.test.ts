import { expect, test, vi } from "vitest";
import { followClock } from "./clock.ts";

test("it is the database's, however this host's is set, and follows it", async () => {
  vi.useFakeTimers();
  let local = 1_000;
  let ahead = 500_000;
  const read = vi.fn<() => Promise<number>>(async () => local + ahead + 0.4);
  const clock = await followClock(read, () => local, 100);
  expect(clock.now()).toBe(501_000);
  local += 50;
  expect(clock.now()).toBe(501_050);
  ahead = -200;
  await vi.advanceTimersByTimeAsync(100);
  expect(clock.now()).toBe(850);
  read.mockRejectedValueOnce(new Error("down"));
  await vi.advanceTimersByTimeAsync(100);
  expect(clock.now()).toBe(850);
  clock.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});

test("a round trip counts half", async () => {
  let local = 0;
  const clock = await followClock(
    async () => {
      local += 100;
      return 10_050;
    },
    () => local,
  );
  expect(clock.now()).toBe(10_100);
  clock.stop();
});
