import type { RunDiagnostic, RunResult } from "@plasm/runtime";
import { expect, it } from "vitest";
import { lackingOf } from "./lacking.ts";

const failed: RunDiagnostic = {
  code: "source_failed",
  node: "n2",
  row: 3,
  count: 2,
  detail: "not_found: Boat:b4 does not exist.",
};
const odd: RunDiagnostic = { code: "path_type", node: "n1", count: 1, detail: "a is text" };

it.each<[string, RunResult["partial"], readonly RunDiagnostic[], string | null]>([
  ["nothing of a whole result", null, [odd], null],
  ["nothing of one that a budget cut", "pages", [failed], null],
  [
    "which row, how many, and why",
    "source_failed",
    [odd, failed],
    "source_failed at row 3, 2 in all: not_found: Boat:b4 does not exist.",
  ],
  ["one line", "path_type", [{ ...odd, detail: "a\n  is\ttext" }], "path_type: a is text"],
  [
    "no more than a line holds",
    "path_type",
    [{ ...odd, detail: "🚢".repeat(300) }],
    `path_type: ${"🚢".repeat(239)}…`,
  ],
])("SURF-5, RUN-003: says %s", (_what, partial, diagnostics, said) => {
  expect(lackingOf({ partial, diagnostics } as RunResult)).toBe(said);
});
