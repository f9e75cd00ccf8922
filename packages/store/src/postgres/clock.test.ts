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

test.each([
  ["before", 0],
  ["after", 1],
])(
  "18.8 a process that slept in the middle of a look, %s the database answered, keeps its time",
  async (_when, share) => {
    vi.useFakeTimers();
    let local = 0;
    let asleep = 0;
    const read = async (): Promise<number> => {
      local += 10 + asleep * share;
      const theirs = local + 5_000;
      local += 10 + asleep * (1 - share);
      return theirs;
    };
    const clock = await followClock(read, () => local, 100);
    asleep = 3_600_000;
    await vi.advanceTimersByTimeAsync(100);
    expect(clock.now()).toBe(local + 5_000);
    clock.stop();
    vi.useRealTimers();
  },
);

test("a first look that was slow is put right by the next", async () => {
  vi.useFakeTimers();
  let local = 0;
  let late = 2_000;
  const read = async (): Promise<number> => {
    const theirs = local + 300;
    local += late;
    return theirs;
  };
  const clock = await followClock(read, () => local, 100);
  late = 20;
  await vi.advanceTimersByTimeAsync(100);
  expect(Math.abs(clock.now() - local - 300)).toBeLessThanOrEqual(20);
  clock.stop();
  vi.useRealTimers();
});
