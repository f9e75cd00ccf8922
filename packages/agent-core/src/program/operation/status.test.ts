import { describe, expect, it } from "vitest";
import type { OperationRecord, OperationEnding, OperationStep } from "../../records/operations.ts";
import { lineOf, statusMeta, statusOf } from "./status.ts";

const STEP: OperationStep = { k: 3, of: 8, label: "issues", rows: 42 };
const OUTCOME: OperationEnding = { rows: 0, code: null, label: null, effectsDone: 0, inDoubt: 0 };

/** A record of which a line tells nothing but this. */
const record = (over: Partial<OperationRecord>): OperationRecord =>
  ({
    ref: "pc0",
    verdict: "review",
    state: "running",
    event: 7,
    step: STEP,
    outcome: null,
    ...over,
  }) as OperationRecord;

const polled = (event: number, k: number, rows: number) => ({ event, step: { k, rows } });

const cases: readonly [
  string,
  OperationRecord,
  ReturnType<typeof polled> | null,
  string,
  object,
][] = [
  [
    "accepted",
    record({ state: "accepted", event: 1 }),
    null,
    "s0_o1 + pc0 review",
    { n: 1, "~": "+" },
  ],
  [
    "running, news",
    record({}),
    polled(6, 3, 40),
    "s0_o1 ~ step 3/8 · issues · 42 rows",
    { n: 7, "~": "~", s: "3/8", l: "issues", r: 42 },
  ],
  ["no event since the last poll", record({}), polled(7, 3, 42), "s0_o1 =", { n: 7, "~": "=" }],
  [
    "none, but rows moved below the threshold",
    record({ step: { ...STEP, rows: 61 } }),
    polled(7, 3, 42),
    "s0_o1 = step 3/8 · 61 rows",
    { n: 7, "~": "=", s: "3/8", r: 61 },
  ],
  [
    "succeeded",
    record({ state: "succeeded", outcome: { ...OUTCOME, rows: 120 } }),
    null,
    "s0_o1 ! 120 rows",
    { n: 7, "~": "!", r: 120 },
  ],
  [
    "cancelled",
    record({ state: "cancelled", outcome: { ...OUTCOME, rows: 42, effectsDone: 2 } }),
    null,
    "s0_o1 x step 3/8 · 42 rows kept · 2 effects done",
    { n: 7, "~": "x", s: "3/8", r: 42 },
  ],
  [
    "failed",
    record({
      state: "failed",
      step: { ...STEP, k: 5 },
      outcome: {
        ...OUTCOME,
        code: "upstream_error",
        label: "close",
        effectsDone: 2,
        inDoubt: 1,
      },
    }),
    null,
    "s0_o1 ? step 5/8 · close · upstream_error · 2 effects done · 1 in doubt",
    { n: 7, "~": "?", s: "5/8", l: "close" },
  ],
];

/** OPS-18: handle, blank, signal, body; what is not known is left out. */
const GRAMMAR =
  /^s\d+_o\d+ (\+ pc\d+ (ok|review)|~ step \d+\/\d+( · [^·\n]+)? · \d+ rows|=( step \d+\/\d+ · \d+ rows)?|! \d+ rows|x step \d+\/\d+ · \d+ rows kept( · \d+ effects done)?( · \d+ in doubt)?|\? step \d+\/\d+( · [^·\n]+)?( · [a-z_-]+)( · \d+ effects done)?( · \d+ in doubt)?)$/;

describe("OPS-18, OPS-21: a line and its block (L35, L37, L38, L39)", () => {
  it.each(cases)("%s", (_, value, poll, line, meta) => {
    const told = statusOf(value, value.step, poll);
    expect(lineOf("s0_o1", told)).toBe(line);
    expect(line).toMatch(GRAMMAR);
    expect(statusMeta(told)).toEqual(meta);
    expect(Object.keys(meta).every((name) => ["n", "~", "s", "l", "r"].includes(name))).toBe(true);
  });

  it("leaves out a label that no node has", () => {
    const value = record({ step: { ...STEP, label: null } });
    expect(lineOf("s0_o1", statusOf(value, value.step, null))).toBe("s0_o1 ~ step 3/8 · 42 rows");
  });
});
