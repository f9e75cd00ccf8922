import { eachEffect } from "./each-effect.ts";

/** A result as its text has it. */
export interface ReadResult {
  readonly name: string;
  /** rows of the whole result */
  readonly rowCount: number;
  readonly columns: readonly string[];
  /** cells of the rows that are shown */
  readonly rows: readonly (readonly string[])[];
  /** what is missing, and where it is; null if nothing is said to be */
  readonly remark: string | null;
}

/** An answer read back from its text: results, then lines of effects. */
export interface ReadAnswer {
  readonly results: readonly ReadResult[];
  /** a line for each */
  readonly effects: readonly string[];
}

const HEAD = /^([A-Za-z_]\w*) · (\d+) rows?(?:, partial \([a-z_]+\))?$/;
const FENCE = /^(`{3,})tsv$/;
const EFFECT = /^(?:done|failed|in doubt|not started|\d+ [a-z ,\d]+ left out ·) /;

/** Reads the lines of one result from a line on; gives the line behind it. Throws where it is no result. */
function readResult(lines: readonly string[], from: number): { result: ReadResult; next: number } {
  const [, name, count] = HEAD.exec(lines[from] ?? "") ?? [];
  if (name === undefined) throw new Error(`no head of a result: ${JSON.stringify(lines[from])}`);
  const [, fence] = FENCE.exec(lines[from + 1] ?? "") ?? [];
  if (fence === undefined) throw new Error(`no table below ${lines[from]}`);
  const close = lines.indexOf(fence, from + 2);
  if (close < 0) throw new Error(`the table of ${name} is not closed`);
  const [header = [], ...rows] = lines.slice(from + 2, close).map((line) => line.split("\t"));
  for (const row of rows) {
    if (row.length !== header.length) throw new Error(`cells of ${name}: ${JSON.stringify(row)}`);
  }
  const behind = lines[close + 1];
  const remark = behind === undefined || behind === "" || EFFECT.test(behind) ? null : behind;
  const next = close + (remark === null ? 1 : 2);
  return { result: { name, rowCount: Number(count), columns: header, rows, remark }, next };
}

/**
 * Reads the text of a run back as whoever knows nothing but section 2 of the surfaces would: a fence ends at
 * its first like line, a row at its LF, a cell at its TAB. Throws for a line that it has no place for.
 */
export function readAnswer(text: string): ReadAnswer {
  const lines = text.split("\n");
  const results: ReadResult[] = [];
  let at = 0;
  while (at < lines.length && !EFFECT.test(lines[at] ?? "")) {
    const { result, next } = readResult(lines, at);
    results.push(result);
    at = lines[next] === "" ? next + 1 : next;
  }
  const effects = lines.slice(at);
  const stray = effects.find((line) => !EFFECT.test(line));
  if (stray !== undefined) throw new Error(`no line of an effect: ${JSON.stringify(stray)}`);
  return { results, effects: effects.flatMap(eachEffect) };
}
