import type { RunResult } from "@plasm/runtime";
import type { LayoutInput } from "../render-text/layout.ts";

/** Columns that some row has loaded; the others are named in the remark (SURF-13). */
export const shownColumns = (result: RunResult): readonly string[] => {
  const missing = new Set(result.notLoaded);
  return result.columns.map(([name]) => name).filter((name) => !missing.has(name));
};

export const layoutInput = (result: RunResult): LayoutInput => ({
  columns: shownColumns(result),
  keys: [],
  rows: result.rows.map((row) => row.values),
  presented: new Map(result.presented.map((each) => [each.column, each])),
});
