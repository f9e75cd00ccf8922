import { describe, expect, it } from "vitest";
import type { Approval, LogLine, LongRun } from "../records.ts";
import { activities } from "./activity.ts";

const operation = (more: Partial<LongRun>): LongRun =>
  ({
    operation_uuid: "o1",
    state: "running",
    catalogs: ["quay"],
    subject: "ada",
    ...more,
  }) as LongRun;
const line = (more: Partial<LogLine>): LogLine =>
  ({
    kind: "refused",
    outcome: null,
    entry_id: "quay",
    subject: "ada",
    operation_uuid: null,
    ...more,
  }) as LogLine;

describe("what goes on by catalog and caller (SURF-34)", () => {
  it("counts what runs, waits and failed, of each catalog that it is on", () => {
    const effects = [{ catalog: "quay" }, { catalog: "quay" }, { catalog: "yard" }];
    const counted = activities({
      operations: [
        operation({ catalogs: ["quay", "yard"] }),
        operation({ operation_uuid: "o2", state: "failed", subject: "ben" }),
        operation({ operation_uuid: "o3", state: "succeeded" }),
      ],
      approvals: [{ effects, subject: "ada" } as unknown as Approval],
      lines: [
        line({ subject: "ben", entry_id: null }),
        line({ kind: "effect_ended", outcome: "failed" }),
        line({ kind: "effect_ended", outcome: "done" }),
      ],
    });
    expect(counted).toEqual([
      { catalog: "quay", caller: "ada", runs: 1, waits: 1, failed: 1 },
      { catalog: null, caller: "ben", runs: 0, waits: 0, failed: 1 },
      { catalog: "quay", caller: "ben", runs: 0, waits: 0, failed: 1 },
      { catalog: "yard", caller: "ada", runs: 1, waits: 1, failed: 0 },
    ]);
  });

  it("counts an operation once that the audit log tells of, too", () => {
    const counted = activities({
      operations: [operation({ state: "failed" })],
      lines: [line({ kind: "effect_ended", outcome: "failed", operation_uuid: "o1" })],
    });
    expect(counted.map(({ failed }) => failed)).toEqual([1]);
  });
});
