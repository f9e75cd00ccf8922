import type { EffectEntry, RunResult } from "@plasm/runtime";

const isOk = ({ values }: RunResult["rows"][number]): boolean =>
  Object.keys(values).length === 1 && values["ok"] === true;

/**
 * Whether a result holds nothing but the `ok` of effects (RUN-040), so that what is said of these effects
 * says it all (SURF-15). Rows that a step has made of it, or that an API answered with, are rows.
 */
export function isAcknowledged(result: RunResult, effects: readonly EffectEntry[]): boolean {
  const { columns, rows, node } = result;
  const [[name, type] = ["", ""], ...others] = columns;
  if (name !== "ok" || type !== "bool" || others.length > 0) return false;
  if (result.partial !== null || result.cursor !== null || result.diagnostics.length > 0) {
    return false;
  }
  const own = effects.filter((entry) => entry.node === node && entry.status === "done");
  return rows.length > 0 && rows.length === own.length && rows.every(isOk);
}
