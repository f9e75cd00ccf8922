import type { RunResult } from "@plasm/runtime";
import { layoutResults, RESULT_TOKENS } from "../render-text/results-text.ts";
import { tokenCounter } from "../render-text/tokens.ts";
import { layoutInput } from "./layout-input.ts";

/** How many leading rows of a result one text answer can show. */
export async function fittingRows(result: RunResult): Promise<number> {
  const count = await tokenCounter();
  const [layout] = layoutResults([layoutInput(result)], RESULT_TOKENS, count);
  return layout?.shown ?? 0;
}
