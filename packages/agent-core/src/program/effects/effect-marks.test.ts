import { expect, it } from "vitest";
import type { Plan } from "@plasm/core";
import type { Cursor, EffectEntry, RunOutcome } from "@plasm/runtime";
import { marksOf, type RunMarks } from "./effect-marks.ts";

/** A read, an update on quay, a read, an update on yard: stages as PLAN-004 counts them. */
const plan = {
  nodes: [
    { id: "n1", stage: 0 },
    { id: "n2", stage: 0 },
    { id: "n3", stage: 1 },
    { id: "n4", stage: 1 },
  ],
} as unknown as Plan;

const effect = (node: string, entryId: string, status: EffectEntry["status"] = "done") =>
  ({ node, entryId, status }) as EffectEntry;
const cursorOf = (stage: number): Cursor =>
  ({ stage, digests: { quay: "q", yard: "y" } }) as unknown as Cursor;

const fresh: RunMarks = { before: { quay: 4, yard: 7 }, own: { quay: 6, yard: 9 }, resumed: false };
const done = [effect("n2", "quay"), effect("n4", "yard")];

it.each([
  ["before both effects", 0, done, fresh, { quay: -1, yard: -1 }],
  ["between them", 1, done, fresh, { quay: 6, yard: -1 }],
  ["after both", 2, done, fresh, { quay: 6, yard: 9 }],
  ["where none was performed", 0, [], { ...fresh, own: {} }, { quay: 4, yard: 7 }],
  [
    "where they were held back",
    0,
    [effect("n2", "quay", "skipped"), effect("n4", "yard", "in_doubt")],
    { ...fresh, own: { yard: 8 } },
    { quay: 4, yard: -1 },
  ],
  [
    "by an attempt that another one resumed",
    2,
    done,
    { ...fresh, resumed: true },
    { quay: -1, yard: -1 },
  ],
] as const)("PLAN-083: the marks of rows read %s", (_when, stage, effects, marks, expected) => {
  const outcome = { effects } as unknown as RunOutcome;
  expect(marksOf(cursorOf(stage), plan, outcome, marks)).toEqual(expected);
});
