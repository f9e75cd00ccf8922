import { checkProperty } from "@plasm/testkit";
import { expect, test } from "vitest";
import { oracleHolds } from "./oracle-holds.ts";

/** Committed, so that all machines judge the same 150 worlds; `pnpm prove` draws others. */
const SEED = 17;

test("150 worlds answer what their data says (17, RUN-003)", async () => {
  const { runs, failure } = await checkProperty(oracleHolds, oracleHolds.runs, SEED);
  expect(failure).toBeNull();
  expect(runs).toBe(150);
}, 600_000);
