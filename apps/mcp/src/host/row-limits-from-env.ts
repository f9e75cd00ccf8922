import { ROW_SETTINGS, type RowLimits, rowLimits } from "@plasm/runtime";
import { HostStartError } from "./host-start-error.ts";

const NAMES = Object.keys(ROW_SETTINGS) as readonly (keyof RowLimits)[];

/**
 * What the rows of runs may take, where a deployment sets it: `PLASM_ROWS_MEMORY`, `…_PER_TENANT` and `…_PER_RUN`,
 * `PLASM_COMPUTED_BYTES`, `PLASM_RESULT_BYTES` (bytes) and `PLASM_COMPUTED_CELLS`; those not set fit the heap of this
 * process. Throws HostStartError for a value that is not a positive integer.
 */
export function rowLimitsFromEnv(env: Readonly<Record<string, string | undefined>>): RowLimits {
  const set: { -readonly [name in keyof RowLimits]?: number } = {};
  for (const name of NAMES) {
    const setting = ROW_SETTINGS[name];
    const text = env[setting]?.trim() ?? "";
    if (text === "") continue;
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
    if (value < 1) {
      const unit = name === "cells" ? "of cells" : "of bytes";
      throw new HostStartError(`${setting} must be a positive integer ${unit}, got "${text}".`);
    }
    set[name] = value;
  }
  return rowLimits(set);
}
