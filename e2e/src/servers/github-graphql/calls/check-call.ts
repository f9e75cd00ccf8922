import type { JsonObject } from "@plasm/core";
import { expect } from "vitest";
import type { Garden } from "../seed.ts";
import type { CapabilityCall } from "./call.ts";

/** Rows, their number and what the server has, as far as the call says. */
export function checkCall(call: CapabilityCall, garden: Garden, rows: readonly JsonObject[]): void {
  if (call.rows !== undefined) expect(rows).toMatchObject(call.rows(garden));
  if (call.count !== undefined) expect(rows).toHaveLength(call.count);
  if (call.after !== undefined) expect(call.after(garden)).toEqual(call.leaves);
}
