import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { stepMessages, templateMessages } from "../../diagnostics/step-messages.ts";
import type { Name, Path } from "../../language/grammar/ast-values.ts";
import type { TextRange } from "../../base/span.ts";
import type { TemplateEdit } from "../../templates/template-reads.ts";
import type { PathStep, TemplateName } from "../../templates/tree.ts";
import { columnMeaning, columnNames } from "../columns/row-columns.ts";
import { resolvePath } from "../columns/resolve-path.ts";
import { unknownColumn } from "../columns/unknown-column.ts";
import { speakerLike } from "../names/name-formatter.ts";
import { type ColumnType, type RowType, typeText } from "../types.ts";
import { columnsText, type TemplateScope } from "./template-scope.ts";

type Key = Extract<PathStep, { kind: "key" }>;

/** What a path of a template reads, or why it reads nothing. */
export type BoundPath =
  /** rows themselves, or members only a run can tell */
  | { readonly kind: "rows" }
  /** `edit` writes the column with its wire name, if it is not written so already */
  | {
      readonly kind: "column";
      readonly path: readonly string[];
      readonly edit: TemplateEdit | null;
    }
  | { readonly kind: "problem"; readonly problem: Diagnostic };

/** The rows that a name of a template holds. */
export interface NamedRows {
  readonly type: RowType;
  readonly isList: boolean;
}

const ROWS_THEMSELVES: BoundPath = { kind: "rows" };

/** Binds the path behind a name of a template to a column of its rows (LANG-024, LANG-081, TEACH-9). */
export function bindPath(scope: TemplateScope, name: TemplateName, rows: NamedRows): BoundPath {
  const [first, ...others] = name.steps;
  if (!rows.isList) return bindColumn(scope, name, rows, name.steps);
  if (first === undefined) return ROWS_THEMSELVES;
  if (first.kind === "key") return memberOfList(scope, name, rows, first);
  return bindColumn(scope, name, rows, others);
}

/** Binds the steps behind one row. */
function bindColumn(
  scope: TemplateScope,
  name: TemplateName,
  rows: NamedRows,
  steps: readonly PathStep[],
): BoundPath {
  const [first] = steps;
  const isLooped = first === undefined && name.use === "looped";
  // What a loop or set took from a row by mistake is reported there.
  const at = name.steps.length - steps.length;
  if (first?.kind === "item" && at < name.inherited) return ROWS_THEMSELVES;
  if (isLooped || first?.kind === "item") return itemOfRow(scope, name, rows);
  if (first === undefined || first.kind === "computed") return ROWS_THEMSELVES;
  if (first.quoted) return quotedColumn(scope, rows.type, first, steps.slice(1));
  const keys = writtenTogether(scope.text.body, steps);
  const path = pathOf(scope, keys);
  const meaning = resolvePath(scope.context, rows.type, path);
  switch (meaning.kind) {
    case "foreign": {
      const [column = ""] = meaning.path;
      const args = {
        path: textOf(keys),
        name: column,
        target: meaning.target,
        place: scope.text.place(first.start),
        columns: columnsText(scope.context, rows.type, column),
      };
      const entry = templateMessages.foreignColumn;
      return { kind: "problem", problem: diagnose(entry, path.span, args) };
    }
    case "unknown":
    case "problem":
      return { kind: "problem", problem: inTemplate(scope, meaning.problem, rows.type, keys) };
    case "column":
      break;
  }
  const count = columnLength(scope, rows.type, path, meaning);
  const column = resolvePath(scope.context, rows.type, prefix(path, count));
  if (column.kind !== "column") throw new Error("What begins a column's path is a column.");
  const rest = steps.slice(count);
  const problem = restProblem(scope, rows.type, keys.slice(0, count), column.type, rest);
  if (problem !== null) return { kind: "problem", problem };
  const edit = columnEdit(scope.text.body, keys.slice(0, count), column.path);
  return { kind: "column", path: column.path, edit };
}

/** Keys with nothing but dots between them: those that a `set` stands between are apart. */
function writtenTogether(body: string, steps: readonly PathStep[]): readonly Key[] {
  const keys: Key[] = [];
  for (const step of steps) {
    const before = keys.at(-1);
    if (step.kind !== "key" || step.quoted) break;
    if (before !== undefined && body.slice(before.end, step.start).trim() !== ".") break;
    keys.push(step);
  }
  return keys;
}

function pathOf({ text }: TemplateScope, keys: readonly Key[]): Path {
  const segments = keys.map((key): Name => ({ kind: "Name", text: key.key, span: text.span(key) }));
  return { kind: "Path", segments, span: text.span(rangeOf(keys)) };
}

function rangeOf(keys: readonly Key[]): TextRange {
  return { start: keys[0]?.start ?? 0, end: keys.at(-1)?.end ?? 0 };
}

function prefix(path: Path, count: number): Path {
  return { ...path, segments: path.segments.slice(0, count) };
}

function textOf(keys: readonly Key[]): string {
  return keys.map(({ key }) => key).join(".");
}

/** How many keys of a path name the column; what is behind a json column is read at run. */
function columnLength(
  scope: TemplateScope,
  type: RowType,
  path: Path,
  whole: { readonly path: readonly string[]; readonly type: ColumnType },
): number {
  const all = path.segments.length;
  if (whole.type.type.kind !== "json") return all;
  const isColumn = type.columns?.some(({ name }) => name === whole.path.join(".")) === true;
  if (isColumn) return all;
  for (let count = 1; count < all; count++) {
    const meaning = resolvePath(scope.context, type, prefix(path, count));
    if (meaning.kind === "column" && meaning.type.type.kind === "json") return count;
  }
  return all;
}

/** A quoted key is a column by exactly that name. */
function quotedColumn(
  scope: TemplateScope,
  type: RowType,
  key: Key,
  rest: readonly PathStep[],
): BoundPath {
  const { context, text } = scope;
  const meaning = columnMeaning(context.exposure, type, key.key);
  if (meaning.kind !== "column") {
    const speaker = speakerLike(context.exposure, key.key);
    const at: Name = { kind: "Name", text: key.key, span: text.span(key) };
    const { entity } = type;
    const columns = () => columnNames(context.exposure, type);
    const receiver = () => (entity === null ? "these rows" : speaker.entity(entity));
    const problem = diagnoseLater(templateMessages.column, at.span, () => {
      const { edits: _, ...found } = unknownColumn(speaker, at, key.key, columns, receiver);
      return inTemplate(scope, found, type, [key]);
    });
    return { kind: "problem", problem };
  }
  const problem = restProblem(scope, type, [key], meaning.type, rest);
  if (problem !== null) return { kind: "problem", problem };
  return { kind: "column", path: key.key.split("."), edit: null };
}

/** What is wrong with steps behind a column of a type; of json only a run can tell. */
function restProblem(
  scope: TemplateScope,
  rows: RowType,
  keys: readonly Key[],
  { type, entryId }: ColumnType,
  rest: readonly PathStep[],
): Diagnostic | null {
  const [next, ...further] = rest;
  if (type.kind === "json" || next === undefined) return null;
  if (next.kind !== "key") {
    if (type.kind !== "array") return null;
    return restProblem(scope, rows, keys, { entryId, type: type.items }, further);
  }
  const name = textOf(keys);
  const place = scope.text.place(next.start);
  const columns = columnsText(scope.context, rows, name);
  const span = scope.text.span(next);
  if (type.kind === "entity_ref") {
    const form = `r.${name}.${next.key}`;
    return diagnose(templateMessages.brokenPath, span, { name, form, place, columns });
  }
  const shown = typeText(scope.context.exposure, { type, entryId });
  const found = diagnose(stepMessages.noParts, span, { name, type: shown, part: next.key });
  return inTemplate(scope, found, rows, [next]);
}

const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Writes a column as `.name`, or `["a.b"]` where its name is no word; null if it is written so. */
function columnEdit(
  body: string,
  keys: readonly Key[],
  path: readonly string[],
): TemplateEdit | null {
  const [first] = keys;
  const name = path.join(".");
  if (first === undefined || (keys.length === 1 && first.key === name)) return null;
  const range = rangeOf(keys);
  if (PLAIN.test(name)) return { ...range, replacement: name };
  const dot = body.lastIndexOf(".", first.start);
  return { start: dot, end: range.end, replacement: `["${name}"]` };
}

/** An error of a column as one of the template: with its place there, and the columns (ERR-010). */
function inTemplate(
  scope: TemplateScope,
  found: Diagnostic,
  rows: RowType,
  keys: readonly Key[],
): Diagnostic {
  return diagnoseLater(templateMessages.column, found.span, () => {
    const place = scope.text.place(offsetIn(scope, found, keys));
    const args = { problem: found.message, place, fix: found.correction };
    const { span, edits } = found;
    if (/\bcolumns\b/iu.test(found.correction)) {
      return diagnose(templateMessages.column, span, args, edits);
    }
    const columns = columnsText(scope.context, rows, keys[0]?.key);
    return diagnose(templateMessages.columnAmong, span, { ...args, columns }, edits);
  });
}

/** The offset in the template of an error that points at one of the keys. */
function offsetIn({ text }: TemplateScope, { span }: Diagnostic, keys: readonly Key[]): number {
  const key = keys.find((each) => text.span(each).start === span.start);
  return (key ?? keys[0])?.start ?? 0;
}

function memberOfList(
  scope: TemplateScope,
  { root }: TemplateName,
  { type }: NamedRows,
  key: Key,
): BoundPath {
  const columns = columnsText(scope.context, type, key.key);
  const form = `${root}[0].${key.key}`;
  const args = { name: root, key: key.key, form, place: scope.text.place(key.start), columns };
  const problem = diagnose(templateMessages.memberOfList, scope.text.span(key), args);
  return { kind: "problem", problem };
}

function itemOfRow(
  scope: TemplateScope,
  { root, start, end, inherited }: TemplateName,
  { type, isList }: NamedRows,
): BoundPath {
  const { context, text } = scope;
  const own = inherited > 0 ? text.body.slice(start, end) : root;
  const [column = "id"] = type.open ? [] : columnNames(context.exposure, type);
  const name = isList ? `an item of ${root}` : root;
  const form = isList && inherited === 0 ? `${root}[0].${column}` : `${own}.${column}`;
  const columns = columnsText(context, type);
  const args = { name, form, place: text.place(start), columns };
  const problem = diagnose(templateMessages.itemOfRow, text.span({ start, end }), args);
  return { kind: "problem", problem };
}
