/** Code points of a content that its line shows (GRAFT-6). */
const ABSTRACT_LENGTH = 120;

const BLANK = /[\s\p{Z}\u0085]/u;
/** Controls, bidirectional marks, zero-width and other invisible characters, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
const ZERO_WIDTH_BLANK = "\ufeff";
const FENCE = /`{3,}/g;

/** The first `limit` code points of a text on one line; no more of it is read than that takes. */
function onOneLine(text: string, limit: number): string {
  const kept: string[] = [];
  let blank = false;
  for (const point of text) {
    if (kept.length >= limit) break;
    if (point !== ZERO_WIDTH_BLANK && BLANK.test(point)) {
      blank = kept.length > 0;
      continue;
    }
    if (INVISIBLE.test(point)) continue;
    if (blank) kept.push(" ");
    blank = false;
    if (kept.length < limit) kept.push(point === "`" ? "'" : point);
  }
  return kept.join("");
}

/**
 * Text that stays on its line and opens nothing (GRAFT-6): control, bidirectional and zero-width characters
 * removed, whitespace collapsed and trimmed, backticks as apostrophes.
 */
export const cleanLine = (text: string): string => onOneLine(text, Infinity);

/** The first 120 code points of a content, cleaned, without ellipsis (GRAFT-6). */
export const abstractOf = (content: string): string => onOneLine(content, ABSTRACT_LENGTH);

/**
 * Guardrails as they stand in the section (GRAFT-6): line by line as written, without invisible characters; runs of
 * three or more backticks are apostrophes.
 */
export function cleanGuardrails(text: string): string {
  const lines = text.split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/);
  const seen = lines.map((line) =>
    Array.from(line.replaceAll("\t", " "))
      .filter((point) => !INVISIBLE.test(point))
      .join("")
      .replaceAll(FENCE, (run) => "'".repeat(run.length))
      .trimEnd(),
  );
  return seen.join("\n").trim();
}
