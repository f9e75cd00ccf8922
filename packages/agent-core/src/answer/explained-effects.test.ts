import type { ExplainedEffect } from "@plasm/runtime";
import { expect, test } from "vitest";
import { explainedLines, explainedMeta } from "./explained-effects.ts";

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
