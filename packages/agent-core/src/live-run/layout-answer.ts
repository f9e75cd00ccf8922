import type { EffectEntry, RunResult } from "@plasm/runtime";
import { doneLines, type EffectLines, failedLines } from "../render-text/effect-lines.ts";
import type { Layout } from "../render-text/layout.ts";
import { costOf, layoutResults, RESULT_TOKENS } from "../render-text/results-text.ts";
import type { CountTokens } from "../render-text/tokens.ts";
import { isAcknowledged } from "./acknowledged.ts";
import { layoutInput } from "./layout-input.ts";

/** The share of an answer that lines of effects may have, though results could fill all of it. */
const EFFECT_SHARE = 0.25;

/** What an answer tells. */
export interface AnswerContent {
  readonly results: readonly RunResult[];
  /** its effects; none of a page or an explanation */
  readonly effects?: { readonly entries: readonly EffectEntry[]; readonly failed: boolean };
}

/** A result as its data has it, which may be laid out for data alone. */
export interface LaidOut {
  readonly result: RunResult;
  readonly layout: Layout;
  /** whether the text has it: what is said of effects says all of a result that holds their `ok` */
  readonly isTold: boolean;
}

export interface AnswerLayout {
  readonly results: readonly LaidOut[];
  readonly effects: EffectLines;
}

/** Results first, but for a share of effects; what they leave is for further lines (SURF-11, SURF-15). */
export function layoutAnswer(content: AnswerContent, count: CountTokens): AnswerLayout {
  const { results, effects = { entries: [], failed: false } } = content;
  const linesOf = effects.failed ? failedLines : doneLines;
  const share = linesOf(effects.entries, { tokens: RESULT_TOKENS * EFFECT_SHARE, count });
  const said = new Set(results.filter((result) => isAcknowledged(result, effects.entries)));
  const told = results.filter((result) => !said.has(result));
  const room = RESULT_TOKENS - share.tokens;
  const layouts = layoutResults(told.map(layoutInput), room, count);
  const others =
    said.size === 0
      ? []
      : layoutResults([...said].map(layoutInput), Math.max(0, room - costOf(layouts)), count);
  const all = new Map([...zip(told, layouts), ...zip([...said], others)]);
  const laidOut = results.flatMap((result): readonly LaidOut[] => {
    const layout = all.get(result);
    return layout === undefined ? [] : [{ result, layout, isTold: !said.has(result) }];
  });
  if (share.left === null) return { results: laidOut, effects: share };
  const tokens = Math.max(share.tokens, RESULT_TOKENS - costOf(layouts));
  return { results: laidOut, effects: linesOf(effects.entries, { tokens, count }) };
}

const zip = (
  results: readonly RunResult[],
  layouts: readonly Layout[],
): readonly (readonly [RunResult, Layout])[] =>
  layouts.flatMap((layout, at) => {
    const result = results[at];
    return result === undefined ? [] : [[result, layout] as const];
  });
