import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { WordValue } from "../../language/grammar/ast-values.ts";
import { isRelativeDate } from "../../values/relative-date.ts";
import { addNote, type CheckContext } from "../check-context.ts";
import { joinedRows } from "../columns/joined-rows.ts";
import { columnMeaning, columnNames, columnsOf } from "../columns/row-columns.ts";
import { createNameFormatter, wireName } from "../names/name-formatter.ts";
import { type ColumnType, keyTypes, type RowType, typeText } from "../types.ts";
import { knownIdentity } from "../reads/row-identity.ts";
import type { Rows, TypedValue } from "../typed-program.ts";
import { foldList } from "./scalar-values.ts";
import { asMoment, expressionOf } from "./expression-parts.ts";
import { holeFits } from "./template-text.ts";
import { keyReference } from "./key-args.ts";
import { acceptedForms, slotTypeName } from "./slot-problems.ts";
import {
  readAs,
  UNKNOWN_VALUE,
  unreadable,
  type ValueReading,
  type ValueSlot,
} from "./value-reading.ts";
import { CURSOR, cursorColumn, wordMeaning, wordPath } from "./reference-value.ts";
import { resolvePath } from "../columns/resolve-path.ts";
import { unreadableColumn } from "../columns/unknown-column.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";

/** How many values the place takes: `many` where a column of many rows is legal (LANG-044). */
export type Room = "one" | "many";

/**
 * Reads a word as a reference to a label, or gives null if it is text there. An undotted word that
 * spells an option of its select slot, or a relative date in a date slot, is that (LANG-022).
 */
export function readWord(
  context: CheckContext,
  word: WordValue,
  slot: ValueSlot,
  room: Room,
): ValueReading | null {
  if (isSlotWord(word.raw, slot)) return null;
  const column = columnCell(context, word, slot);
  if (column !== null) return column;
  const meaning = wordMeaning(context, word);
  switch (meaning.kind) {
    case "text":
      noteCursorColumn(context, word);
      return null;
    case "bad":
      return readAs(UNKNOWN_VALUE);
    case "problem":
      return { value: UNKNOWN_VALUE, problems: [meaning.problem] };
    case "row":
      return readRow(context, word, meaning, slot, room);
    case "cell":
      return readCell(context, word, meaning, slot, room);
  }
}

/** Says of a word of text that the row a `=>` is at has a column of that name (LANG-048). */
function noteCursorColumn(context: CheckContext, { raw }: WordValue): void {
  const column = cursorColumn(context, raw);
  if (column === null) return;
  addNote(context, "text_not_binding", `${raw} is text; the column is ${column}`, "info");
}

/** Slots whose values no bare word writes, so that one may name a column of the row that is tested. */
function takesNoWord({ type: { type } }: ValueSlot): boolean {
  return ["number", "integer", "date", "boolean"].includes(type.kind);
}

/**
 * A word of a condition that names a column of the row it tests: `_.reorder` always, `reorder` where text could not
 * stand (LANG-048). Elsewhere a bare word is text, which is noted if a column has its name.
 */
function columnCell(context: CheckContext, word: WordValue, slot: ValueSlot): ValueReading | null {
  const { columns } = context;
  if (columns === null) return null;
  const [head = "", ...rest] = word.raw.split(".");
  const isRow = head === CURSOR;
  if (isRow ? context.cursor !== null || rest.length === 0 : context.labels.peek(head) !== null) {
    return null;
  }
  // Most words are text: what no column is called needs no look at all that a path may be.
  if (!isRow && rest.length === 0 && !isColumn(context, columns.type, head)) return null;
  const path = wordPath(context, word, isRow ? 1 : 0);
  if (path === null) return null;
  const meaning = resolvePath(context, columns.type, path);
  if (meaning.kind !== "column") {
    if (!isRow) return null;
    const problem =
      meaning.kind === "foreign" ? unreadableColumn(context, path, meaning) : meaning.problem;
    return { value: UNKNOWN_VALUE, problems: [problem] };
  }
  if (!isRow && !takesNoWord(slot)) {
    const detail = `${word.raw} is text; the column is ${CURSOR}.${word.raw}`;
    addNote(context, "text_not_binding", detail, "info");
    return null;
  }
  if (!holeFits(context.exposure, meaning.type, slot.type)) {
    return unreadable(typeProblem(context, word, slot, meaning.type));
  }
  columns.paths.push(meaning.path);
  const cell = { kind: "cell", path: meaning.path, type: meaning.type } as const;
  return readAs(asMoment(expressionOf(cell, meaning.type)).value);
}

function isColumn({ exposure }: CheckContext, rows: RowType, word: string): boolean {
  return columnMeaning(exposure, rows, wireName(exposure.symbols, word)).kind === "column";
}

interface Cell {
  readonly label: string;
  readonly rows: Rows;
  readonly path: readonly string[];
  readonly type: ColumnType;
}

function isSlotWord(raw: string, slot: ValueSlot): boolean {
  const { type } = slot.type;
  switch (type.kind) {
    case "select":
    case "multi_select":
      return !raw.includes(".") && type.options.includes(raw);
    case "date":
      return isRelativeDate(raw);
    case "string":
    case "uuid":
    case "blob":
    case "number":
    case "integer":
    case "boolean":
    case "array":
    case "json":
    case "entity_ref":
      return false;
  }
}

function readCell(
  context: CheckContext,
  word: WordValue,
  cell: Cell,
  slot: ValueSlot,
  room: Room,
): ValueReading {
  const lists = slot.type.type.kind === "array" || slot.type.type.kind === "multi_select";
  const many = cell.label !== CURSOR && cell.rows.type.card === "many";
  if (many && room === "one" && !lists) {
    return unreadable(severalRows(context, word, cell, slot));
  }
  if (!holeFits(context.exposure, cell.type, slot.type)) {
    return unreadable(typeProblem(context, word, slot, cell.type));
  }
  const value = cellValue(context, cell, slot, many);
  const single = lists && !many && !isList(cell.type);
  return readAs(single ? foldList([value]) : value);
}

/** Many rows where one value stands: a condition can ask for those of all of them. */
function severalRows(
  context: CheckContext,
  { raw, span }: WordValue,
  { label, path, rows: { type } }: Cell,
  { shown, inTakesMany = false }: ValueSlot,
): Diagnostic {
  const [key, second] =
    type.entity === null ? [] : keyTypes(context.exposure, type.entity.entryId, type.entity.entity);
  const one = path.length === 0 ? key?.[0] : null;
  if (!inTakesMany || one === undefined || (one !== null && second !== undefined)) {
    return diagnose(nameMessages.notSingletonValue, span, { label });
  }
  const { name } = createNameFormatter(context.exposure, false);
  const form = `${shown} in ${one === null ? raw : `${raw}.${name(one)}`}`;
  return diagnose(nameMessages.notSingletonCondition, span, { label, form });
}

function typeProblem(
  context: CheckContext,
  word: WordValue,
  slot: ValueSlot,
  type: ColumnType,
): Diagnostic {
  const args = {
    slot: slot.shown,
    type: slotTypeName(context, slot),
    word: word.raw,
    found: typeText(context.exposure, type),
    forms: acceptedForms(context, slot),
  };
  return diagnose(valueMessages.holeType, word.span, args);
}

function cellValue(context: CheckContext, cell: Cell, slot: ValueSlot, many: boolean): TypedValue {
  const { label, path, type } = cell;
  if (label === CURSOR) {
    context.cursor?.paths.push(path);
    return { kind: "cursor", path, type };
  }
  const rows = joinedRows(context, cell.rows, [path]);
  return knownCell(cell, slot) ?? { kind: "hole", rows, path, type, many };
}

/** A cell that is known without reading its row: a part of its key, or its reference (PLAN-002). */
function knownCell(cell: Cell, slot: ValueSlot): TypedValue | null {
  const key = knownIdentity(cell.rows);
  const { entity } = cell.rows.type;
  if (key === null || entity === null) return null;
  const [part] = cell.path;
  if (cell.path.length > 1) return null;
  if (part === undefined)
    return cell.type.type.kind === "entity_ref" ? keyReference(entity, key) : null;
  const value = key.get(part);
  if (value === undefined) return null;
  const { type } = slot.type;
  const taken = type.kind === "array" ? type.items : type;
  const asText = taken.kind === "string" && value.kind === "lit";
  return asText && typeof value.value === "number"
    ? { kind: "lit", value: String(value.value) }
    : value;
}

function isList({ type }: ColumnType): boolean {
  return type.kind === "array" || type.kind === "multi_select" || type.kind === "json";
}

/** `label` alone: its reference, its only column, or an object (LANG-044). */
function readRow(
  context: CheckContext,
  word: WordValue,
  { label, rows }: Pick<Cell, "label" | "rows">,
  slot: ValueSlot,
  room: Room,
): ValueReading {
  const { exposure } = context;
  const reference = referenceType(rows);
  if (reference !== null && wantsReference(slot.type)) {
    if (holeFits(exposure, reference, slot.type)) {
      return readCell(context, word, { label, rows, path: [], type: reference }, slot, room);
    }
  }
  const columns = rows.type.open ? [] : columnsOf(exposure, rows.type);
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) {
    const cell = { label, rows, path: only[0].split("."), type: only[1] };
    return readCell(context, word, cell, slot, room);
  }
  if (slot.type.type.kind === "json") {
    const type: ColumnType = { entryId: null, type: { kind: "json" } };
    return readCell(context, word, { label, rows, path: [], type }, slot, room);
  }
  return unreadable(rowProblem(context, word, rows, slot));
}

function rowProblem(context: CheckContext, word: WordValue, rows: Rows, slot: ValueSlot) {
  const { entity } = rows.type;
  const { type } = slot.type;
  if (type.kind === "entity_ref" && entity !== null) {
    const found = createNameFormatter(context.exposure, false).entity(entity);
    const args = {
      slot: slot.shown,
      wanted: type.target,
      word: word.raw,
      found,
      forms: acceptedForms(context, slot),
    };
    return diagnose(valueMessages.holeEntity, word.span, args);
  }
  const names = columnNames(context.exposure, rows.type).map((name) => `${word.raw}.${name}`);
  const args = {
    slot: slot.shown,
    type: slotTypeName(context, slot),
    word: word.raw,
    columns: names.join(", "),
  };
  return diagnose(valueMessages.holeRow, word.span, args);
}

function wantsReference({ type }: ColumnType): boolean {
  return type.kind === "entity_ref" || (type.kind === "array" && type.items.kind === "entity_ref");
}

function referenceType(rows: Rows): ColumnType | null {
  const { entity } = rows.type;
  if (entity === null) return null;
  return { entryId: entity.entryId, type: { kind: "entity_ref", target: entity.entity } };
}
