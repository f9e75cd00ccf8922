import type { HeredocValue, Path, StringValue } from "../../language/grammar/ast-values.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import { clip } from "../../base/text.ts";
import { addNote, type CheckContext } from "../check-context.ts";
import { resolvePath } from "../columns/resolve-path.ts";
import type { Rows } from "../typed-program.ts";
import type { ValueSlot } from "./value-reading.ts";
import { CURSOR } from "./reference-value.ts";
import type { Exposure } from "../../symbols/exposure.ts";
import type { ValueKind, ValueType } from "../../values/value-type.ts";
import { type ColumnType, keyTypes } from "../types.ts";

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
    if (cell === null) return "text is joined with +, and a column of the row is _.column";
    return `write ${isAlone ? inner : joined(text)}`;
  }
  const isMany = mark.rows?.type.card === "many";
  const fits = cell !== null && !isMany && holeFits(context.exposure, cell.type, slot.type);
  if (isAlone && fits) return `write ${inner} without quotes`;
  if (cell !== null && !isMany && text.length <= 80) return `write ${joined(text)}`;
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

/** A text with marks as one that is joined: `"Hello " + _.name`. */
function joined(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const found of text.matchAll(MARK)) {
    const [written, dollar, braces, single] = found;
    const inner = (dollar ?? braces ?? single ?? "").trim();
    if (found.index > at) parts.push(quoteText(text.slice(at, found.index)));
    parts.push(PATH.test(inner) ? inner : quoteText(written));
    at = found.index + written.length;
  }
  if (at < text.length) parts.push(quoteText(text.slice(at)));
  return clip(parts.join(" + "), 160);
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

/** Which kinds a slot takes from a cell; json fits everywhere and takes everything (LANG-045). */
const TAKES: Readonly<Partial<Record<ValueKind, readonly ValueKind[]>>> = {
  string: ["string", "uuid", "number", "integer", "date", "select"],
  uuid: ["uuid", "string"],
  blob: ["blob", "string"],
  number: ["number", "integer", "string"],
  integer: ["number", "integer", "string"],
  boolean: ["boolean", "string"],
  select: ["select", "string"],
  date: ["date", "string"],
};

/**
 * Whether a cell of type `from` may fill a slot of type `to`: checked here by type, and again by value
 * when the hole is filled (LANG-045). Text may turn out to be a number, date or option.
 */
export function holeFits(exposure: Exposure, from: ColumnType, to: ColumnType): boolean {
  if (from.type.kind === "json" || to.type.kind === "json") return true;
  switch (to.type.kind) {
    case "string":
    case "uuid":
    case "blob":
    case "number":
    case "integer":
    case "boolean":
    case "select":
      return scalarFits(exposure, from, to.type);
    case "date":
      return scalarFits(exposure, from, to.type) || unixFits(from.type, to.type);
    case "multi_select":
      return elementsFit(exposure, from, { entryId: to.entryId, type: selectOf(to.type) });
    case "array":
      return elementsFit(exposure, from, { entryId: to.entryId, type: to.type.items });
    case "entity_ref":
      return referenceFits(exposure, from, to);
  }
}

function scalarFits(exposure: Exposure, from: ColumnType, to: ValueType): boolean {
  if (from.type.kind === "entity_ref") {
    return to.kind === "string" && onlyKeyType(exposure, from) !== null;
  }
  return TAKES[to.kind]?.includes(from.type.kind) ?? false;
}

function unixFits(from: ValueType, to: ValueType): boolean {
  if (to.kind !== "date" || (to.format !== "unix_sec" && to.format !== "unix_ms")) return false;
  return from.kind === "integer" || from.kind === "number";
}

function elementsFit(exposure: Exposure, from: ColumnType, element: ColumnType): boolean {
  if (from.type.kind === "array") {
    return holeFits(exposure, { entryId: from.entryId, type: from.type.items }, element);
  }
  if (from.type.kind === "multi_select") {
    return holeFits(exposure, { entryId: from.entryId, type: selectOf(from.type) }, element);
  }
  return holeFits(exposure, from, element);
}

function referenceFits(exposure: Exposure, from: ColumnType, to: ColumnType): boolean {
  if (to.type.kind !== "entity_ref") return false;
  if (from.type.kind === "entity_ref") {
    return from.type.target === to.type.target && from.entryId === to.entryId;
  }
  const key = onlyKeyType(exposure, to);
  if (key === null) return false;
  if (key.kind === "entity_ref") return from.type.kind === "string";
  return holeFits(exposure, from, { entryId: to.entryId, type: key });
}

/** The type of a one-part key of the entity a reference means, or null. */
function onlyKeyType(exposure: Exposure, reference: ColumnType): ValueType | null {
  if (reference.type.kind !== "entity_ref" || reference.entryId === null) return null;
  const parts = keyTypes(exposure, reference.entryId, reference.type.target);
  return parts.length === 1 ? (parts[0]?.[1] ?? null) : null;
}

function selectOf(type: Extract<ValueType, { kind: "multi_select" }>): ValueType {
  return { kind: "select", options: type.options };
}
