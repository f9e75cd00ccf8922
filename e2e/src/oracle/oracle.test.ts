import { checkProperty } from "@plasm/testkit";
import { expect, test } from "vitest";
import { oracleHolds } from "./oracle-holds.ts";

/** Committed, so that all machines judge the same 300 worlds; `pnpm prove` draws others. */
const SEED = 17;

test("300 worlds answer what their data says (17, RUN-003)", async () => {
  const { runs, failure } = await checkProperty(oracleHolds, oracleHolds.runs, SEED);
  expect(failure).toBeNull();
  expect(runs).toBe(300);
}, 600_000);
