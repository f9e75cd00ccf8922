import { spanIn } from "../../base/source.ts";
import type { Span } from "../../base/span.ts";
import { conditionMessages } from "../../diagnostics/condition-messages.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { Compare, In, Path, Value } from "../../language/grammar/ast-values.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import type { Slot } from "../../model/input.ts";
import { isRelativeDate } from "../../values/relative-date.ts";
import { type ValueType, elementType } from "../../values/value-type.ts";
import { type CheckContext, programText } from "../check-context.ts";
import type { ConditionOp, Sendable, TypedCondition, TypedValue } from "../typed-program.ts";
import { type ColumnType, type RowType, isControl, slotType, takesList } from "../types.ts";
import { readValue } from "../values/read-value.ts";
import { readWord } from "../values/read-word.ts";
import { foldList } from "../values/scalar-values.ts";
import { slotTypeName } from "../values/slot-problems.ts";
import { readsCells } from "../values/typed-parts.ts";
import {
  type ValueReading,
  type ValueSlot,
  foundText,
  readAs,
  unreadable,
} from "../values/value-reading.ts";
import {
  type KnownName,
  type SendableList,
  conditionName,
  sendableLists,
} from "./name-condition.ts";

const ORDERED_OPERATORS: readonly ConditionOp[] = ["=", "!=", "<", "<=", ">", ">=", "in"];
const TEXT_OPERATORS: readonly ConditionOp[] = [...ORDERED_OPERATORS, "~"];
const CHOICE_OPERATORS: readonly ConditionOp[] = ["=", "!=", "in"];
const LIST_OPERATORS: readonly ConditionOp[] = ["=", "!=", "~", "in"];

/** The operators that compare a column of a type (LANG-050); every type also has exists and null. */
function operatorsOf(type: ValueType): readonly ConditionOp[] {
  switch (type.kind) {
    case "string":
    case "json":
      return TEXT_OPERATORS;
    case "number":
    case "integer":
    case "date":
    case "uuid":
    case "blob":
      return ORDERED_OPERATORS;
    case "boolean":
    case "select":
    case "entity_ref":
      return CHOICE_OPERATORS;
    case "array":
    case "multi_select":
      return LIST_OPERATORS;
  }
}

/**
 * The right side of `in`: a list of values of the slot's type, each read by `read`, or the cells of a
 * label, many or one (LANG-044). Equal constants count once.
 */
function readInMembers(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  read: (context: CheckContext, value: Value, slot: ValueSlot) => ValueReading = readValue,
): ValueReading {
  const member: ValueSlot = { ...slot, nullable: false };
  if (value.kind === "PlaceholderValue") return readValue(context, value, member);
  if (value.kind === "WordValue") {
    const reading = readWord(context, value, member, "many");
    if (reading === null) return unreadable(needsList(context, value, slot));
    return reading.value === null ? reading : { ...reading, value: asList(reading.value) };
  }
  if (value.kind !== "ListValue") return unreadable(needsList(context, value, slot));
  const readings = value.items.map((item) => read(context, item, member));
  const problems = readings.flatMap((reading) => reading.problems);
  const values = readings.flatMap((reading) => (reading.value === null ? [] : [reading.value]));
  if (values.length < readings.length) return unreadable(...problems);
  return { ...readAs(foldList(distinct(values))), problems };
}

/**
 * The cells of a label as a list: a cell that is known without reading its row, too, is a list of one. A label of
 * one row at most is a column all the same, so that no row, or a null in it, is an empty list (C-124).
 */
function asList(value: TypedValue): TypedValue {
  if (value.kind === "hole") return { ...value, many: true };
  if (value.kind !== "list") return foldList([value]);
  const [only, ...more] = value.items;
  return only?.kind === "hole" && more.length === 0 ? { ...only, many: true } : value;
}

function distinct(values: readonly TypedValue[]): readonly TypedValue[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    if (value.kind !== "lit" && value.kind !== "dec") return true;
    const text = JSON.stringify(value);
    return !seen.has(text) && seen.add(text);
  });
}

function needsList(context: CheckContext, value: Value, slot: ValueSlot) {
  const found = foundText(value, programText(context, value.span));
  return diagnose(valueMessages.inNeedsList, value.span, { slot: slot.shown, found });
}

/** A condition that was understood, or null, and what is wrong. */
export interface ConditionReading {
  readonly condition: TypedCondition | null;
  readonly problems: readonly Diagnostic[];
}

/** Reads `path op value` (LANG-050, LANG-052): how it is tested, and by which lists it can be sent. */
export function readCompare(
  context: CheckContext,
  rows: RowType,
  compare: Compare,
): ConditionReading {
  const { path, op, value, span } = compare;
  const operator = { op, span: operatorSpan(context, path, value.span, op) };
  return readCondition(context, rows, path, operator, value, span);
}

/** Reads `path in [..]` and `path in label.column`. */
export function readIn(context: CheckContext, rows: RowType, item: In): ConditionReading {
  const right = item.list ?? item.word;
  if (right === undefined || right.kind === "Bad") return { condition: null, problems: [] };
  const operator = {
    op: "in",
    span: operatorSpan(context, item.path, right.span, "in"),
  } as const;
  return readCondition(context, rows, item.path, operator, right, item.span);
}

interface Operator {
  readonly op: ConditionOp;
  readonly span: Span;
}

function readCondition(
  context: CheckContext,
  rows: RowType,
  path: Path,
  operator: Operator,
  value: Value,
  span: Span,
): ConditionReading {
  const lists = rows.entity === null ? [] : sendableLists(context, rows.entity);
  const name = conditionName(context, rows, path, lists);
  if (name.kind === "problem") return { condition: null, problems: [name.problem] };
  const badOperator =
    operatorProblem(context, name, operator, value) ??
    textOrder(context, path, name, operator, value);
  if (badOperator !== null) return { condition: null, problems: [badOperator] };
  const tested = readTested(context, name, operator.op, value);
  const sendable = readSendable(context, name, operator.op, value, lists, tested);
  const readings = [tested, ...sendable.readings];
  const sound = readings.filter(isSound);
  if (sound.length === 0) {
    const refused = readings.find((reading) => reading.problems.length > 0);
    if (refused !== undefined) return { condition: null, problems: refused.problems };
  }
  // A parameter that this operator cannot send is refused where the list is chosen (RUN-112).
  const condition: TypedCondition = {
    kind: "condition",
    path: name.path,
    op: operator.op,
    column: name.column?.type ?? null,
    tested: isSound(tested) ? tested.value : null,
    sendable: sendable.values,
    span,
    nameSpan: path.span,
  };
  return { condition, problems: sound.flatMap((reading) => reading.problems) };
}

/** Whether a value fits, were its placeholders filled: column and parameter may differ in type. */
function isSound({ value, problems }: ValueReading): boolean {
  return value !== null && problems.every(({ code }) => code === "placeholder");
}

function operatorProblem(
  context: CheckContext,
  name: KnownName,
  operator: Operator,
  value: Value,
): Diagnostic | null {
  if (value.kind === "NullValue") {
    if (operator.op === "=" || operator.op === "!=") return null;
    return diagnose(valueMessages.nullCondition, operator.span, { slot: name.shown });
  }
  if (name.column === null) return null;
  const allowed = operatorsOf(name.column.type);
  if (allowed.includes(operator.op)) return null;
  // What the column cannot compare may still be sent as a list parameter's `in`.
  if (operator.op === "in" && name.slots.some(takesList)) return null;
  const args = {
    op: operator.op,
    name: name.shown,
    type: slotTypeName(context, testSlot(name.shown, name.column)),
    operators: `${allowed.join(" ")} exists(${name.shown}) = null`,
  };
  return diagnose(conditionMessages.badOperator, operator.span, args);
}

/** A number beside text in an order: its writer means numbers, and characters are in another order. */
function textOrder(
  context: CheckContext,
  path: Path,
  name: KnownName,
  { op, span }: Operator,
  value: Value,
): Diagnostic | null {
  const isText = name.column?.type.kind === "string";
  if (!isText || !ORDER.has(op) || value.kind !== "NumberValue") return null;
  const { raw } = value;
  const written = programText(context, path.span);
  const edits = [{ span: path.span, replacement: `number(${written})` }];
  const args = { op, name: written, raw, quoted: quoteText(raw) };
  return diagnose(conditionMessages.textOrder, span, args, edits);
}

function readTested(
  context: CheckContext,
  name: KnownName,
  op: ConditionOp,
  value: Value,
): ValueReading {
  const { column } = name;
  if (column === null || name.slots.some(isControl)) return { value: null, problems: [] };
  const slot = testSlot(name.shown, column);
  if (column.type.kind === "json") return readJsonOperand(context, value, slot, op);
  if (op === "in") return readInMembers(context, value, elementSlot(slot));
  if (op === "~") return readValue(context, value, elementSlot(slot));
  return readValue(context, value, { ...slot, inTakesMany: op === "=" });
}

/** What `~` and `in` look for: text in text, an element in a list. */
function elementSlot(slot: ValueSlot): ValueSlot {
  const { entryId } = slot.type;
  return { ...slot, nullable: false, type: { entryId, type: elementType(slot.type.type) } };
}

const ORDER: ReadonlySet<ConditionOp> = new Set(["<", "<=", ">", ">="]);
const NUMBER: ValueType = { kind: "number" };
const TEXT: ValueType = { kind: "string", semantics: "short" };
const DATE: ValueType = { kind: "date", format: "rfc3339" };

/**
 * The right side of a condition on json, whose kind is known only at run (RUN-113): `~` takes text, an
 * order numbers, dates and text, and a word like `today-7d` is a date, as in every other place of one.
 */
function readJsonOperand(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  op: ConditionOp,
): ValueReading {
  const as = (type: ValueType): ValueSlot => ({ ...slot, type: { ...slot.type, type } });
  if (op === "in") return readInMembers(context, value, slot, readJsonScalar);
  if (op === "~") return readValue(context, value, as(TEXT));
  const isOrderless =
    value.kind === "ListValue" || value.kind === "ObjectValue" || value.kind === "BoolValue";
  if (isOrderless && ORDER.has(op)) {
    const found = foundText(value, programText(context, value.span));
    const args = {
      slot: slot.shown,
      type: "a number, date or text",
      found,
      forms: "a value like 12.5",
    };
    return unreadable(diagnose(valueMessages.invalid, value.span, args));
  }
  return readJsonScalar(context, value, slot);
}

function readJsonScalar(context: CheckContext, value: Value, slot: ValueSlot): ValueReading {
  const as = (type: ValueType): ValueSlot => ({ ...slot, type: { ...slot.type, type } });
  if (value.kind === "NumberValue") return readValue(context, value, as(NUMBER));
  const isDate = value.kind === "WordValue" && isRelativeDate(value.raw);
  return readValue(context, value, isDate ? as(DATE) : slot);
}

function testSlot(shown: string, type: ColumnType): ValueSlot {
  return { shown, type, nullable: true, use: "test" };
}

interface SendableReading {
  readonly values: ReadonlyMap<string, Sendable>;
  readonly readings: readonly ValueReading[];
}

/**
 * By which lists the condition can be sent: `=` but null, or `in` where RUN-111 allows it. What an API
 * makes of several values for a column that is a list, all of them or any, is its own: `=` is sent and
 * tested on the rows too, `in` is only tested.
 */
function readSendable(
  context: CheckContext,
  name: KnownName,
  op: ConditionOp,
  value: Value,
  lists: readonly SendableList[],
  tested: ValueReading,
): SendableReading {
  const values = new Map<string, Sendable>();
  const readings: ValueReading[] = [];
  const sent = value.kind !== "NullValue" && name.path.length === 1;
  const isSeveral = isListColumn(name) && isSound(tested) && mayBeSeveral(tested.value);
  for (const { capability, slots } of sent ? lists : []) {
    const slot = slots.get(name.path[0] ?? "");
    if (slot === undefined) continue;
    const type = { entryId: name.entryId, type: slotType(slot) };
    const inTakesMany = !isControl(slot);
    const place = { shown: name.shown, type, nullable: false, use: "wire", inTakesMany } as const;
    const by = sentBy(op, slot, name.column !== null);
    if (by === null || (op === "in" && isSeveral && !slot.required)) continue;
    const reading =
      by === "each"
        ? readInMembers(context, value, place)
        : readValue(context, value, place, op === "in" ? "many" : "one");
    // What is computed of the row itself is known when the row is there, too late to be sent.
    if (reading.value !== null && readsCells(reading.value)) continue;
    readings.push(reading);
    if (reading.value !== null && isSound(reading)) {
      values.set(capability.name, { by, value: reading.value, rechecked: isSeveral });
    }
  }
  return { values, readings };
}

function isListColumn({ column }: KnownName): boolean {
  return column?.type.kind === "array" || column?.type.kind === "multi_select";
}

/** Whether a value for a list may be several, or none: a constant or a list of one item is not. */
function mayBeSeveral(value: TypedValue | null): boolean {
  if (value?.kind === "list") return value.items.length !== 1;
  if (value?.kind === "lit") return Array.isArray(value.value) && value.value.length !== 1;
  return value?.kind === "hole" || value?.kind === "cursor";
}

function operatorSpan(context: CheckContext, path: Path, right: Span, op: string): Span {
  const between = programText(context, { start: path.span.end, end: right.start });
  const start = path.span.end + Math.max(0, between.indexOf(op));
  return spanIn(context.source, start, start + op.length);
}

/**
 * How a parameter sends an operator: `=` as it is, `in` where RUN-111 allows it; else null. Of one that no column can test
 * all values are sent, one after the other.
 */
export function sentBy(op: ConditionOp, slot: Slot, hasColumn: boolean): Sendable["by"] | null {
  if (op === "=") return "one";
  if (op !== "in") return null;
  if (takesList(slot)) return "one";
  return slot.required || (!hasColumn && slot.role !== "search" && !isControl(slot))
    ? "each"
    : null;
}
