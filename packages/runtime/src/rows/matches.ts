import type { Cgs, Json, PlanValue, ValueType } from "@plasm/core";
import {
  canonicalDate,
  cellPaths,
  instantOf,
  isOfRow,
  isPresent,
  memberTest,
  type PlanPred,
  sortKey,
  testValue,
} from "@plasm/core/internal";
import { type NoteFault, type RowValue, rowValue } from "./computed.ts";
import { isNumbersOrder } from "./number-texts.ts";
import { RowWork } from "./row-work.ts";
import { cellWork, expectedOf, isBeyondLimits, typeWork } from "./cell-key.ts";
import { type ColumnTypes, pathType, readCell, type Row } from "./row.ts";

/** What a predicate is tested against. */
export interface TestScope {
  readonly cgs: Cgs | null;
  /** the entity whose types the paths have; null for rows of no entity */
  readonly entity: string | null;
  /** types of the columns of rows of no entity */
  readonly types?: ColumnTypes;
  /** told of a value that the cells of a row do not allow: its condition is not met */
  readonly fault?: NoteFault;
  /** counts what is computed; whoever gives it says where a row begins */
  readonly work?: RowWork;
}

/** The constant of a condition; holes are filled before the first row is tested (PLAN-064). */
function constant(value: PlanValue): Json {
  if ("lit" in value) return value.lit;
  throw new Error("a condition is tested before its value is known");
}

/** A test of rows. */
export type RowTest = (row: Row) => boolean;

/**
 * A predicate as a test of rows; logic is two-valued (RUN-113, LANG-051). What is the same for all rows is found
 * out once: thousands of conditions may be tested on thousands of rows.
 */
export function tester(pred: PlanPred, scope: TestScope): RowTest {
  if ("and" in pred) {
    const parts = pred.and.map((part) => tester(part, scope));
    return (row) => parts.every((part) => part(row));
  }
  if ("or" in pred) {
    const parts = pred.or.map((part) => tester(part, scope));
    return (row) => parts.some((part) => part(row));
  }
  if ("not" in pred) {
    const part = tester(pred.not, scope);
    return (row) => !part(row);
  }
  const { cgs, entity } = scope;
  if ("exists" in pred) {
    const path = pred.exists;
    return (row) => isPresent(readCell(cgs, row, path) ?? null);
  }
  if ("test" in pred) {
    const value = ofRow(pred.test, scope);
    return (row) => value(row) === true;
  }
  const { path, op } = pred;
  if (isOfRow(pred.value)) return compared(pred, scope);
  const value = constant(pred.value);
  let types: ColumnTypes | undefined;
  let passes: ((cell: Json | undefined) => boolean) | null = null;
  return (row) => {
    if (passes === null || row.types !== types) {
      types = row.types;
      const type = pathType(cgs, entity, path, types);
      passes = op === "in" ? memberTest(value, type) : (cell) => testValue(cell, op, value, type);
    }
    return passes(readCell(cgs, row, path));
  };
}

/** A value of the cells of each row. */
function ofRow(value: PlanValue, { cgs, fault, work }: TestScope): RowValue {
  const own = work ?? new RowWork();
  const cells = (path: Path) => (row: Row) => readCell(cgs, row, path) ?? null;
  const of = rowValue(value, cells, fault ?? SILENT, own);
  if (work !== undefined) return of;
  return (row) => {
    own.begin();
    return of(row);
  };
}

const SILENT: NoteFault = () => {};

type Comparison = Extract<PlanPred, { readonly op: unknown }>;

/** A column compared with what is computed of other columns of its row (LANG-048). */
function compared({ path, op, value }: Comparison, scope: TestScope): RowTest {
  const { cgs, entity } = scope;
  const right = ofRow(value, scope);
  return (row) => {
    const type = pathType(cgs, entity, path, row.types);
    const against = right(row);
    const cell = readCell(cgs, row, path);
    return op === "in"
      ? memberTest(against, type)(cell)
      : testValue(comparable(cell ?? null, type), op, against, textDate(type));
  };
}

/** A moment as text that means the same whatever its format on the wire is, as computed ones are. */
function comparable(cell: Json, type: ValueType): Json {
  if (type.kind !== "date") return cell;
  const instant = instantOf(cell, type.format);
  return instant === null ? cell : canonicalDate(instant);
}

const textDate = (type: ValueType): ValueType =>
  type.kind === "date" ? { kind: "date", format: "rfc3339" } : type;

/** A cell that conditions compare although it does not fit its type: it equals nothing and is in no order (RUN-113). */
export interface UnfitCell {
  readonly column: string;
  readonly expected: string;
  readonly cell: Json;
}

/** What compares numbers, dates and truth with a value, of all conditions of a predicate; each path once. */
function comparedPaths(pred: PlanPred): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  const visit = (part: PlanPred): void => {
    if ("and" in part) part.and.forEach(visit);
    else if ("or" in part) part.or.forEach(visit);
    else if ("not" in part) visit(part.not);
    else if ("op" in part && part.op !== "~" && !isNull(part.value))
      found.set(part.path.join("\0"), part.path);
  };
  visit(pred);
  return [...found.values()];
}

const isNull = (value: PlanValue): boolean => "lit" in value && value.lit === null;

/** Whether a number, a date or a truth is none; of json, whether a number is beyond the limits. */
function isUnfit(cell: Json, type: ValueType): boolean {
  switch (type.kind) {
    case "number":
    case "integer":
    case "date":
      return typeof cell !== "number" && sortKey(cell, type) === null;
    case "boolean":
      return typeof cell !== "boolean";
    case "json":
      return isBeyondLimits(cell);
    default:
      return false;
  }
}

/** Tells of a row which cells its conditions compare in vain. */
export function unfitCells(pred: PlanPred, scope: TestScope, tell: (unfit: UnfitCell) => void) {
  const { cgs, entity } = scope;
  const paths = comparedPaths(pred);
  return (row: Row): void => {
    for (const path of paths) {
      const cell = readCell(cgs, row, path) ?? null;
      if (cell === null) continue;
      const type = pathType(cgs, entity, path, row.types);
      if (!isUnfit(cell, type)) continue;
      const expected = type.kind === "json" ? "a number" : expectedOf(type);
      tell({ column: path.join("."), expected, cell });
    }
  };
}

/** The orders of text with a text that is a number, of all conditions of a predicate. */
function textOrders(
  pred: PlanPred,
): readonly (Comparison & { readonly value: { readonly lit: Json } })[] {
  if ("and" in pred) return pred.and.flatMap(textOrders);
  if ("or" in pred) return pred.or.flatMap(textOrders);
  if ("not" in pred) return textOrders(pred.not);
  if (!("op" in pred) || !/^[<>]/.test(pred.op) || !("lit" in pred.value)) return [];
  const { value } = pred;
  return typeof value.lit === "string" ? [{ ...pred, value }] : [];
}

/** Tells of a row in which columns a number that is text is compared as text, with another outcome (LANG-065). */
export function numbersAsText(pred: PlanPred, scope: TestScope, tell: (column: string) => void) {
  const { cgs, entity } = scope;
  const orders = textOrders(pred);
  return (row: Row): void => {
    for (const { path, value } of orders) {
      if (pathType(cgs, entity, path, row.types).kind !== "string") continue;
      if (isNumbersOrder(readCell(cgs, row, path), value.lit)) tell(path.join("."));
    }
  };
}

/** Tests a predicate on one row. */
export const matches = (pred: PlanPred, row: Row, scope: TestScope): boolean =>
  tester(pred, scope)(row);

interface ReadPath {
  readonly path: readonly string[];
  /** conditions that read it */
  times: number;
}

/** The cells that a comparison goes through: its column, and those its value is made of. */
function comparedCells(part: Comparison | { readonly test: PlanValue }): readonly Path[] {
  return "test" in part ? cellPaths(part.test) : [part.path, ...cellPaths(part.value)];
}

type Path = readonly string[];

/** The paths that conditions compare, each once. */
function readPaths(pred: PlanPred): readonly ReadPath[] {
  const found = new Map<string, ReadPath>();
  const visit = (part: PlanPred): void => {
    if ("and" in part) return part.and.forEach(visit);
    if ("or" in part) return part.or.forEach(visit);
    if ("not" in part) return visit(part.not);
    if ("exists" in part) return;
    for (const path of comparedCells(part)) {
      const name = path.join("\0");
      const known = found.get(name) ?? { path, times: 0 };
      known.times += 1;
      found.set(name, known);
    }
  };
  visit(pred);
  return [...found.values()];
}

/**
 * What the cells of a row cost when conditions go through them, in pieces: a text takes as long as it is, a date is
 * read, and each condition does so again.
 */
export function cellsWork(pred: PlanPred, { cgs, entity }: TestScope): (row: Row) => number {
  const paths = readPaths(pred);
  let types: ColumnTypes | undefined;
  let fixed: number | null = null;
  return (row) => {
    if (fixed === null || row.types !== types) {
      types = row.types;
      fixed = 0;
      for (const { path, times } of paths) {
        fixed += times * typeWork(pathType(cgs, entity, path, types));
      }
    }
    let pieces = fixed;
    for (const { path, times } of paths) pieces += times * cellWork(readCell(cgs, row, path));
    return pieces;
  };
}

/** The paths a predicate reads, each once. */
export function predPaths(pred: PlanPred): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  const visit = (part: PlanPred): void => {
    if ("and" in part) part.and.forEach(visit);
    else if ("or" in part) part.or.forEach(visit);
    else if ("not" in part) visit(part.not);
    else {
      const paths = "exists" in part ? [part.exists] : comparedCells(part);
      for (const path of paths) found.set(path.join("\0"), path);
    }
  };
  visit(pred);
  return [...found.values()];
}
