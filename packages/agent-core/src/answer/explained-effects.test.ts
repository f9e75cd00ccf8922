import type { ExplainedEffect } from "@plasm/runtime";
import fc from "fast-check";
import { expect, test } from "vitest";
import { changedPart, explainedLines, explainedMeta } from "./explained-effects.ts";

test.each([
  [
    "a".repeat(100),
    `${"a".repeat(50)}b${"a".repeat(50)}`,
    `…${"a".repeat(48)}…`,
    `…${"a".repeat(24)}b${"a".repeat(24)}…`,
  ],
  ["one two", "one 2", "one two", "one 2"],
  ["", "new", "", "new"],
  [`x${"s".repeat(30)}`, `y${"s".repeat(30)}`, `x${"s".repeat(24)}…`, `y${"s".repeat(24)}…`],
])("LANG-056 %# what differs is shown with what is around it", (before, after, from, to) => {
  expect(changedPart(before, after, 80)).toMatchObject({ before: from, after: to });
});

test("LANG-056 of many changes the first and the last are shown", () => {
  const text = (word: string) => `${word}${" and ".repeat(100)}${word}.`;
  const { before, after } = changedPart(text("old"), text("new"), 40);
  expect(before).toMatch(/^old and .*… \(\+\d+\) ….* and old\.$/);
  expect(after).toMatch(/^new and .*… \(\+\d+\) ….* and new\.$/);
  expect(before.length).toBeLessThan(120);
});

test("LANG-056 whatever changes, no pair of surrogates is torn, and the parts are bounded", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "🚢", "🚣", "b"), maxLength: 120 });
  fc.assert(
    fc.property(text, text, text, text, (head, old, other, tail) => {
      const { before, after } = changedPart(head + old + tail, head + other + tail, 20);
      for (const part of [before, after]) {
        expect(Buffer.from(part).toString()).toBe(part);
        expect(part.length).toBeLessThan(20 + 48 + 40);
      }
      expect(before === after).toBe(old === other);
    }),
  );
});

const cancel = (over: Partial<ExplainedEffect["preconditions"][number]>): ExplainedEffect => ({
  node: "n1",
  row: null,
  entryId: "shop",
  entity: "Order",
  capability: "order_cancel",
  label: "cancel",
  target: "Order:o1",
  args: {},
  kind: "action",
  changes: [],
  preconditions: [
    {
      needs: "status in [pending, paid]",
      description: "",
      of: "Order:o1",
      field: "status",
      has: "pending",
      holds: true,
      ...over,
    },
  ],
  error: null,
  behind: null,
});

const lineOf = (over: Parameters<typeof cancel>[0]): string | undefined =>
  explainedLines([cancel(over)], 1000, (text) => text.length)[0];

test.each<[Parameters<typeof cancel>[0], string]>([
  [{}, "needs status in [pending, paid]: holds"],
  [
    { has: "sent", holds: false },
    'needs status in [pending, paid]: does not hold, status is "sent"',
  ],
  [
    { has: "sent", holds: false, description: "it is on its way" },
    'needs status in [pending, paid] (it is on its way): does not hold, status is "sent"',
  ],
  [{ has: undefined, holds: null }, "needs status in [pending, paid]: not known"],
  [{ has: null, holds: false }, "needs status in [pending, paid]: does not hold, status is null"],
])("17.17 OPS-38 the line of an effect says whether what it needs holds: %j", (over, says) => {
  expect(lineOf(over)).toBe(`n1 cancel shop.Order o1 · ${says}`);
});

test("17.17 _meta has each precondition with what the row has, and none where there is none", () => {
  const [meta] = explainedMeta([cancel({ has: "sent", holds: false })]);
  expect(meta?.["preconditions"]).toEqual([
    {
      needs: "status in [pending, paid]",
      of: "Order:o1",
      field: "status",
      has: "sent",
      holds: false,
    },
  ]);
  const [without] = explainedMeta([{ ...cancel({}), preconditions: [] }]);
  expect(without).not.toHaveProperty("preconditions");
});
