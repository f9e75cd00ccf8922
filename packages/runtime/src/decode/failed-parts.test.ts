import { describe, expect, it } from "vitest";
import { failedCounts, failedParts, isDoneInPart } from "./failed-parts.ts";

const none: ReadonlySet<string> = new Set();

describe("RUN-187 parts of an answer", () => {
  it.each([
    [[{ id: 1 }, { error: "in use" }], 2, 1],
    [{ results: [{ status: 200 }, { status: 409 }] }, 2, 1],
    [{ data: { results: [{ ok: false }] } }, 1, 1],
    [{ items: [{ index: { status: 201 } }, { index: { status: 409, error: {} } }] }, 2, 1],
    [{ succeeded: [{ id: 1 }], failed: [{ id: 2, error: "x" }] }, 2, 1],
    [{ results: [{ status: "HTTP/1.1 404 Not Found" }] }, 1, 1],
  ])("%j has failed ones", (body, all, failed) => {
    expect(failedParts(body)).toMatchObject({ all, failed });
  });

  it.each([
    {
      results: [
        { status: 200, error: null },
        { status: "active", errors: [], code: 0 },
      ],
    },
    { results: [{ error: 0 }, { error: false }] },
    { tags: ["a", "b"] },
    [],
    "text",
    null,
  ])("%j has none", (body) => {
    expect(failedParts(body)).toBeNull();
  });

  it("a key that is data says nothing", () => {
    expect(failedParts([{ status: 404 }], new Set(["status"]))).toBeNull();
  });

  it.each([
    [{ created: 1, failed: 2 }, { failed: 2 }],
    [{ result: { numFailed: 1 } }, { numFailed: 1 }],
    [{ unprocessed_keys: ["a"] }, { unprocessed_keys: ["a"] }],
    [{ FailedRecordCount: 3 }, { FailedRecordCount: 3 }],
    [{ failed: 0, failures: [], error_count: 0 }, null],
    [{ failed: false, failed_at: "2026-01-05" }, null],
  ])("%j counts what failed", (body, found) => {
    expect(failedCounts(body, none)).toEqual(found);
  });

  it.each([
    [{ created: 1, errors: [{}] }, 1],
    [{ succeeded: ["a"], errors: ["b"] }, 1],
    [{ errors: true, items: [{ index: { status: 201 } }, { index: { status: 409 } }] }, 1],
    [{ errors: [{ index: 1 }] }, 3],
  ])("%j may be done in part, of %i", (body, asked) => {
    expect(isDoneInPart(body, asked)).toBe(true);
  });

  it.each([
    [{ errors: ["name is missing"] }, 1],
    [{ created: 0, errors: [{ index: 1 }] }, 3],
    [{ errors: [{ index: 0 }, { index: 1 }] }, 2],
    [{ error: "over quota" }, 3],
    [{ errors: true, items: [{ index: { status: 409 } }] }, 2],
  ])("%j is not done, of %i", (body, asked) => {
    expect(isDoneInPart(body, asked)).toBe(false);
  });
});
