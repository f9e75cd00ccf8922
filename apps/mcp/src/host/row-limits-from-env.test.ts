import { rowLimits } from "@plasm/runtime";
import { describe, expect, test } from "vitest";
import { rowLimitsFromEnv } from "./row-limits-from-env.ts";

const MIB = 1024 * 1024;

describe("18.6 what the rows of runs may take", () => {
  test("fits the heap where nothing is set", () => {
    expect(rowLimitsFromEnv({ PLASM_ROWS_MEMORY: "" })).toEqual(rowLimits());
    const { process, tenant, run, results } = rowLimits({}, 1024 * MIB);
    expect([process, tenant, run, results]).toEqual([512 * MIB, 384 * MIB, 192 * MIB, 32 * MIB]);
  });

  test("is what is set; a run never has more than its tenant, nor a tenant more than the process", () => {
    const set = { PLASM_ROWS_MEMORY: "1000", PLASM_ROWS_MEMORY_PER_RUN: " 5000 " };
    expect(rowLimitsFromEnv({ ...set, PLASM_COMPUTED_CELLS: "7" })).toMatchObject({
      process: 1000,
      tenant: 750,
      run: 750,
      cells: 7,
    });
  });

  test.each(["0", "-1", "1.5", "64MB", "ten"])("%s stops the start", (text) => {
    expect(() => rowLimitsFromEnv({ PLASM_RESULT_BYTES: text })).toThrow(
      `PLASM_RESULT_BYTES must be a positive integer of bytes, got "${text}".`,
    );
  });
});
