import { canonicalJson } from "../base/canonical-json.ts";
import { parseDecimal, plainDecimal } from "../base/decimal.ts";
import { isObject } from "./sort-key.ts";
import { datePart, later, moment, secondsBetween, startOf } from "./moments.ts";
import {
  absolute,
  add,
  compareNumbers,
  divide,
  multiply,
  negate,
  remainder,
  round,
  shown,
  subtract,
  toNumber,
  toWhole,
  ValueFault,
} from "./numbers.ts";
import { memberTest, testValue, type TestOperator } from "./test-value.ts";
import type { Json, TemporalFormat, ValueType } from "./value-type.ts";

/** The longest text and the longest list that an operation makes. */
const LONGEST_TEXT = 1_048_576;
const LONGEST_LIST = 100_000;

type Args = readonly Json[];

/** An operation on values that are there; null in any of them is null, unless it says otherwise. */
interface Operation {
  readonly takesNull?: true;
  readonly of: (args: Args, on: string) => Json;
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

function listOf(value: Json): readonly Json[] {
  if (isList(value)) return value;
  throw new ValueFault(`${shown(value)} is no list`);
}

/** A value as text: numbers without exponent, lists and objects as JSON. */
function textOf(value: Json): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") {
    const decimal = parseDecimal(value);
    return decimal === null ? String(value) : plainDecimal(decimal);
  }
  return typeof value === "object" ? canonicalJson(value) : String(value);
}

function bounded(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  throw new ValueFault("it is a text of more than 1,048,576 characters");
}

function boundedList(list: readonly Json[]): readonly Json[] {
  if (list.length <= LONGEST_LIST) return list;
  throw new ValueFault("it is a list of more than 100,000 elements");
}

/** What is cut or searched as text; the text of an object is nothing that anybody means. */
function plainText(value: Json): Json {
  if (!isObject(value)) return value;
  throw new ValueFault(`${shown(value)} is no text and no list`);
}

const SURROGATE = /[\ud800-\udfff]/;

/** Text or a list as what is counted and cut: text by characters, not by code units. */
function elements(value: Json): readonly Json[] | string {
  if (isList(value)) return value;
  const text = textOf(plainText(value));
  return SURROGATE.test(text) ? Array.from(text) : text;
}

function cut(value: Json, from: Json, to: Json): Json {
  const all = elements(value);
  const part = all.slice(from === null ? 0 : Number(from), to === null ? undefined : Number(to));
  return isList(value) || typeof part === "string" ? part : part.map(textOf).join("");
}

function element(value: Json, at: Json): Json {
  const all = elements(value);
  const index = Number(at);
  return all[index < 0 ? all.length + index : index] ?? null;
}

function replaced(text: string, part: string, by: string): string {
  if (part === "") return text;
  const pieces = text.split(part);
  const length = text.length + (pieces.length - 1) * (by.length - part.length);
  if (length > LONGEST_TEXT) bounded(" ".repeat(LONGEST_TEXT + 1));
  return pieces.join(by);
}

const JSON_TYPE: ValueType = { kind: "json" };
const TYPES: Readonly<Record<string, ValueType>> = {
  num: { kind: "number" },
  str: { kind: "string", semantics: "short" },
  date: { kind: "date", format: "rfc3339" },
  bool: { kind: "boolean" },
  list: { kind: "array", items: JSON_TYPE },
};

const compares = (op: TestOperator): Operation => ({
  takesNull: true,
  of: ([a = null, b = null], on) => testValue(a, op, b, TYPES[on] ?? JSON_TYPE),
});

const has = (list: readonly Json[], value: Json): boolean =>
  list.some((each) => testValue(each, "=", value, JSON_TYPE));

const number = (of: (a: Json, b: Json) => Json): Operation => ({
  of: ([a = null, b = null]) => of(a, b),
});
const text = (of: (a: string, b: string, c: string) => Json): Operation => ({
  of: ([a = "", b = "", c = ""]) => of(textOf(a), textOf(b), textOf(c)),
});
const isTrue = (value: Json | undefined): boolean => value === true;
const known = (list: Json): readonly Json[] => listOf(list).filter((each) => each !== null);

function extreme(values: readonly Json[], sign: 1 | -1): Json {
  let best: Json = null;
  for (const value of values) {
    if (best === null) best = value;
    else if (order(value, best) * sign < 0) best = value;
  }
  return best;
}

function order(a: Json, b: Json): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (testValue(a, "<", b, JSON_TYPE)) return -1;
  if (testValue(a, ">", b, JSON_TYPE)) return 1;
  return typeof a === "number" || typeof b === "number" ? compareNumbers(a, b) : 0;
}

/**
 * What plans compute with, by name (PLAN-002). Names are part of the commit of a plan: their meaning never changes.
 * All work on JSON: numbers are numbers or decimal text, dates canonical text.
 */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  add: number(add),
  subtract: number(subtract),
  multiply: number(multiply),
  divide: number(divide),
  remainder: number(remainder),
  negate: number(negate),
  abs: number(absolute),
  round: number(round),
  floor: number((a) => toWhole(a, false)),
  ceil: number((a) => toWhole(a, true)),
  number: number(toNumber),
  moment: { of: ([a = null], on) => moment(a, on as TemporalFormat) },
  moments: {
    of: ([a = null], on) =>
      listOf(a).map((each) => (each === null ? null : moment(each, on as TemporalFormat))),
  },
  later: number(later),
  earlier: number((a, b) => later(a, negate(b))),
  seconds: number(secondsBetween),
  days: number((a) => divide(a, 86_400)),
  year: number((a) => datePart(a, "year")),
  month: number((a) => datePart(a, "month")),
  week: number((a) => datePart(a, "week")),
  weekday: number((a) => datePart(a, "weekday")),
  day: number((a) => datePart(a, "day")),
  hour: number((a) => datePart(a, "hour")),
  date: number((a) => startOf(a, "day")),
  start_of: number(startOf),
  text: text((a) => a),
  concat: { of: (args) => bounded(args.map(textOf).join("")) },
  lower: text((a) => a.toLowerCase()),
  upper: text((a) => a.toUpperCase()),
  trim: text((a) => a.trim()),
  replace: text((a, part, by) => replaced(a, part, by)),
  split: text((a, by) => boundedList(a.split(by))),
  join: {
    of: ([list = null, by = ""]) => bounded(known(list).map(textOf).join(textOf(by))),
  },
  length: { of: ([a = null]) => (isObject(a) ? Object.keys(a).length : elements(a).length) },
  slice: {
    takesNull: true,
    of: ([a = null, from = null, to = null]) => (a === null ? null : cut(a, from, to)),
  },
  element: number(element),
  first: number((a) => element(listOf(a), 0)),
  last: number((a) => element(listOf(a), -1)),
  member: {
    of: ([a = null, ...path]) => {
      let at: Json = a;
      for (const each of path) {
        const key = textOf(each);
        if (isList(at)) at = at[Number(key)] ?? null;
        else at = isObject(at) && Object.hasOwn(at, key) ? (at[key] ?? null) : null;
      }
      return at;
    },
  },
  contains: {
    takesNull: true,
    of: ([a = null, b = null]) => {
      if (a === null || b === null) return false;
      return isList(a) ? has(a, b) : textOf(plainText(a)).includes(textOf(b));
    },
  },
  starts_with: {
    takesNull: true,
    of: ([a = null, b = null]) => a !== null && b !== null && textOf(a).startsWith(textOf(b)),
  },
  ends_with: {
    takesNull: true,
    of: ([a = null, b = null]) => a !== null && b !== null && textOf(a).endsWith(textOf(b)),
  },
  list_add: { of: ([a = null, b = null]) => boundedList([...listOf(a), ...listOf(b)]) },
  list_remove: {
    of: ([a = null, b = null]) => {
      const gone = listOf(b);
      return listOf(a).filter((each) => !has(gone, each));
    },
  },
  flatten: {
    of: ([a = null]) => boundedList(listOf(a).flatMap((each) => (isList(each) ? each : [each]))),
  },
  count: { of: ([a = null]) => known(a).length },
  sum: { of: ([a = null]) => known(a).reduce<number | string>((sum, each) => add(sum, each), 0) },
  avg: {
    of: ([a = null]) => {
      const all = known(a);
      if (all.length === 0) return null;
      return divide(
        all.reduce<number | string>((sum, each) => add(sum, each), 0),
        all.length,
      );
    },
  },
  min: { of: ([a = null]) => extreme(known(a), 1) },
  max: { of: ([a = null]) => extreme(known(a), -1) },
  least: { of: (args) => extreme(args, 1) },
  greatest: { of: (args) => extreme(args, -1) },
  exists: { takesNull: true, of: ([a = null]) => a !== null },
  coalesce: { takesNull: true, of: (args) => args.find((each) => each !== null) ?? null },
  if: { takesNull: true, of: ([test, a = null, b = null]) => (isTrue(test) ? a : b) },
  and: { takesNull: true, of: (args) => args.every(isTrue) },
  or: { takesNull: true, of: (args) => args.some(isTrue) },
  not: { takesNull: true, of: ([a]) => !isTrue(a) },
  "=": compares("="),
  "!=": compares("!="),
  "<": compares("<"),
  "<=": compares("<="),
  ">": compares(">"),
  ">=": compares(">="),
  "~": compares("~"),
  in: {
    takesNull: true,
    of: ([a = null, list = null], on) =>
      isList(list) && memberTest(list, TYPES[on] ?? JSON_TYPE)(a),
  },
};

/**
 * Computes one operation of a plan (LANG-048). `on` is the word of the type it compares, or the format of a date.
 * Throws {@link ValueFault} where the values allow none.
 */
export function compute(name: string, args: Args, on = ""): Json {
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (operation === undefined) throw new Error(`No operation is called ${name}.`);
  if (operation.takesNull !== true && args.some((each) => each === null)) return null;
  return operation.of(args, on);
}
