import type { AggFunction } from "../../language/grammar/ast.ts";
import type { FunctionName } from "../../language/grammar/functions.ts";
import type { ValueType } from "../../values/value-type.ts";

/** What a value is to an operator; a duration is a length of time, which is shown in days; months have no number of them. */
export type Kind =
  | "number"
  | "text"
  | "date"
  | "boolean"
  | "list"
  | "reference"
  | "json"
  | "duration"
  | "months"
  | "null";

/** What an argument of a function may be. */
export type Takes = Kind | "any" | "scalar" | "sized" | "unit" | "members";

/** What a function takes and gives (LANG-049). */
export interface Signature {
  /** the arguments in order; the last repeats if `repeats` */
  readonly takes: readonly Takes[];
  /** how many of them must be given */
  readonly least: number;
  readonly repeats?: true;
  /** the kind of the result; `same` is that of the arguments from `sameFrom` on, `element` of a list's elements */
  readonly gives: ValueType | "same" | "element";
  readonly sameFrom?: number;
  /** the form, as errors and the teaching text show it */
  readonly form: string;
  /** the operation of plans, where it is not called like the function */
  readonly operation?: string;
}

/** Whether an aggregate is defined on a type; cells of json may turn out to fit (LANG-066). */
export function isSummed(fn: AggFunction, type: ValueType): boolean {
  if (type.kind === "json" || fn === "count" || fn === "first" || fn === "last") return true;
  const isNumber = type.kind === "number" || type.kind === "integer";
  if (fn === "sum" || fn === "avg") return isNumber;
  return isNumber || ["date", "string", "select", "uuid"].includes(type.kind);
}

const NUMBER: ValueType = { kind: "number" };
const INTEGER: ValueType = { kind: "integer" };
const TEXT: ValueType = { kind: "string", semantics: "short" };
const TRUTH: ValueType = { kind: "boolean" };
const DAY: ValueType = { kind: "date", format: "iso8601_date" };

const part = (form: string): Signature => ({ takes: ["date"], least: 1, gives: INTEGER, form });
const ofText = (form: string): Signature => ({ takes: ["text"], least: 1, gives: TEXT, form });
const ofTwo = (form: string): Signature => ({
  takes: ["text", "text"],
  least: 2,
  gives: TRUTH,
  form,
});
const whole = (form: string): Signature => ({ takes: ["number"], least: 1, gives: INTEGER, form });
const ofList = (form: string, gives: Signature["gives"]): Signature => ({
  takes: ["list"],
  least: 1,
  gives,
  form,
});

/** The functions of values with what they take. */
export const SIGNATURES: Readonly<Record<FunctionName, Signature>> = {
  abs: { takes: ["number"], least: 1, gives: "same", form: "abs(number)" },
  ceil: whole("ceil(number)"),
  floor: whole("floor(number)"),
  round: { takes: ["number", "number"], least: 1, gives: NUMBER, form: "round(number, places)" },
  number: { takes: ["scalar"], least: 1, gives: NUMBER, form: "number(text)" },
  text: { takes: ["any"], least: 1, gives: TEXT, form: "text(value)" },
  lower: ofText("lower(text)"),
  upper: ofText("upper(text)"),
  trim: ofText("trim(text)"),
  length: { takes: ["sized"], least: 1, gives: INTEGER, form: "length(text or list)" },
  contains: {
    takes: ["sized", "any"],
    least: 2,
    gives: TRUTH,
    form: "contains(text or list, part)",
  },
  starts_with: ofTwo("starts_with(text, part)"),
  ends_with: ofTwo("ends_with(text, part)"),
  exists: { takes: ["any"], least: 1, gives: TRUTH, form: "exists(value)" },
  kept: {
    takes: ["text", "text", "text"],
    least: 2,
    gives: { kind: "json" },
    form: "kept(s0_r1, column) or, of several rows, kept(s0_r1, column, key)",
  },
  file: {
    takes: ["text"],
    least: 1,
    gives: { kind: "json" },
    form: 'file("/exports/report.pdf"), file("https://files.example/report.pdf"), or file of an address that an answer shows',
  },
  replace: {
    takes: ["text", "text", "text"],
    least: 3,
    gives: TEXT,
    form: "replace(text, part, other) or replace(text, part, other, all)",
  },
  insert: {
    takes: ["text", "text", "text"],
    least: 3,
    gives: TEXT,
    form: 'insert(text, new, after="part") or insert(text, new, before="part"), at the end text + new',
  },
  set: {
    takes: ["members", "text", "any"],
    least: 3,
    gives: "same",
    form: 'set(json, "a.b", value)',
  },
  remove: {
    takes: ["members", "text"],
    least: 2,
    gives: "same",
    form: 'remove(json, "a.b"), or list - [value] for an element of a list',
  },
  split: {
    takes: ["text", "text"],
    least: 2,
    gives: { kind: "array", items: TEXT },
    form: 'split(text, ",")',
  },
  join: { takes: ["list", "text"], least: 2, gives: TEXT, form: 'join(list, ", ")' },
  first: ofList("first(list)", "element"),
  last: ofList("last(list)", "element"),
  count: ofList("count(list)", INTEGER),
  sum: ofList("sum(list)", NUMBER),
  avg: ofList("avg(list)", NUMBER),
  min: {
    takes: ["any", "any"],
    least: 1,
    repeats: true,
    gives: "same",
    form: "min(a, b) or min(list)",
  },
  max: {
    takes: ["any", "any"],
    least: 1,
    repeats: true,
    gives: "same",
    form: "max(a, b) or max(list)",
  },
  date: { takes: ["date"], least: 1, gives: DAY, form: "date(moment)" },
  year: part("year(date)"),
  month: part("month(date)"),
  week: part("week(date)"),
  weekday: part("weekday(date)"),
  day: part("day(date)"),
  hour: part("hour(date)"),
  start_of: { takes: ["date", "unit"], least: 2, gives: DAY, form: "start_of(date, month)" },
  coalesce: {
    takes: ["any", "any"],
    least: 2,
    repeats: true,
    gives: "same",
    form: "coalesce(value, other)",
  },
  if: {
    takes: ["boolean", "any", "any"],
    least: 3,
    gives: "same",
    sameFrom: 1,
    form: "if(condition, value, other)",
  },
};

/** What a value of a declared type is to an operator. */
export function kindOf(type: ValueType): Kind {
  switch (type.kind) {
    case "number":
    case "integer":
      return "number";
    case "string":
    case "uuid":
    case "select":
    case "blob":
      return "text";
    case "date":
    case "boolean":
    case "json":
      return type.kind;
    case "array":
    case "multi_select":
      return "list";
    case "entity_ref":
      return "reference";
  }
}

/** How a kind is called in an error. */
export const KIND_NAMES: Readonly<Record<Takes, string>> = {
  number: "a number",
  text: "text",
  date: "a date",
  boolean: "true or false",
  list: "a list",
  reference: "a reference",
  json: "a value of any kind",
  duration: "a length of time",
  months: "a number of months",
  null: "null",
  any: "a value",
  scalar: "text or a number",
  sized: "text or a list",
  unit: "hour, day, week, month, quarter or year",
  members: "json or a list",
};

/** Whether an argument of a kind may stand where a function takes something; json may turn out to be it. */
export function accepts(takes: Takes, kind: Kind): boolean {
  if (kind === "json" || kind === "null" || takes === kind) return takes !== "unit";
  switch (takes) {
    case "any":
      return true;
    case "scalar":
      return kind === "text" || kind === "number" || kind === "duration";
    case "text":
      return kind === "number" || kind === "reference";
    case "sized":
      return kind === "text" || kind === "list" || kind === "number";
    case "members":
      return kind === "list";
    case "number":
      return kind === "duration";
    case "date":
      return kind === "text";
    case "boolean":
    case "list":
    case "reference":
    case "json":
    case "duration":
    case "months":
    case "null":
    case "unit":
      return false;
  }
}
