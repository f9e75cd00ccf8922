import { joinMessages } from "../../diagnostics/join-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import type { ColumnSource, Join, JoinPair, Source } from "../../language/grammar/ast.ts";
import type { Path, Value } from "../../language/grammar/ast-values.ts";
import { clip } from "../../base/text.ts";
import type { PairedAs } from "../../values/pair-key.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { joinedRows } from "../columns/joined-rows.ts";
import { type NamedSource, readSource } from "../columns/read-source.ts";
import { resolvePath } from "../columns/resolve-path.ts";
import { columnsOf } from "../columns/row-columns.ts";
import { nameMeaning } from "../names/name-formatter.ts";
import { checkSource } from "../sources/check-source.ts";
import { type Column, type ColumnType, keyTypes, type RowType, typeText } from "../types.ts";
import type { Rows, TypedColumn, TypedPair } from "../typed-program.ts";
import { type Kind, kindOf } from "../values/function-table.ts";
import { columnPaths, columnTotals } from "../values/typed-parts.ts";
import { checkComparable } from "./row-steps.ts";

/** One side of a join: its rows, and the names that may stand before a dot of its columns. */
interface Side {
  readonly rows: Rows;
  readonly names: readonly string[];
}

/**
 * `.join(rows, left=right)` and `.left_join(…)`: the rows of both sides whose columns are equal, side by side
 * (LANG-090). `head` is the name that the chain begins with. Null: in error, reported.
 */
export function pairRows(
  context: CheckContext,
  source: Rows,
  step: Join,
  head: string | null,
): Rows | null {
  const other = checkSource(context, step.source);
  if (other === null || step.source.kind === "Bad") return null;
  const as = sideName(context, step.source);
  const left: Side = { rows: source, names: head === null ? [] : [head] };
  const right: Side = { rows: other.rows, names: [as, step.source.name.text] };
  if (isTaken(context, source.type, as)) {
    const args = { name: as, form: `${as}_rows = ${programText(context, step.source.span)}` };
    context.found.add(diagnose(joinMessages.nameTaken, step.source.span, args));
    return null;
  }
  const pairs = step.pairs.map((pair) => readPair(context, left, right, pair));
  if (pairs.length === 0 || pairs.some((pair) => pair === null)) return null;
  const typed = pairs.filter((pair) => pair !== null);
  return {
    kind: "pair",
    stage: context.stage,
    span: step.span,
    type: pairType(context, source.type, other.rows.type, as, step),
    source: readFor(
      context,
      source,
      typed.map((pair) => pair.left),
    ),
    right: readFor(
      context,
      other.rows,
      typed.map((pair) => pair.right),
    ),
    as,
    keepsLeft: step.how === "left_join",
    pairs: typed,
  };
}

/** A side with what its keys need read. */
const readFor = (context: CheckContext, rows: Rows, keys: readonly TypedColumn[]): Rows =>
  joinedRows(context, rows, columnPaths(keys), columnTotals(keys));

/** The name of the right side: its label, or the entity it is a read of. */
function sideName(context: CheckContext, { name }: Exclude<Source, { kind: "Bad" }>): string {
  if (context.labels.peek(name.text) !== null) return name.text;
  const meaning = nameMeaning(context.exposure.symbols, name.text);
  return meaning.kind === "entity" ? meaning.key.entity : name.text;
}

/** Whether columns of the left side would be called as those of the right. */
function isTaken(context: CheckContext, left: RowType, as: string): boolean {
  return columnsOf(context.exposure, left).some(([name]) => name.split(".", 1)[0] === as);
}

/** The columns of both sides, those of the right behind the name of that side. */
function pairType(
  context: CheckContext,
  left: RowType,
  right: RowType,
  as: string,
  step: Join,
): RowType {
  const own = columnsOf(context.exposure, left).map(([name, type]): Column => ({ name, type }));
  const others = columnsOf(context.exposure, right).map(([name, type]): Column => ({
    name: `${as}.${name}`,
    type,
  }));
  return {
    card: "many",
    entity: null,
    columns: [...own, ...others],
    open: left.open,
    removedBy: null,
    lostBy: clip(programText(context, step.span), 40),
  };
}

function readPair(
  context: CheckContext,
  left: Side,
  right: Side,
  { left: first, right: second, span }: JoinPair,
): TypedPair | null {
  const isSwapped = isOf(context, first, right, left) && !isOf(context, second, right, left);
  const [own, other] = isSwapped ? [second, first] : [first, second];
  const [a, b] = [withoutSide(context, own, left), withoutSide(context, other, right)];
  const written = { left, right, a, b, span };
  if (!isSwapped && reportSwapped(context, written)) return null;
  if (reportOn(context, written)) return null;
  const [x, y] = [readSource(context, left.rows, a), readSource(context, right.rows, b)];
  if (!x.ok || !y.ok) return null;
  checkComparable(context, left.rows, a, x, "joined");
  checkComparable(context, right.rows, b, y, "joined");
  const on = pairedAs(context, x.type, y.type);
  if (on !== null) return { left: x.column, right: y.column, on };
  const named = (read: NamedSource, at: ColumnSource): string =>
    read.name ?? clip(programText(context, at.span), 60);
  const args = {
    left: named(x, a),
    leftType: typeText(context.exposure, x.type),
    right: named(y, b),
    rightType: typeText(context.exposure, y.type),
    fix: conversion(named(x, a), kindOf(x.type.type), named(y, b), kindOf(y.type.type)),
  };
  context.found.add(diagnose(joinMessages.neverEqual, span, args));
  return null;
}

/** Whether a column is written as one of a side, `people.key`, and of no other. */
function isOf(context: CheckContext, source: ColumnSource, side: Side, other: Side): boolean {
  const [first, ...rest] = pathOf(source);
  if (first === undefined || rest.length === 0 || other.names.includes(first)) return false;
  return side.names.includes(first) && !isColumn(context, other.rows.type, first);
}

function isColumn(context: CheckContext, rows: RowType, name: string): boolean {
  return columnsOf(context.exposure, rows).some(([each]) => each === name);
}

/** The names that a column is written as; none of a value that is more than one. */
function pathOf(source: ColumnSource): readonly string[] {
  if (source.kind === "Path") return source.segments.map(({ text }) => text);
  return source.kind === "WordValue" ? source.raw.split(".") : [];
}

/** A column or value without the name of its side before its columns. */
function withoutSide(context: CheckContext, source: ColumnSource, side: Side): ColumnSource {
  const isSide = (name: string): boolean =>
    side.names.includes(name) && !isColumn(context, side.rows.type, name);
  if (source.kind !== "Path") return stripped(source, isSide);
  const [first, ...segments] = source.segments;
  if (first === undefined || segments.length === 0 || !isSide(first.text)) return source;
  const path: Path = { kind: "Path", segments, span: source.span };
  return path;
}

/** A value whose words name columns alone: `lower(people.mail)` is `lower(_.mail)`. */
function stripped(value: Value, isSide: (name: string) => boolean): Value {
  const inner = (each: Value): Value => stripped(each, isSide);
  switch (value.kind) {
    case "WordValue": {
      const [first = "", ...rest] = value.raw.split(".");
      return rest.length > 0 && isSide(first) ? { ...value, raw: ["_", ...rest].join(".") } : value;
    }
    case "BinaryValue":
      return { ...value, left: inner(value.left), right: inner(value.right) };
    case "UnaryValue":
    case "SliceValue":
    case "MemberValue":
      return { ...value, operand: inner(value.operand) };
    case "ConstructorValue":
      return { ...value, args: value.args.map((arg) => ({ ...arg, value: inner(arg.value) })) };
    case "ListValue":
      return { ...value, items: value.items.map(inner) };
    case "RelatedValue": {
      const relation = inner(value.relation);
      return relation.kind === "WordValue" ? { ...value, relation } : value;
    }
    default:
      return value;
  }
}

function isKnown(context: CheckContext, rows: Rows, source: ColumnSource): boolean {
  return source.kind !== "Path" || resolvePath(context, rows.type, source).kind === "column";
}

/** A pair as it is written: a column or value of each side. */
interface WrittenPair {
  readonly left: Side;
  readonly right: Side;
  readonly a: ColumnSource;
  readonly b: ColumnSource;
  readonly span: JoinPair["span"];
}

/** Reports a pair whose sides stand the other way round. */
function reportSwapped(context: CheckContext, { left, right, a, b, span }: WrittenPair): boolean {
  if (isKnown(context, left.rows, a) || a.kind !== "Path" || b.kind !== "Path") return false;
  if (!isKnown(context, left.rows, b) || !isKnown(context, right.rows, a)) return false;
  const form = `${programText(context, b.span)}=${programText(context, a.span)}`;
  const edits = [{ span, replacement: form }];
  context.found.add(diagnose(joinMessages.swapped, span, { form }, edits));
  return true;
}

const ON = /^(?:on|using|by|key)$/;

/** Reports `on=id`, where both sides have the column and the left has none called `on`. */
function reportOn(context: CheckContext, { left, right, a, b, span }: WrittenPair): boolean {
  if (a.kind !== "Path" || b.kind !== "Path" || isKnown(context, left.rows, a)) return false;
  const [word, more] = a.segments;
  if (word === undefined || more !== undefined || !ON.test(word.text)) return false;
  if (!isKnown(context, left.rows, b) || !isKnown(context, right.rows, b)) return false;
  const name = programText(context, b.span);
  const form = `${name}=${name}`;
  context.found.add(
    diagnose(joinMessages.onColumn, span, { word: word.text, form }, [{ span, replacement: form }]),
  );
  return true;
}

/** What two columns are compared as; null if none of their values can ever be equal (LANG-091). */
function pairedAs(context: CheckContext, a: ColumnType, b: ColumnType): PairedAs | null {
  const [x, y] = [kindOf(a.type), kindOf(b.type)];
  if (x === "reference" || y === "reference") {
    const other = x === "reference" ? y : x;
    const keyed = x === "reference" ? a : b;
    const isKey = other === "number" && keyKind(context, keyed) === "number";
    return isKey || ["reference", "text", "json"].includes(other) ? "key" : null;
  }
  if (x === "json" && y === "json") return "json";
  const kind = x === "json" ? y : y === "json" ? x : x === y ? x : null;
  if (kind === "date") return "date";
  if (x !== y) return kind === null ? null : "json";
  return kind === "number" || kind === "text" || kind === "boolean" ? kind : null;
}

/** What the keys that a reference holds are. */
function keyKind(context: CheckContext, { entryId, type }: ColumnType): Kind | null {
  if (entryId === null || type.kind !== "entity_ref") return null;
  const [only, ...others] = keyTypes(context.exposure, entryId, type.target);
  if (only === undefined || others.length > 0) return null;
  return only[1].kind === "entity_ref" ? null : kindOf(only[1]);
}

/** How columns of two kinds are made comparable. */
function conversion(left: string, a: Kind, right: string, b: Kind): string {
  const kinds = new Set([a, b]);
  if (kinds.has("text") && kinds.has("number")) {
    return a === "number" ? `text(${left})=${right}` : `${left}=text(${right})`;
  }
  if (kinds.has("text") && kinds.has("date")) {
    return a === "text" ? `date(${left})=${right}` : `${left}=date(${right})`;
  }
  return "name columns of one type";
}
