import type { Json } from "@plasm/core";
import { cellText, clipCell } from "./cell.ts";
import { costWithin } from "./cost-within.ts";

/** Cell lengths tried, in code points, when too few whole rows fit (SURF-12). */
const CLIPS = [800, 400, 200, 100, 50, 25] as const;
/** Fewer whole rows than this and cells are clipped (SURF-12). */
const ENOUGH_ROWS = 5;

export interface LayoutInput {
  readonly columns: readonly string[];
  /** columns that come last to go when not even one row fits */
  readonly keys: readonly string[];
  readonly rows: readonly { readonly [column: string]: Json }[];
}

/** What of a result fits: the lines of its table, and what is missing from it. */
export interface Layout {
  readonly header: string;
  readonly lines: readonly string[];
  readonly shown: number;
  readonly clipped: readonly string[];
  readonly dropped: readonly string[];
  readonly tokens: number;
}

type Count = (text: string) => number;

interface Fit {
  readonly lines: readonly string[];
  readonly clipped: ReadonlySet<string>;
  readonly tokens: number;
}

/** Takes rows while they fit; at least `minimum` of them whatever they cost. */
function take(
  input: LayoutInput,
  columns: readonly string[],
  clip: number | null,
  budget: number,
  minimum: number,
  count: Count,
): Fit {
  const lines: string[] = [];
  const clipped = new Set<string>();
  let tokens = count(`${columns.join("\t")}\n`);
  for (const row of input.rows) {
    const rowClipped: string[] = [];
    const cells = columns.map((column) => {
      const whole = cellText(Object.hasOwn(row, column) ? row[column] : null);
      const text = clip === null ? whole : clipCell(whole, clip);
      if (text !== whole) rowClipped.push(column);
      return text;
    });
    const line = cells.join("\t");
    const cost = costWithin(`${line}\n`, Math.max(0, budget - tokens), count);
    if (tokens + cost > budget && lines.length >= minimum) break;
    tokens += cost;
    lines.push(line);
    for (const column of rowClipped) clipped.add(column);
  }
  return { lines, clipped, tokens };
}

function dropOrder(input: LayoutInput): readonly string[] {
  const keys = new Set(input.keys);
  const others = input.columns.filter((column) => !keys.has(column)).toReversed();
  const last = input.columns.filter((column) => keys.has(column)).toReversed();
  return [...others, ...last];
}

/** Drops columns until one row fits; the last one stays, so a row is always shown (SURF-12). */
function narrow(input: LayoutInput, budget: number, count: Count): Layout {
  const clip = CLIPS[CLIPS.length - 1] ?? null;
  const dropped: string[] = [];
  let columns = [...input.columns];
  for (const column of dropOrder(input)) {
    const fit = take(input, columns, clip, budget, 0, count);
    if (fit.lines.length > 0 || columns.length <= 1) break;
    columns = columns.filter((one) => one !== column);
    dropped.unshift(column);
  }
  const fit = take(input, columns, clip, budget, 1, count);
  return result(columns, fit, dropped);
}

const result = (columns: readonly string[], fit: Fit, dropped: readonly string[]): Layout => ({
  header: columns.join("\t"),
  lines: fit.lines,
  shown: fit.lines.length,
  clipped: columns.filter((column) => fit.clipped.has(column)),
  dropped,
  tokens: fit.tokens,
});

/**
 * Chooses what of a result fits a token budget (SURF-12): whole rows; else clipped cells, so that
 * five rows (or all) fit; else fewer columns. A result with rows shows at least one.
 */
export function layoutResult(input: LayoutInput, budget: number, count: Count): Layout {
  const enough = Math.min(ENOUGH_ROWS, input.rows.length);
  const whole = take(input, input.columns, null, budget, 0, count);
  if (whole.lines.length >= enough) return result(input.columns, whole, []);
  for (const clip of CLIPS) {
    const fit = take(input, input.columns, clip, budget, 0, count);
    if (fit.lines.length >= enough) return result(input.columns, fit, []);
  }
  const smallest = CLIPS[CLIPS.length - 1] ?? null;
  const fewest = take(input, input.columns, smallest, budget, 0, count);
  if (fewest.lines.length > 0) return result(input.columns, fewest, []);
  return narrow(input, budget, count);
}
