import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import type { Name, Path } from "../../language/ast-names.ts";
import type { WordValue } from "../../language/ast-values.ts";
import { quoteText } from "../../language/quote-text.ts";
import { spanIn } from "../../source/source-text.ts";
import { editDistance } from "../../text/edit-distance.ts";
import type { CheckContext } from "../check-context.ts";
import { addNote } from "../notes.ts";
import { cursorProblem } from "../names/cursor-problem.ts";
import { resolvePath } from "../columns/resolve-path.ts";
import { unreadableColumn } from "../columns/unreadable-column.ts";
import type { ColumnType } from "../row-type.ts";
import type { Rows } from "../typed-program.ts";

/** What a bare word means before its slot is looked at (LANG-022). */
export type WordMeaning =
  | { readonly kind: "text" }
  /** a label whose line is in error */
  | { readonly kind: "bad" }
  | { readonly kind: "problem"; readonly problem: Diagnostic }
  /** `label` is {@link CURSOR} for the row a `=>` is at */
  | { readonly kind: "row"; readonly label: string; readonly rows: Rows }
  | {
      readonly kind: "cell";
      readonly label: string;
      readonly rows: Rows;
      readonly path: readonly string[];
      readonly type: ColumnType;
    };

/** The name of the row a `=>` is at. */
export const CURSOR = "_";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Decides whether a word refers to a label, and to which of its cells. Notes near misses. */
export function wordMeaning(context: CheckContext, word: WordValue): WordMeaning {
  const [first = "", ...rest] = word.raw.split(".");
  if (!NAME.test(first)) return { kind: "text" };
  if (first === CURSOR) return cursorMeaning(context, word, rest.length > 0);
  const label = context.labels.meaning(first);
  switch (label.kind) {
    case "none":
      noteNearLabel(context, word.raw, first, rest.length > 0);
      return { kind: "text" };
    case "own":
      return { kind: "text" };
    case "bad":
      return { kind: "bad" };
    case "later": {
      const line = label.line;
      const args = { label: first, line, quoted: quoteText(word.raw) };
      return { kind: "problem", problem: diagnose(nameMessages.unboundLabel, word.span, args) };
    }
    case "rows":
      if (rest.length === 0) return { kind: "row", label: first, rows: label.rows };
      return cellMeaning(context, word, first, label.rows);
  }
}

function cursorMeaning(context: CheckContext, word: WordValue, dotted: boolean): WordMeaning {
  const { cursor } = context;
  if (cursor === null) return { kind: "problem", problem: cursorProblem(word.span, word.raw) };
  return dotted
    ? cellMeaning(context, word, CURSOR, cursor.rows)
    : { kind: "row", label: CURSOR, rows: cursor.rows };
}

function cellMeaning(
  context: CheckContext,
  word: WordValue,
  label: string,
  rows: Rows,
): WordMeaning {
  const path = pathAfterLabel(context, word, label);
  const meaning = resolvePath(context, rows.type, path);
  switch (meaning.kind) {
    case "column":
      return { kind: "cell", label, rows, path: meaning.path, type: meaning.type };
    case "foreign":
      return { kind: "problem", problem: unreadableColumn(context, path, meaning) };
    case "unknown":
    case "problem":
      return { kind: "problem", problem: meaning.problem };
  }
}

/** The part of `label.a.b` behind the label as a path with spans of its own. */
function pathAfterLabel(context: CheckContext, word: WordValue, label: string): Path {
  let at = word.span.start + label.length + 1;
  const parts = word.raw.slice(label.length + 1).split(".");
  const segments = parts.map((text): Name => {
    const span = spanIn(context.source, at, at + text.length);
    at += text.length + 1;
    return { kind: "Name", text, span };
  });
  const span = spanIn(context.source, word.span.start + label.length + 1, word.span.end);
  return { kind: "Path", segments, span };
}

function noteNearLabel(context: CheckContext, word: string, first: string, dotted: boolean): void {
  if (!dotted) return;
  const near = context.labels.names.find((label) => editDistance(first, label, 1) === 1);
  if (near === undefined) return;
  addNote(context, "text_not_binding", `${word} is text; the label near it is ${near}`, "info");
}
