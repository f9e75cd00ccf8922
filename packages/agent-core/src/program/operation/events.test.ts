import { expect, test } from "vitest";
import type { OperationRecord } from "../../records/operations.ts";
import { OperationNews, type OperationNote } from "./events.ts";

const PLACE = { scope: "t1", id: "l1/o1" };

const record = (event: number): OperationRecord =>
  ({
    n: 1,
    ref: "pc0",
    principal: "t1/ann",
    state: "running",
    event,
    step: { k: 1, of: 2, label: "boats", rows: event },
    verdict: "review",
  }) as OperationRecord;

const listening = (news: OperationNews): OperationNote[] => {
  const heard: OperationNote[] = [];
  news.listen((note) => heard.push(note));
  return heard;
};

const numbers = (heard: readonly OperationNote[]): readonly number[] => heard.map(({ n }) => n);

test("OPS-23 an event that comes twice, or after a later one, is told once and in order", async () => {
  const news = new OperationNews(async () => "s0");
  const heard = listening(news);
  for (const event of [2, 2, 3, 2, 4]) await news.tell(PLACE, record(event));
  expect(numbers(heard)).toEqual([2, 3, 4]);
  expect(heard[0]?.line).toBe("s0_o1 ~ step 1/2 · boats · 2 rows");
});

test("OPS-23 an event that a later one overtakes is not told after it", async () => {
  const waiting: (() => void)[] = [];
  const news = new OperationNews(async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return "s0";
  });
  const heard = listening(news);
  const told = [news.tell(PLACE, record(2)), news.tell(PLACE, record(3))];
  for (const go of waiting.toReversed()) go();
  await Promise.all(told);
  expect(numbers(heard)).toEqual([3]);
});

test("events of other operations, and of the same id in another scope, have numbers of their own", async () => {
  const news = new OperationNews(async () => "s0");
  const heard = listening(news);
  const places = [PLACE, { ...PLACE, scope: "t2" }, { ...PLACE, id: "l1/o2" }];
  for (const place of places) await news.tell(place, record(2));
  expect(numbers(heard)).toEqual([2, 2, 2]);
});
