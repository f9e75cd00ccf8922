import { describe, expect, it } from "vitest";
import { programAnswer } from "./program-answer.ts";

const step = (partial: string | null) => ({ return_label: "a", run_id: "pr1", partial });

const headerOf = (steps: readonly object[], format: "text/plain" | "application/x-ndjson") => {
  const meta = { steps: [...steps] as never[] };
  const { headers } = programAnswer({ text: "a · 2 rows", meta }, [], format);
  return headers.get("x-plasm-partial");
};

describe("the partial marks of an answer, as a header in every format (SURF-17)", () => {
  it.each([
    [[step("rows")], "rows"],
    [[step("rows"), step(null), step("wall"), step("rows")], "rows, wall"],
    [[step(null)], null],
    [[], null],
  ])("%j: %s", (steps, expected) => {
    expect(headerOf(steps, "text/plain")).toBe(expected);
    expect(headerOf(steps, "application/x-ndjson")).toBe(expected);
  });
});
