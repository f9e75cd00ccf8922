import type { Json, PlanValue } from "@plasm/core";
import {
  arithmetic,
  computeExactly,
  type Exact,
  keptName,
  settled,
  ValueFault,
  valueText,
} from "@plasm/core/internal";
import { type Row, totalKey } from "./row.ts";
import type { RowWork } from "./row-work.ts";

/** Told of a value that the cells of a row do not allow: it counts as null (LANG-048). */
export type NoteFault = (detail: string) => void;

/** A value of a row. */
export type RowValue = (row: Row) => Json;

/** A value of a row in the middle of an expression. */
export type ExactValue = (row: Row) => Exact;

/** Reads a cell of the row at hand at a path. */
export type CellReader = (path: readonly string[]) => RowValue;

const NONE: RowValue = () => null;

/** A value as {@link rowValue} has it, in the middle of its expression: what is made of those of many rows is rounded once. */
export function exactValue(
  value: PlanValue,
  read: CellReader,
  fault: NoteFault,
  work: RowWork,
): ExactValue {
  return "args" in value ? operation(value, read, fault, work) : rowValue(value, read, fault, work);
}

/**
 * A value as a function of a row, whose cells `read` knows. What is the same for all rows is found out once; values of
 * other nodes and of the clock are filled in before. Whoever reads it tells `work` where a row begins.
 */
export function rowValue(
  value: PlanValue,
  read: CellReader,
  fault: NoteFault,
  work: RowWork,
): RowValue {
  if ("lit" in value) {
    const { lit } = value;
    return () => lit;
  }
  if ("dec" in value) return () => value.dec;
  if ("cell" in value) return read(value.cell);
  if ("row" in value) return read(value.row);
  if ("total" in value) {
    const key = totalKey(value.total, value.of);
    return (row) => row.totals?.get(key) ?? null;
  }
  if ("args" in value) {
    const made = operation(value, read, fault, work);
    return (row) => settled(made(row));
  }
  if ("list" in value) {
    const items = value.list.map((item) => rowValue(item, read, fault, work));
    return (row) => items.map((item) => item(row));
  }
  if ("obj" in value) {
    const members = Object.entries(value.obj).map(
      ([name, each]) => [name, rowValue(each, read, fault, work)] as const,
    );
    return (row) => Object.fromEntries(members.map(([name, each]) => [name, each(row)]));
  }
  if ("from" in value || "now" in value) throw new Error("a value is computed before it is known");
  return NONE;
}

type Operation = Extract<PlanValue, { readonly args: unknown }>;

function operation(
  value: Operation,
  read: CellReader,
  fault: NoteFault,
  work: RowWork,
): ExactValue {
  const { op, on } = value;
  const args = value.args.map((arg) => exactValue(arg, read, fault, work));
  const [first = NONE, second = NONE, third = NONE] = args;
  // What a choice leaves out is not computed: it may be what the choice is to avoid (LANG-049).
  switch (op) {
    case "if":
      return (row) => (first(row) === true ? second(row) : third(row));
    case "and":
      return (row) => args.every((arg) => arg(row) === true);
    case "or":
      return (row) => args.some((arg) => arg(row) === true);
    case "coalesce":
      return (row) => {
        for (const arg of args) {
          const found = arg(row);
          if (found !== null) return found;
        }
        return null;
      };
  }
  const failed = (error: unknown): null => {
    if (!(error instanceof ValueFault)) throw error;
    fault(faultDetail(value, error));
    return null;
  };
  const calculate = arithmetic(op);
  if (calculate !== undefined && args.length === 2) {
    return (row) => {
      const a = first(row);
      const b = second(row);
      if (a === null || b === null) return null;
      try {
        return calculate(a, b, work.spend);
      } catch (error) {
        return failed(error);
      }
    };
  }
  return (row) => {
    const known = args.map((arg) => arg(row));
    try {
      return computeExactly(op, known, on, work.spend);
    } catch (error) {
      return failed(error);
    }
  };
}

/** What is said of a value that its cells do not allow. */
export function faultDetail(value: PlanValue, { message }: ValueFault): string {
  return `${valueText(value)}: ${message}, so it is null`;
}

/** Whether nothing of a value is left to be filled in but cells of the row at hand. */
export function isFilled(value: PlanValue): boolean {
  if ("from" in value || "now" in value || "ref" in value || "row" in value) return false;
  if ("args" in value) return keptName(value) === null && value.args.every(isFilled);
  if ("list" in value) return value.list.every(isFilled);
  if ("obj" in value) return Object.values(value.obj).every(isFilled);
  return true;
}
