import type { Json } from "@plasm/core";
import type { RunResult } from "@plasm/runtime";
import { cellText, clipCell, columnText, isFile, referenceCell } from "./cell.ts";
import { Tally } from "./tokens.ts";

/** Cell lengths tried, in code points, when too few whole rows fit (SURF-12). */
const CLIPS = [800, 400, 200, 100, 50, 25] as const;
/** Fewer whole rows than this and cells are clipped (SURF-12). */
const ENOUGH_ROWS = 5;

export interface LayoutInput {
  readonly columns: readonly string[];
  /** columns that come last to go when not even one row fits */
  readonly keys: readonly string[];
  readonly rows: readonly { readonly [column: string]: Json }[];
  /** columns that are not shown as they are (RUN-038) */
  readonly presented?: ReadonlyMap<string, RunResult["presented"][number]>;
}

/** What of a result fits: the lines of its table, and what is missing from it. */
export interface Layout {
  readonly header: string;
  readonly lines: readonly string[];
  /** the rows of these lines: a value that is shown whole as it is, another as its text */
  readonly rows: readonly ShownRow[];
  readonly shown: number;
  readonly clipped: readonly string[];
  readonly dropped: readonly string[];
  /** columns of which a value is shown by reference (RUN-038) */
  readonly referenced: readonly string[];
  /** columns with files of the session */
  readonly files: readonly string[];
  /** what it costs, counted when it is first asked for */
  readonly tokens: number;
}

type ShownRow = { readonly [column: string]: Json };

type Count = (text: string) => number;

interface Fit {
  readonly lines: readonly string[];
  readonly rows: readonly ShownRow[];
  readonly clipped: ReadonlySet<string>;
  readonly referenced: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  readonly tokens: number;
}

/** At how many code points cells are clipped: those of lossy columns, and all others; null for not at all. */
interface Clips {
  readonly lossy: number | null;
  readonly others: number | null;
}

const WHOLE: Clips = Object.freeze({ lossy: null, others: null });
const SMALLEST: Clips = Object.freeze({ lossy: 25, others: 25 });

/** What is tried in turn: lossy columns are clipped before any other is (SURF-12, RUN-038). */
function clipsOf({ presented }: LayoutInput): readonly Clips[] {
  const anyLossy = [...(presented?.values() ?? [])].some((each) => each.as === "lossy");
  const lossy = anyLossy ? CLIPS.map((clip): Clips => ({ lossy: clip, others: null })) : [];
  return [...lossy, ...CLIPS.map((clip): Clips => ({ lossy: 25, others: clip }))];
}

interface Cell {
  readonly text: string;
  /** a file of the session is all there is of it, but for its bytes */
  readonly shown: "whole" | "clipped" | "by_reference" | "file";
}

function cellOf(input: LayoutInput, column: string, value: Json | undefined, clips: Clips): Cell {
  const presentation = input.presented?.get(column);
  if (presentation?.as === "reference") {
    const { text, whole } = referenceCell(value, presentation.media);
    return { text, shown: isFile(value) ? "file" : whole ? "whole" : "by_reference" };
  }
  if (isFile(value)) return { text: cellText(value), shown: "file" };
  const whole = boundText(presentation?.as, cellText(value));
  const clip = clipOf(presentation?.as, clips);
  const text = clip === null ? whole : clipCell(whole, clip);
  return { text, shown: text === whole ? "whole" : "clipped" };
}

/** Code points of what an effect has edited: its caller knows what it changed (LANG-056). */
const EDITED = 100;

function clipOf(as: RunResult["presented"][number]["as"] | undefined, clips: Clips): number | null {
  if (as === "lossy") return clips.lossy;
  return as === "edited" ? Math.min(EDITED, clips.others ?? EDITED) : clips.others;
}

/** An aggregate of a part of its rows, so that nobody takes it for that of all (LANG-067). */
function boundText(as: RunResult["presented"][number]["as"] | undefined, text: string): string {
  if (text === "") return text;
  switch (as) {
    case "at_least":
      return `≥ ${text}`;
    case "at_most":
      return `≤ ${text}`;
    case "of_rows_read":
      return `${text} (of the rows read)`;
    case "of_fitting":
      return `${text} (of the values that fit)`;
    default:
      return text;
  }
}

const WHOLE_CELLS: ReadonlySet<Cell["shown"]> = new Set(["whole", "file"]);

const shownRow = (row: ShownRow, columns: readonly string[], cells: readonly Cell[]): ShownRow =>
  Object.fromEntries(
    columns.map((column, at): [string, Json] => {
      const cell = cells[at];
      const value = Object.hasOwn(row, column) ? (row[column] ?? null) : null;
      return [column, cell === undefined || WHOLE_CELLS.has(cell.shown) ? value : cell.text];
    }),
  );

const headerOf = (columns: readonly string[]): string => columns.map(columnText).join("\t");

/** Takes rows while they fit; at least `minimum` of them whatever they cost. */
function take(
  input: LayoutInput,
  columns: readonly string[],
  clips: Clips,
  budget: number,
  minimum: number,
  count: Count,
): Fit {
  const lines: string[] = [];
  const rows: ShownRow[] = [];
  const clipped = new Set<string>();
  const referenced = new Set<string>();
  const files = new Set<string>();
  const tally = new Tally(budget, count);
  tally.take(headerOf(columns), true);
  for (const row of input.rows) {
    const cells = columns.map((column) => {
      return cellOf(input, column, Object.hasOwn(row, column) ? row[column] : null, clips);
    });
    const line = cells.map(({ text }) => text).join("\t");
    if (!tally.take(`${line}\n`, lines.length < minimum)) break;
    lines.push(line);
    rows.push(shownRow(row, columns, cells));
    for (const [at, column] of columns.entries()) {
      const shown = cells[at]?.shown;
      if (shown === "clipped") clipped.add(column);
      if (shown === "by_reference") referenced.add(column);
      if (shown === "file") files.add(column);
    }
  }
  return {
    lines,
    rows,
    clipped,
    referenced,
    files,
    get tokens() {
      return tally.tokens;
    },
  };
}

function dropOrder(input: LayoutInput): readonly string[] {
  const keys = new Set(input.keys);
  const others = input.columns.filter((column) => !keys.has(column)).toReversed();
  const last = input.columns.filter((column) => keys.has(column)).toReversed();
  return [...others, ...last];
}

/** Whether something of the columns fits: a row, or of no rows the header. */
function fits(
  input: LayoutInput,
  columns: readonly string[],
  budget: number,
  count: Count,
): boolean {
  const { lines, tokens } = take(input, columns, SMALLEST, budget, 0, count);
  return input.rows.length === 0 ? tokens <= budget : lines.length > 0;
}

/**
 * Drops columns until one row fits; the last one stays, so a row is always shown (SURF-12). How many is
 * found by halves: there may be thousands.
 */
function narrow(input: LayoutInput, budget: number, count: Count): Layout {
  const order = dropOrder(input);
  const without = (dropped: number): readonly string[] => {
    const gone = new Set(order.slice(0, dropped));
    return input.columns.filter((column) => !gone.has(column));
  };
  let [few, most] = [0, Math.max(0, order.length - 1)];
  while (few < most) {
    const half = Math.floor((few + most) / 2);
    if (fits(input, without(half), budget, count)) most = half;
    else few = half + 1;
  }
  const columns = without(few);
  const minimum = Math.min(1, input.rows.length);
  const fit = take(input, columns, SMALLEST, budget, minimum, count);
  return result(columns, fit, order.slice(0, few).toReversed());
}

const result = (columns: readonly string[], fit: Fit, dropped: readonly string[]): Layout => ({
  header: headerOf(columns),
  lines: fit.lines,
  rows: fit.rows,
  shown: fit.lines.length,
  clipped: columns.filter((column) => fit.clipped.has(column)),
  dropped,
  referenced: columns.filter((column) => fit.referenced.has(column)),
  files: columns.filter((column) => fit.files.has(column)),
  get tokens() {
    return fit.tokens;
  },
});

/**
 * Chooses what of a result fits a token budget (SURF-12): whole rows; else clipped cells, those of lossy
 * columns first (RUN-038), so that five rows (or all) fit; else fewer columns. A result with rows shows at least one.
 */
export function layoutResult(input: LayoutInput, budget: number, count: Count): Layout {
  const enough = Math.min(ENOUGH_ROWS, input.rows.length);
  const whole = take(input, input.columns, WHOLE, budget, 0, count);
  if (enough === 0 && whole.tokens > budget) return narrow(input, budget, count);
  if (whole.lines.length >= enough) return result(input.columns, whole, []);
  for (const clips of clipsOf(input)) {
    const fit = take(input, input.columns, clips, budget, 0, count);
    if (fit.lines.length >= enough) return result(input.columns, fit, []);
  }
  const fewest = take(input, input.columns, SMALLEST, budget, 0, count);
  if (fewest.lines.length > 0) return result(input.columns, fewest, []);
  return narrow(input, budget, count);
}
