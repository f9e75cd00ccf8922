import { numberValue } from "../../base/decimal.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { expressionMessages } from "../../diagnostics/expression-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import { clip } from "../../base/text.ts";
import type {
  BinaryValue,
  MemberValue,
  Path,
  SliceValue,
  UnaryValue,
  Value,
  WordValue,
} from "../../language/grammar/ast-values.ts";
import { isFunction } from "../../language/grammar/functions.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import { spanIn } from "../../base/source.ts";
import { canonicalDate } from "../../values/coerce-value.ts";
import { parseInstant } from "../../values/dates.ts";
import { timeLength } from "../../values/moments.ts";
import { isRelativeDate } from "../../values/relative-date.ts";
import { elementType, type ValueType } from "../../values/value-type.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import { columnNames, longestColumn } from "../columns/row-columns.ts";
import { resolvePath } from "../columns/resolve-path.ts";
import { unreadableColumn } from "../columns/unknown-column.ts";
import type { ColumnType, RowType } from "../types.ts";
import type { TypedValue } from "../typed-program.ts";
import {
  ANY_SLOT,
  apply,
  asMoment,
  type Expression,
  expressionOf,
  faulty,
  inDays,
  JSON_TYPE,
  plain,
  truthProblem,
} from "./expression-parts.ts";
import { readConstructor } from "./constructor-value.ts";
import { readFunction } from "./function-call.ts";
import { KIND_NAMES } from "./function-table.ts";
import type { ReadValue } from "./list-value.ts";
import { combine, compareKinds } from "./operator-rules.ts";
import { rowsAsValue } from "./related-total.ts";
import { CURSOR, cursorColumn, wordMeaning, wordPath } from "./reference-value.ts";
import { foldList, numberSize } from "./scalar-values.ts";
import { UNKNOWN_VALUE, type ValueSlot } from "./value-reading.ts";

/** How many values a word may stand for: a column of many rows is a list (LANG-044). */
type Room = "one" | "many";

/** Reads a value with operators, functions, slices and members (LANG-048, LANG-049). */
export function readExpression(
  context: CheckContext,
  value: Value,
  read: ReadValue,
  room: Room = "one",
): Expression {
  switch (value.kind) {
    case "BinaryValue":
      return readBinary(context, value, read);
    case "UnaryValue":
      return readUnary(context, value, read);
    case "SliceValue":
      return readSlice(context, value, read);
    case "MemberValue":
      return readMember(context, value, read);
    case "RelatedValue":
      return rowsAsValue(context, value);
    case "ConstructorValue":
      return isFunction(value.name.text)
        ? readFunction(context, value, (each, many) => readExpression(context, each, read, many))
        : readOther(context, value, read);
    case "WordValue":
      return readOperandWord(context, value, read, room);
    case "DurationValue": {
      const length = timeLength(value.raw);
      const isNumber = numberValue(/^\d*/.exec(value.raw)?.[0] ?? "") !== null;
      if (length === null || !isNumber) return faulty(numberSize(value));
      const [kind, count] =
        "months" in length
          ? (["months", length.months] as const)
          : (["duration", length.seconds] as const);
      const type = plain({ kind: "number" });
      return { value: { kind: "lit", value: count }, type, kind, problems: [] };
    }
    case "NumberValue": {
      const number = numberValue(value.raw);
      if (number === null) return readOther(context, value, read);
      const typed: TypedValue =
        typeof number === "number" ? { kind: "lit", value: number } : { kind: "dec", text: number };
      const isWhole = /^-?\d+$/.test(value.raw);
      return expressionOf(typed, plain({ kind: isWhole ? "integer" : "number" }));
    }
    case "DateValue": {
      const instant = parseInstant(value.raw);
      const text = instant === null ? value.raw : canonicalDate(instant);
      const format = value.raw.length === 10 ? "iso8601_date" : "rfc3339";
      return expressionOf({ kind: "lit", value: text }, plain({ kind: "date", format }));
    }
    case "BoolValue":
      return expressionOf({ kind: "lit", value: value.value }, plain({ kind: "boolean" }));
    case "NullValue":
      return { value: { kind: "lit", value: null }, type: JSON_TYPE, kind: "null", problems: [] };
    case "StringValue":
    case "HeredocValue":
      return expressionOf(
        { kind: "lit", value: value.text },
        plain({ kind: "string", semantics: "short" }),
      );
    case "UuidValue":
      return expressionOf({ kind: "lit", value: value.raw }, plain({ kind: "uuid" }));
    case "ListValue": {
      const items = value.items.map((item) => inDays(item, readExpression(context, item, read)));
      const typed = foldList(items.map((item) => item.value));
      const [first] = items;
      const isUniform = items.every(({ type }) => type.type.kind === first?.type.type.kind);
      const type = isUniform && first !== undefined ? first.type.type : JSON_TYPE.type;
      const isNested = type.kind === "array" || type.kind === "multi_select";
      const element: ValueType = isNested ? JSON_TYPE.type : type;
      return expressionOf(
        typed,
        plain({ kind: "array", items: element }),
        items.flatMap(({ problems }) => problems),
      );
    }
    case "ObjectValue":
    case "PlaceholderValue":
    case "Bad":
      return readOther(context, value, read);
  }
}

function readOther(context: CheckContext, value: Value, read: ReadValue): Expression {
  const reading =
    value.kind === "ConstructorValue"
      ? readConstructor(context, value, read)
      : read(context, value, ANY_SLOT);
  return expressionOf(reading.value ?? UNKNOWN_VALUE, JSON_TYPE, reading.problems);
}

/** A word: a column, the row at hand, a moment, a label's cell, else text (LANG-022, LANG-048). */
function readOperandWord(
  context: CheckContext,
  word: WordValue,
  read: ReadValue,
  room: Room,
): Expression {
  const { columns } = context;
  const [head = ""] = word.raw.split(".", 1);
  if (columns !== null && (head !== CURSOR || context.cursor === null)) {
    const isRow = head === CURSOR;
    const path = wordPath(context, word, isRow ? 1 : 0);
    if (isRow && path === null) return faulty(rowAlone(context, word));
    const cell = path === null ? null : readCell(context, columns.type, path, isRow);
    if (cell !== null) {
      // A column with dots is meant as a whole: that of rows joined by this label, too.
      const isLabel = !isRow && context.labels.peek(head) !== null;
      const own = cellPath(cell.value);
      const isDotted = own !== null && longestColumn(columns.type, own) !== null;
      if (!isLabel || isDotted) return cell;
      return faulty(diagnose(expressionMessages.twoMeanings, word.span, { name: word.raw }));
    }
  }
  if (isRelativeDate(word.raw)) {
    return expressionOf(
      { kind: "now", text: word.raw },
      plain({ kind: "date", format: /^now|[mh]$/.test(word.raw) ? "rfc3339" : "iso8601_date" }),
    );
  }
  const meaning = wordMeaning(context, word);
  switch (meaning.kind) {
    case "text":
      return { ...expressionOf({ kind: "lit", value: word.raw }, TEXT), word: word.raw };
    case "bad":
      return faulty();
    case "problem":
      return faulty(meaning.problem);
    case "row":
      if (head === CURSOR) return faulty(rowAlone(context, word));
      return readLabel(context, word, read, room, JSON_TYPE);
    case "cell":
      if (head === CURSOR || meaning.rows.type.card !== "many") {
        return readLabel(context, word, read, "one", meaning.type);
      }
      return readLabel(context, word, read, room, meaning.type);
  }
}

const LIST_SLOT: ValueSlot = {
  ...ANY_SLOT,
  type: plain({ kind: "array", items: { kind: "json" } }),
};

/** What a label holds: a cell, or its whole column as a list. */
function readLabel(
  context: CheckContext,
  word: WordValue,
  read: ReadValue,
  room: Room,
  type: ColumnType,
): Expression {
  const reading = read(context, word, room === "many" ? LIST_SLOT : ANY_SLOT);
  const value = reading.value ?? UNKNOWN_VALUE;
  const isHole = value.kind === "hole";
  const own = isHole && type === JSON_TYPE ? value.type : type;
  if (isHole && value.many) {
    const items = own.type.kind === "array" ? JSON_TYPE.type : own.type;
    return asMoment(
      expressionOf(value, { ...own, type: { kind: "array", items } }, reading.problems),
    );
  }
  return asMoment(expressionOf(value, own, reading.problems));
}

const TEXT = plain({ kind: "string", semantics: "short" });

function rowAlone(context: CheckContext, word: WordValue): Diagnostic {
  const args = {
    op: "an operator",
    found: "a whole row",
    fix: "name one of its columns, like _.name",
  };
  return diagnose(
    expressionMessages.operand,
    spanIn(context.source, word.span.start, word.span.end),
    args,
  );
}

/** A cell of the rows at hand; null where they have no such column, unless it must be one. */
/** Where a cell stands, also one of a unix format, which is read as the moment that it means. */
function cellPath(value: TypedValue): readonly string[] | null {
  if (value.kind === "cell") return value.path;
  const [cell] = value.kind === "computed" ? value.args : [];
  return cell?.kind === "cell" ? cell.path : null;
}

function readCell(
  context: CheckContext,
  rows: RowType,
  path: Path,
  isMeant: boolean,
): Expression | null {
  const meaning = resolvePath(context, rows, path);
  switch (meaning.kind) {
    case "column":
      context.columns?.paths.push(meaning.path);
      return asMoment(
        expressionOf({ kind: "cell", path: meaning.path, type: meaning.type }, meaning.type),
      );
    case "unknown":
      return isMeant ? faulty(meaning.problem) : null;
    case "foreign":
      return faulty(unreadableColumn(context, path, meaning));
    case "problem":
      return isMeant || path.segments.length > 1 ? faulty(meaning.problem) : null;
  }
}

function readBinary(context: CheckContext, value: BinaryValue, read: ReadValue): Expression {
  const left = readExpression(context, value.left, read);
  const room = value.op === "in" ? "many" : "one";
  const right = readExpression(context, value.right, read, room);
  switch (value.op) {
    case "+":
    case "-":
    case "*":
    case "/":
    case "%": {
      const word = bareProblem(context, value, left, right);
      if (word !== null) return faulty(...left.problems, ...right.problems, word);
      return combine(context, value, left, right);
    }
    case "and":
    case "or": {
      const problem =
        truthProblem(context, value.left, left) ?? truthProblem(context, value.right, right);
      if (problem !== null) return faulty(...left.problems, ...right.problems, problem);
      return apply(value, value.op, [left, right], plain({ kind: "boolean" }));
    }
    case "=":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "~":
    case "in":
      return compareKinds(context, value, left, right, read);
  }
}

/** The error of a bare word that an operator would compute with: nobody can know that text is meant. */
function bareProblem(
  context: CheckContext,
  value: BinaryValue,
  left: Expression,
  right: Expression,
): Diagnostic | null {
  const bare =
    left.word === undefined ? (right.word === undefined ? null : value.right) : value.left;
  const word = left.word ?? right.word;
  if (bare === null || word === undefined) return null;
  const all = left.word !== undefined && right.word !== undefined;
  const meant = context.columns === null ? cursorColumn(context, word) : null;
  const near =
    context.columns === null
      ? null
      : nearestName(word, columnNames(context.exposure, context.columns.type));
  if (near !== null && meant === null) {
    const edits = [{ span: bare.span, replacement: near }];
    return diagnose(expressionMessages.bareWord, bare.span, { word, fix: `use ${near}` }, edits);
  }
  const replacement = meant ?? quoteText(all ? programText(context, value.span) : word);
  const span = all && meant === null ? value.span : bare.span;
  const fix =
    meant === null ? `for text write ${clip(replacement, 80)}` : `for the column write ${meant}`;
  return diagnose(expressionMessages.bareWord, bare.span, { word: clip(word, 60), fix }, [
    { span, replacement },
  ]);
}

function readUnary(context: CheckContext, value: UnaryValue, read: ReadValue): Expression {
  const operand = readExpression(context, value.operand, read);
  if (value.op === "not") {
    const problem = truthProblem(context, value.operand, operand);
    if (problem !== null) return faulty(...operand.problems, problem);
    return apply(value, "not", [operand], plain({ kind: "boolean" }));
  }
  const { kind } = operand;
  if (kind === "number" || kind === "json" || kind === "duration" || kind === "months") {
    const type = kind === "json" ? plain({ kind: "number" }) : operand.type;
    const gives = kind === "json" ? "number" : kind;
    return { ...apply(value, "negate", [operand], type), kind: gives };
  }
  const fix = "write numbers, or number(…) around text that is one";
  const args = { op: "-", found: KIND_NAMES[operand.kind], fix };
  return faulty(...operand.problems, diagnose(expressionMessages.operand, value.span, args));
}

function readSlice(context: CheckContext, value: SliceValue, read: ReadValue): Expression {
  const operand = readExpression(context, value.operand, read);
  const { kind } = operand;
  if (kind !== "text" && kind !== "list" && kind !== "json" && kind !== "date" && kind !== "null") {
    const args = {
      op: "[…]",
      found: KIND_NAMES[kind],
      fix: "cut text or a list; for the digits of a number write text(…)",
    };
    return faulty(...operand.problems, diagnose(expressionMessages.operand, value.span, args));
  }
  const bound = (at: number | null): Expression =>
    expressionOf({ kind: "lit", value: at }, JSON_TYPE);
  const element =
    kind === "list" ? plain(elementType(operand.type.type)) : kind === "json" ? JSON_TYPE : TEXT;
  if (value.single) return apply(value, "element", [operand, bound(value.from)], element);
  const type = kind === "list" || kind === "json" ? operand.type : TEXT;
  return apply(value, "slice", [operand, bound(value.from), bound(value.to)], type);
}

/** What is behind a quoted key: a path into json; behind a call or a slice, members of what it gives. */
function readMember(context: CheckContext, value: MemberValue, read: ReadValue): Expression {
  if (value.operand.kind === "WordValue") return readQuoted(context, value, value.operand);
  const operand = readExpression(context, value.operand, read);
  if (operand.kind !== "json") {
    const args = { op: ".", found: KIND_NAMES[operand.kind], fix: "only json has members" };
    return faulty(...operand.problems, diagnose(expressionMessages.operand, value.span, args));
  }
  const keys = value.segments.map(({ text }) => expressionOf({ kind: "lit", value: text }, TEXT));
  return apply(value, "member", [operand, ...keys], JSON_TYPE);
}

function readQuoted(context: CheckContext, value: MemberValue, word: WordValue): Expression {
  const [head = ""] = word.raw.split(".", 1);
  const columns = context.columns !== null && (head !== CURSOR || context.cursor === null);
  const own = wordPath(context, word, head === CURSOR || !columns ? 1 : 0);
  const segments = [...(own?.segments ?? []), ...value.segments];
  const span = spanIn(context.source, segments[0]?.span.start ?? word.span.start, value.span.end);
  const path: Path = { kind: "Path", segments, span };
  if (columns && context.columns !== null) {
    return readCell(context, context.columns.type, path, true) ?? faulty();
  }
  const label = head === CURSOR ? context.cursor?.rows : context.labels.peek(head);
  if (label === null || label === undefined) {
    const meaning = wordMeaning(context, word);
    return meaning.kind === "problem" ? faulty(meaning.problem) : faulty();
  }
  const meaning = resolvePath(context, label.type, path);
  if (meaning.kind === "foreign") return faulty(unreadableColumn(context, path, meaning));
  if (meaning.kind !== "column") return faulty(meaning.problem);
  if (head !== CURSOR) {
    if (label.type.card === "many") {
      return faulty(diagnose(nameMessages.notSingletonValue, value.span, { label: head }));
    }
    return asMoment(
      expressionOf(
        { kind: "hole", rows: label, path: meaning.path, type: meaning.type, many: false },
        meaning.type,
      ),
    );
  }
  context.cursor?.paths.push(meaning.path);
  return asMoment(
    expressionOf({ kind: "cursor", path: meaning.path, type: meaning.type }, meaning.type),
  );
}
