import { visible } from "@plasm/core/internal";
import type { RunDiagnostic, RunResult } from "@plasm/runtime";
import { type Layout, type LayoutInput, layoutResult } from "./layout.ts";
import type { CountTokens } from "./tokens.ts";
import { clipCell, columnText } from "./cell.ts";

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
export const layoutsCost = (layouts: readonly Layout[]): number =>
  layouts.reduce((sum, { tokens }) => sum + tokens + FRAME_TOKENS, 0);

export interface RenderedResult {
  readonly head: ResultHead;
  readonly layout: Layout;
  readonly handles: ResultHandles;
}

export const resultsText = (results: readonly RenderedResult[]): string =>
  results.map(({ head, layout, handles }) => resultBlock(head, layout, handles)).join("\n\n");

/** What a result's remark may point to (SURF-12, SURF-30). */
interface ResultHandles {
  readonly snapshot: string | null;
  /** how programs of the session name the snapshot (LANG-057) */
  readonly kept?: string | null;
  /** columns of text that programs of the session may change a part of (LANG-056) */
  readonly editable?: ReadonlySet<string>;
  /** continues the rows this text leaves out, without a request */
  readonly rest: string | null;
  /** continues upstream */
  readonly next: string | null;
}

export interface ResultHead {
  readonly name: string;
  readonly rows: number;
  /** of a page continuation: the rows of the whole it holds, from 1 */
  readonly range: { readonly first: number; readonly last: number } | null;
  readonly partial: string | null;
  readonly notLoaded: readonly string[];
  /** what the diagnostic that makes it partial says, on one line; nothing where a budget does */
  readonly lacking?: string | null;
  /** the snapshot whose place this whole result takes, as `r/n` (PLAN-080) */
  readonly replaces: string | null;
}

/** A fence longer than any run of backticks in the body, so that data cannot close it. */
export function fenceFor(body: string): string {
  const longest = (body.match(/`+/g) ?? []).reduce((max, run) => Math.max(max, run.length), 2);
  return "`".repeat(longest + 1);
}

function headLine(head: ResultHead): string {
  const cut = head.partial === null ? "" : `, partial (${head.partial})`;
  const partial = head.replaces === null ? cut : `${cut} · replaces: ${head.replaces}`;
  if (head.range !== null && head.rows > 0) {
    return `${head.name} · rows ${head.range.first}-${head.range.last}${partial}`;
  }
  return `${head.name} · ${head.rows} row${head.rows === 1 ? "" : "s"}${partial}`;
}

/** Columns that a remark names; the others are counted. */
const MOST_NAMES = 20;
/** Code points of all of these names. */
const MOST_POINTS = 240;

/** Columns by name, as far as a remark has room for them; at least one. */
function named(columns: readonly string[]): string {
  const names: string[] = [];
  let left = MOST_POINTS;
  for (const column of columns.slice(0, MOST_NAMES)) {
    const name = clipCell(columnText(column), MOST_POINTS / 2);
    left -= name.length;
    if (left < 0) break;
    names.push(name);
  }
  const more = columns.length - names.length;
  return [...names, ...(more === 0 ? [] : [`+${more}`])].join(", ");
}

function missing(head: ResultHead, layout: Layout): string[] {
  const left = head.rows - layout.shown;
  const parts: string[] = [];
  if (left > 0) parts.push(`${left} row${left === 1 ? "" : "s"} left out`);
  if (layout.clipped.length > 0) parts.push(`${named(layout.clipped)} clipped`);
  if (layout.dropped.length > 0) parts.push(`${named(layout.dropped)} dropped`);
  if (layout.referenced.length > 0) parts.push(`${named(layout.referenced)} by reference`);
  if (head.notLoaded.length > 0) parts.push(`not loaded: ${named(head.notLoaded)}`);
  return parts.length === 0 ? [] : [parts.join(", ")];
}

function remark(head: ResultHead, layout: Layout, handles: ResultHandles): string | null {
  const lacking = [layout.clipped, layout.dropped, layout.referenced];
  const cut = layout.shown < head.rows || lacking.some(({ length }) => length > 0);
  const { lacking: why = null } = head;
  const parts = [...(why === null ? [] : [why]), ...missing(head, layout)];
  if (cut && handles.snapshot !== null) parts.push(`all: ${handles.snapshot}`);
  const [column] = [...layout.clipped, ...layout.referenced, ...layout.files];
  if (column !== undefined && /^[\w.]+$/.test(column) && typeof handles.kept === "string") {
    parts.push(`to pass on: kept(${handles.kept}, ${column}${head.rows > 1 ? ", key" : ""})`);
    const isEditable = handles.editable?.has(column) === true;
    if (isEditable) parts.push(`to edit a part: replace(a.${column}, "old", "new")`);
  }
  if (handles.rest !== null) parts.push(`rest: page(${handles.rest})`);
  if (handles.next !== null) parts.push(`next: page(${handles.next})`);
  return parts.length === 0 ? null : parts.join(" · ");
}

/** The fenced table; none of rows of which no column was loaded: the remark names what is missing. */
function table({ header, lines }: Layout): readonly string[] {
  if (header === "" && lines.length > 0) return [];
  const body = [header, ...lines].join("\n");
  const fence = fenceFor(body);
  return [`${fence}tsv`, body, fence];
}

/** A result as text: name and count, the fenced table, one remark on what is missing (SURF-13). */
export function resultBlock(head: ResultHead, layout: Layout, handles: ResultHandles): string {
  const lines = [headLine(head), ...table(layout)];
  const last = remark(head, layout, handles);
  if (last !== null) lines.push(last);
  return lines.join("\n");
}

/** Code points of a diagnostic that a text repeats. */
const MOST = 240;

function onOneLine(detail: string): string {
  const text = [...visible(detail.replace(/[\s\u0085]+/g, " ").trim())];
  return text.length <= MOST ? text.join("") : `${text.slice(0, MOST - 1).join("")}…`;
}

/**
 * What the diagnostic that makes a result partial says, on one line (RUN-003, SURF-5); null where a
 * budget or a cancel cut it, of which the head has all there is to say.
 */
export function lackingOf({ partial, diagnostics }: RunResult): string | null {
  const said = diagnostics.find(({ code }) => code === partial);
  return said === undefined ? null : diagnosticText(said);
}

function diagnosticText({ code, row, count, detail }: RunDiagnostic): string {
  const at = row === undefined ? "" : ` at row ${row}`;
  const more = count > 1 ? `, ${count} in all` : "";
  return `${code}${at}${more}: ${onOneLine(detail)}`;
}

/** What an answer had and no row or cell shows, or not as it was, or more than once; and what it says was not done. */
const LOSSES: ReadonlySet<RunDiagnostic["code"]> = new Set([
  "answer_unread",
  "argument_unmet",
  "cell_unfit",
  "collection_missing",
  "effect_accepted",
  "identity_missing",
  "parts_failed",
  "path_type",
  "preprocess_path",
  "row_null",
  "row_twice",
  "row_unfit",
  "text_malformed",
  "text_order",
]);

/** What an effect's answer says against it: said of effects whose rows are no result, too. */
const OF_EFFECTS: ReadonlySet<RunDiagnostic["code"]> = new Set([
  "answer_unread",
  "argument_unmet",
  "effect_accepted",
  "parts_failed",
]);

/** What answers say against effects that no result of a run shows, a line each. */
export function unshownEffects(
  diagnostics: readonly RunDiagnostic[],
  results: readonly RunResult[],
): readonly string[] {
  const shown = new Set(results.flatMap((result) => result.diagnostics.map(diagnosticText)));
  return diagnostics
    .filter(({ code }) => OF_EFFECTS.has(code))
    .map(diagnosticText)
    .filter((text) => !shown.has(text));
}

/** Losses that a text names; the others are counted. */
const MOST_LOSSES = 3;

/**
 * What was lost while the rows of a result, or those it was made of, were decoded: how many and why
 * (RUN-003, SURF-5). Null where nothing was.
 */
export function lossesOf({ partial, diagnostics }: RunResult): string | null {
  const lost = diagnostics.filter(({ code }) => LOSSES.has(code) && code !== partial);
  if (lost.length === 0) return null;
  const named = lost.slice(0, MOST_LOSSES).map(diagnosticText);
  const more = lost.length - named.length;
  return [...named, ...(more === 0 ? [] : [`+${more} more`])].join("; ");
}
