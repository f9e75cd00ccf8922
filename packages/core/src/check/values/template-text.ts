import type { Path } from "../../language/ast-names.ts";
import type { HeredocValue, StringValue } from "../../language/ast-values.ts";
import { quoteText } from "../../language/quote-text.ts";
import { clip } from "../../text/clip.ts";
import type { CheckContext } from "../check-context.ts";
import { resolvePath } from "../columns/resolve-path.ts";
import { addNote } from "../notes.ts";
import type { Rows } from "../typed-program.ts";
import { holeFits } from "./hole-fits.ts";
import type { ValueSlot } from "./value-reading.ts";
import { CURSOR } from "./word-reference.ts";

/** What other languages fill in: `${…}`, `{{…}}`, `{% … %}`, and `{name}` of something in this program. */
const MARK =
  /\$\{([^{}\n]{1,120})\}|\{\{([^{}\n]{1,120})\}\}|\{%[^%\n]{1,120}%\}|\{([A-Za-z_][\w.]{0,119})\}/g;
const PATH = /^[A-Za-z_]\w*(?:\.\w+)*$/;

/** A mark in a text: what stands in it, and the label whose rows it names, if it names any. */
interface Mark {
  readonly written: string;
  readonly inner: string;
  readonly label: string | null;
  readonly rows: Rows | null;
}

/**
 * Notes text that looks as if something were filled in (LANG-047): it is sent as it is. Where it names a
 * label, or the row a `=>` is at, its writer meant the value, so the plan is one for review.
 */
export function noteTemplateText(
  context: CheckContext,
  value: StringValue | HeredocValue,
  slot: Pick<ValueSlot, "shown" | "type">,
): void {
  const marks = marksOf(context, value.text);
  const [first] = marks;
  if (first === undefined) return;
  const known = marks.find(({ rows }) => rows !== null);
  const { written } = known ?? first;
  const what = `${slot.shown}: the text ${quoteText(clip(value.text, 60))} is sent as it is, ${written} too`;
  const form =
    known === undefined
      ? "text in quotes is never filled in"
      : instead(context, value.text, known, slot);
  addNote(
    context,
    "looks_like_template",
    `${what}; ${form}`,
    known === undefined ? "info" : "review",
  );
}

function marksOf(context: CheckContext, text: string): readonly Mark[] {
  if (!text.includes("{")) return [];
  return [...text.matchAll(MARK)].flatMap((found): readonly Mark[] => {
    const [written, dollar, braces, single] = found;
    const inner = (dollar ?? braces ?? single ?? "").trim();
    const [label = ""] = /^[A-Za-z_]\w*/.exec(inner) ?? [];
    const rows = label === CURSOR ? (context.cursor?.rows ?? null) : context.labels.peek(label);
    const isMeant = rows !== null || single === undefined || label === CURSOR;
    return isMeant ? [{ written, inner, label: rows === null ? null : label, rows }] : [];
  });
}

/** The form that fills in what a mark names, checked against the rows it names. */
function instead(
  context: CheckContext,
  text: string,
  mark: Mark,
  slot: Pick<ValueSlot, "shown" | "type">,
): string {
  const { inner, label } = mark;
  const cell = cellOf(context, mark);
  const isAlone = text.trim() === mark.written;
  if (label === CURSOR) {
    const fits = cell !== null && holeFits(context.exposure, cell.type, slot.type);
    return fits
      ? `write ${inner} without quotes; text around the value of a row cannot be written`
      : "a => fills in whole values alone: a column of _ without quotes";
  }
  const isMany = mark.rows?.type.card === "many";
  const fits = cell !== null && !isMany && holeFits(context.exposure, cell.type, slot.type);
  if (isAlone && fits) return `write ${inner} without quotes`;
  const shown =
    cell === null ? "…" : isMany ? `rows[0].${inner.slice(inner.indexOf(".") + 1)}` : inner;
  const free = ["t", "text", "filled", "content"].find(
    (name) => !context.labels.names.includes(name),
  );
  return (
    `bind it first, ${free ?? "t9"} = ${label} <<T, newline, the text with {{ ${shown} }}, newline, T, ` +
    `and write ${free ?? "t9"}.content without quotes`
  );
}

/** What a plain path in a mark reads, or null if it reads no column. */
function cellOf(context: CheckContext, { inner, rows }: Mark) {
  if (rows === null || !PATH.test(inner) || !inner.includes(".")) return null;
  const span = { start: 0, end: 0, line: 1, column: 1 };
  const segments = inner
    .split(".")
    .slice(1)
    .map((name) => ({ kind: "Name", text: name, span }) as const);
  const path: Path = { kind: "Path", segments, span };
  const meaning = resolvePath(context, rows.type, path);
  return meaning.kind === "column" ? meaning : null;
}
