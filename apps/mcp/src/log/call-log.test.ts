import { LOCAL } from "@plasm/agent-core";
import { describe, expect, it } from "vitest";
import { logCall, type CallRecord } from "./call-log.ts";

describe("logCall (SURF-28)", () => {
  it("writes tenant, ref, outcome, ms and tokens out, once", async () => {
    const records: CallRecord[] = [];
    const result = await logCall(
      (one) => records.push(one),
      LOCAL,
      "plasm",
      async (note) => {
        note.ref = "s0";
        note.text = "plan ok pc0";
        return 7;
      },
    );
    expect(result).toBe(7);
    expect(records).toEqual([
      {
        name: "plasm",
        tenant: "anonymous",
        ref: "s0",
        outcome: "ok",
        ms: expect.any(Number) as number,
        tokensOut: 4,
      },
    ]);
  });

  it("writes nothing of a call without a name", async () => {
    const records: CallRecord[] = [];
    await logCall(
      (one) => records.push(one),
      LOCAL,
      null,
      async () => undefined,
    );
    expect(records).toEqual([]);
  });
});
