import { layoutResult, type Layout, type LayoutInput } from "./layout.ts";
import { resultBlock, type ResultHandles, type ResultHead } from "./result-block.ts";
import type { CountTokens } from "./tokens.ts";

/** Budget of one answer in o200k tokens (SURF-11). */
export const RESULT_TOKENS = 4_000;
/** Kept back per result for its name, fence and remark. */
const FRAME_TOKENS = 60;

/** Lays several results out under one budget: equal shares, and what one leaves goes on (SURF-11). */
export function layoutResults(
  inputs: readonly LayoutInput[],
  budget: number,
  count: CountTokens,
): readonly Layout[] {
  let left = budget;
  return inputs.map((input, index) => {
    const share = Math.floor(left / (inputs.length - index));
    const layout = layoutResult(input, Math.max(1, share - FRAME_TOKENS), count);
    // What the last one leaves is nobody's.
    if (index + 1 < inputs.length) left -= Math.min(left, layout.tokens + FRAME_TOKENS);
    return layout;
  });
}

/** What the results of an answer cost, their frames included. */
export const costOf = (layouts: readonly Layout[]): number =>
  layouts.reduce((sum, { tokens }) => sum + tokens + FRAME_TOKENS, 0);

export interface RenderedResult {
  readonly head: ResultHead;
  readonly layout: Layout;
  readonly handles: ResultHandles;
}

export const resultsText = (results: readonly RenderedResult[]): string =>
  results.map(({ head, layout, handles }) => resultBlock(head, layout, handles)).join("\n\n");
