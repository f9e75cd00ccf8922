import type { EffectEntry, RunResult } from "@plasm/runtime";
import { doneLines, type EffectLines, failedLines } from "./effects.ts";
import type { Layout, LayoutInput } from "./layout.ts";
import { layoutsCost, layoutResults, RESULT_TOKENS } from "./results.ts";
import { type CountTokens, tokenCounter } from "./tokens.ts";

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
      : layoutResults([...said].map(layoutInput), Math.max(0, room - layoutsCost(layouts)), count);
  const all = new Map([...zip(told, layouts), ...zip([...said], others)]);
  const laidOut = results.flatMap((result): readonly LaidOut[] => {
    const layout = all.get(result);
    return layout === undefined ? [] : [{ result, layout, isTold: !said.has(result) }];
  });
  if (share.left === null) return { results: laidOut, effects: share };
  const tokens = Math.max(share.tokens, RESULT_TOKENS - layoutsCost(layouts));
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

const isOk = ({ values }: RunResult["rows"][number]): boolean =>
  Object.keys(values).length === 1 && values["ok"] === true;

/**
 * Whether a result holds nothing but the `ok` of effects (RUN-040), so that what is said of these effects
 * says it all (SURF-15). Rows that a step has made of it, or that an API answered with, are rows.
 */
function isAcknowledged(result: RunResult, effects: readonly EffectEntry[]): boolean {
  const { columns, rows, node } = result;
  const [[name, type] = ["", ""], ...others] = columns;
  if (name !== "ok" || type !== "bool" || others.length > 0) return false;
  if (result.partial !== null || result.cursor !== null || result.diagnostics.length > 0) {
    return false;
  }
  const own = effects.filter((entry) => entry.node === node && entry.status === "done");
  return rows.length > 0 && rows.length === own.length && rows.every(isOk);
}

/** Columns that some row has loaded; the others are named in the remark (SURF-13). */
export const shownColumns = (result: RunResult): readonly string[] => {
  const missing = new Set(result.notLoaded);
  return result.columns.map(([name]) => name).filter((name) => !missing.has(name));
};

const layoutInput = (result: RunResult): LayoutInput => ({
  columns: shownColumns(result),
  keys: [],
  rows: result.rows.map((row) => row.values),
  presented: new Map(result.presented.map((each) => [each.column, each])),
});

/** How many leading rows of a result one text answer can show. */
export async function fittingRows(result: RunResult): Promise<number> {
  const count = await tokenCounter();
  const [layout] = layoutResults([layoutInput(result)], RESULT_TOKENS, count);
  return layout?.shown ?? 0;
}
