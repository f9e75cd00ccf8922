import { visible } from "@plasm/core";
import type { RunDiagnostic, RunResult } from "@plasm/runtime";

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

/** What an answer had and no row or cell shows, or not as it was, or more than once. */
const LOSSES: ReadonlySet<RunDiagnostic["code"]> = new Set([
  "cell_unfit",
  "collection_missing",
  "identity_missing",
  "path_type",
  "preprocess_path",
  "row_null",
  "row_twice",
  "row_unfit",
  "text_malformed",
]);

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
