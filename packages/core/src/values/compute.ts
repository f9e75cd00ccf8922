import { canonicalJson } from "../base/canonical-json.ts";
import { parseDecimal, plainDecimal } from "../base/decimal.ts";
import { datePart, later, laterByMonths, moment, secondsBetween, startOf } from "./moments.ts";
import { arithmetic, type SpendWork } from "./arithmetic.ts";
import { onlyPlace, placesOf, withMember } from "./edits.ts";
import {
  add,
  compareNumbers,
  divide,
  type Exact,
  negate,
  round,
  settled,
  shown,
  toWhole,
  ValueFault,
} from "./numbers.ts";
import { jsonAt } from "./json-path.ts";
import { isPresent, memberTest, testValue, type TestOperator } from "./test-value.ts";
import { type Json, type TemporalFormat, type ValueType, isArray, isObject } from "./value-type.ts";

/** The longest text and the longest list that an operation makes. */
const LONGEST_TEXT = 1_048_576;
const LONGEST_LIST = 100_000;

type Args = readonly Json[];

/** What an operation costs beside its characters, in characters that are gone through in the same time. */
const COSTS = Object.freeze({
  /** a character that is made */
  made: 16,
  /** a part that a text is cut into */
  part: 128,
  /** an element of a list */
  element: 512,
});

/** An operation on values that are there; null in any of them is null, unless it says otherwise. */
interface Operation {
  readonly takesNull?: true;
  readonly of: (args: Args, on: string, spend: SpendWork) => Json;
}

function listOf(value: Json): readonly Json[] {
  if (isArray(value)) return value;
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

/** Refuses a text that would be too long, and counts any other, before it is made. */
function willMake(characters: number, spend: SpendWork): void {
  if (characters > LONGEST_TEXT)
    throw new ValueFault("it is a text of more than 1,048,576 characters");
  spend(characters * COSTS.made);
}

function joined(texts: readonly string[], by: string, spend: SpendWork): string {
  let characters = Math.max(0, texts.length - 1) * by.length;
  for (const text of texts) characters += text.length;
  willMake(characters, spend);
  return texts.join(by);
}

function divided(text: string, by: string, spend: SpendWork): readonly Json[] {
  const parts = text.split(by, LONGEST_LIST + 1);
  spend(parts.length * COSTS.part);
  return boundedList(parts);
}

const tooManyElements = (): ValueFault =>
  new ValueFault("it is a list of more than 100,000 elements");

function boundedList(list: readonly Json[]): readonly Json[] {
  if (list.length <= LONGEST_LIST) return list;
  throw tooManyElements();
}

/** What is cut or searched as text; the text of an object is nothing that anybody means. */
function plainText(value: Json): Json {
  if (!isObject(value)) return value;
  throw new ValueFault(`${shown(value)} is no text and no list`);
}

const SURROGATE = /[\ud800-\udfff]/;

/** Text or a list as what is counted and cut: text by characters, not by code units. */
function elements(value: Json): readonly Json[] | string {
  if (isArray(value)) return value;
  const text = textOf(plainText(value));
  return SURROGATE.test(text) ? Array.from(text) : text;
}

function cut(value: Json, from: Json, to: Json): Json {
  const all = elements(value);
  const part = all.slice(from === null ? 0 : Number(from), to === null ? undefined : Number(to));
  return isArray(value) || typeof part === "string" ? part : part.map(textOf).join("");
}

function element(value: Json, at: Json): Json {
  const all = elements(value);
  const index = Number(at);
  return all[index < 0 ? all.length + index : index] ?? null;
}

function replaced(text: string, part: string, by: string, spend: SpendWork): string {
  if (part === "") return text;
  const places = placesOf(text, part, true);
  spend((places.length + 1) * COSTS.part);
  willMake(text.length + places.length * (by.length - part.length), spend);
  const pieces: string[] = [];
  let from = 0;
  for (const at of places) {
    pieces.push(text.slice(from, at));
    from = at + part.length;
  }
  return [...pieces, text.slice(from)].join(by);
}

/** Text with something else at a place in it; the text is what is edited, so there must be one (LANG-056). */
function edited(
  of: (text: string, part: string) => readonly [from: number, to: number],
): Operation {
  return {
    takesNull: true,
    of: ([value = null, part = null, by = null], _on, spend) => {
      if (value === null) throw new ValueFault("there is no text to edit: it is null");
      if (by === null || part === null) throw new ValueFault("a part of the edit is null");
      const [text, put] = [textOf(plainText(value)), textOf(by)];
      const [from, to] = of(text, textOf(part));
      willMake(text.length + put.length - (to - from), spend);
      return text.slice(0, from) + put + text.slice(to);
    },
  };
}

const member = (remove: boolean): Operation => ({
  takesNull: true,
  of: ([value = null, ...rest], _on, spend) => {
    const [by, keys] = remove ? [undefined, rest] : [rest[0] ?? null, rest.slice(1)];
    if (value === null) throw new ValueFault("there is no value to edit: it is null");
    return withMember(value, keys.map(textOf), by, spend);
  },
});

type MemberTest = (value: Json | undefined) => boolean;
const memberTests = new WeakMap<readonly Json[], Map<string, MemberTest>>();

/** Whether a list has a value: found out once for a list, which may be that of thousands of rows. */
function membersOf(list: readonly Json[], on: string): MemberTest {
  const known = memberTests.get(list) ?? new Map<string, MemberTest>();
  memberTests.set(list, known);
  const test = known.get(on) ?? memberTest(list, TYPES[on] ?? JSON_TYPE);
  known.set(on, test);
  return test;
}

/** What going through the values costs: a text is as long as it is, a list has its elements. */
function lengthOf(args: Args): number {
  let characters = 0;
  for (const arg of args) {
    if (typeof arg === "string") characters += arg.length;
    else if (isArray(arg)) characters += arg.length;
  }
  return characters;
}

const JSON_TYPE: ValueType = { kind: "json" };
const TYPES: Readonly<Record<string, ValueType>> = {
  num: { kind: "number" },
  str: { kind: "string", semantics: "short" },
  date: { kind: "date", format: "rfc3339" },
  bool: { kind: "boolean" },
  list: { kind: "array", items: JSON_TYPE },
};

const elementsOf = (value: Json): number => (isArray(value) ? value.length : 1);

const compares = (op: TestOperator): Operation => ({
  takesNull: true,
  of: ([a = null, b = null], on, spend) => {
    // Each element of one list is looked for in the other.
    if (isArray(a) || isArray(b)) spend(elementsOf(a) * elementsOf(b) * COSTS.element);
    return testValue(a, op, b, TYPES[on] ?? JSON_TYPE);
  },
});

const has = (list: readonly Json[], value: Json): boolean =>
  list.some((each) => testValue(each, "=", value, JSON_TYPE));

const number = (of: (a: Json, b: Json) => Json): Operation => ({
  of: ([a = null, b = null]) => of(a, b),
});
const text = (of: (a: string, b: string, c: string, spend: SpendWork) => Json): Operation => ({
  of: ([a = "", b = "", c = ""], _on, spend) => of(textOf(a), textOf(b), textOf(c), spend),
});
/** One that looks at each element of its lists. */
const lists = (of: Operation["of"]): Operation => ({
  of: (args, on, spend) => {
    for (const arg of args) if (isArray(arg)) spend(arg.length * COSTS.element);
    return of(args, on, spend);
  },
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
 * All other operations that plans compute with, by name (PLAN-002). Names are part of the commit of a plan: their meaning never changes.
 * All work on JSON: numbers are numbers or decimal text, dates canonical text.
 */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  round: number(round),
  floor: number((a) => toWhole(a, false)),
  ceil: number((a) => toWhole(a, true)),
  moment: { of: ([a = null], on) => moment(a, on as TemporalFormat) },
  moments: lists(([a = null], on) =>
    listOf(a).map((each) => (each === null ? null : moment(each, on as TemporalFormat))),
  ),
  later: number(later),
  earlier: number((a, b) => later(a, negate(b))),
  later_months: number(laterByMonths),
  earlier_months: number((a, b) => laterByMonths(a, negate(b))),
  seconds: number(secondsBetween),
  year: number((a) => datePart(a, "year")),
  month: number((a) => datePart(a, "month")),
  week: number((a) => datePart(a, "week")),
  weekday: number((a) => datePart(a, "weekday")),
  day: number((a) => datePart(a, "day")),
  hour: number((a) => datePart(a, "hour")),
  date: number((a) => startOf(a, "day")),
  start_of: number(startOf),
  text: text((a) => a),
  concat: { of: (args, _on, spend) => joined(args.map(textOf), "", spend) },
  lower: text((a, _b, _c, spend) => {
    willMake(a.length, spend);
    return a.toLowerCase();
  }),
  upper: text((a, _b, _c, spend) => {
    willMake(a.length, spend);
    return a.toUpperCase();
  }),
  trim: text((a) => a.trim()),
  replace: text(replaced),
  replace_one: edited((text, part) => {
    const at = onlyPlace(text, part, true);
    return [at, at + part.length];
  }),
  insert_before: edited((text, part) => {
    const at = onlyPlace(text, part, false);
    return [at, at];
  }),
  insert_after: edited((text, part) => {
    const at = onlyPlace(text, part, false) + part.length;
    return [at, at];
  }),
  set_member: member(false),
  remove_member: member(true),
  split: text((a, by, _c, spend) => divided(a, by, spend)),
  join: lists(([list = null, by = ""], _on, spend) =>
    joined(known(list).map(textOf), textOf(by), spend),
  ),
  length: { of: ([a = null]) => (isObject(a) ? Object.keys(a).length : elements(a).length) },
  slice: {
    takesNull: true,
    of: ([a = null, from = null, to = null]) => (a === null ? null : cut(a, from, to)),
  },
  element: number(element),
  first: number((a) => element(listOf(a), 0)),
  last: number((a) => element(listOf(a), -1)),
  member: {
    of: ([a = null, ...path]) => jsonAt(a, path.map(textOf)),
  },
  contains: {
    takesNull: true,
    of: ([a = null, b = null], _on, spend) => {
      if (a === null || b === null) return false;
      if (!isArray(a)) return textOf(plainText(a)).includes(textOf(b));
      spend(a.length * COSTS.element);
      return has(a, b);
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
  list_add: lists(([a = null, b = null]) => boundedList([...listOf(a), ...listOf(b)])),
  list_remove: lists(([a = null, b = null], _on, spend) => {
    const gone = listOf(b);
    spend(listOf(a).length * gone.length * COSTS.element);
    return listOf(a).filter((each) => !has(gone, each));
  }),
  flatten: lists(([a = null], _on, spend) => {
    const all = listOf(a);
    const count = all.reduce<number>((sum, each) => sum + (isArray(each) ? each.length : 1), 0);
    if (count > LONGEST_LIST) throw tooManyElements();
    spend(count * COSTS.element);
    return all.flatMap((each) => (isArray(each) ? each : [each]));
  }),
  count: lists(([a = null]) => known(a).length),
  sum: lists(([a = null]) => known(a).reduce<number | string>((sum, each) => add(sum, each), 0)),
  avg: lists(([a = null]) => {
    const all = known(a);
    if (all.length === 0) return null;
    return divide(
      all.reduce<number | string>((sum, each) => add(sum, each), 0),
      all.length,
    );
  }),
  min: lists(([a = null]) => extreme(known(a), 1)),
  max: lists(([a = null]) => extreme(known(a), -1)),
  least: { of: (args) => extreme(args, 1) },
  greatest: { of: (args) => extreme(args, -1) },
  exists: { takesNull: true, of: ([a = null]) => isPresent(a) },
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
    of: ([a = null, list = null], on, spend) => {
      if (!isArray(list)) return false;
      if (TYPES[on] === undefined || isArray(a)) spend(elementsOf(a) * list.length * COSTS.element);
      return membersOf(list, on)(a);
    },
  },
};

const FREE: SpendWork = () => undefined;

/**
 * Computes one operation of a plan in the middle of an expression, whose quotients are not carried out (LANG-048). `on`
 * is the word of the type it compares, or the format of a date; `spend` is told what it goes through and makes before
 * it does. Throws {@link ValueFault} where the values allow none.
 */
export function computeExactly(
  name: string,
  args: readonly Exact[],
  on = "",
  spend: SpendWork = FREE,
): Exact {
  const calculate = arithmetic(name);
  if (calculate !== undefined) {
    return args.includes(null) ? null : calculate(args[0] ?? null, args[1] ?? null, spend);
  }
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (operation === undefined) throw new Error(`No operation is called ${name}.`);
  if (operation.takesNull !== true && args.includes(null)) return null;
  const values = args.map(settled);
  spend(lengthOf(values));
  return operation.of(values, on, spend);
}

/** Computes an operation whose value leaves the expression. See {@link computeExactly}. */
export const compute = (name: string, args: Args, on = "", spend: SpendWork = FREE): Json =>
  settled(computeExactly(name, args, on, spend));
