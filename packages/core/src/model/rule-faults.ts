import { compareDecimal, parseDecimal } from "../base/decimal.ts";
import { compareCodePoints } from "../base/text.ts";
import type { Json } from "../values/value-type.ts";
import type { CrossFieldRule, InputSchema, ValidationPredicate } from "./input.ts";

/** Stands for a value that is there, but known only when the plan runs. */
export const LATER: unique symbol = Symbol("later");

/** An argument as far as it is known: a constant, or one with parts that come {@link LATER}. */
export type Known =
  | null
  | boolean
  | number
  | string
  | typeof LATER
  | readonly Known[]
  | { readonly [member: string]: Known };

/** A rule that arguments break: about one value, or about which of several are given. */
export type RuleFault =
  | { readonly kind: "value"; readonly path: string; readonly text: string }
  | {
      readonly kind: "fields";
      readonly fields: readonly string[];
      readonly text: string;
      /** more are given than may be, else fewer */
      readonly surplus: boolean;
    };

const LONGEST_TEXT = 4096;

/** Asks a registered function about a value: null, or what is wrong with it (RUN-105). */
export type JudgeValue = (functionName: string, value: Json) => string | null;

/**
 * The rules of an input's `validation` that arguments break (RUN-016, CAT-093): as far as values are
 * known, so the same when planned and when filled. A rule by a registered function is judged only with
 * `judge`, by who has functions, once all values are known.
 */
export function ruleFaults(
  schema: InputSchema,
  args: ReadonlyMap<string, Known>,
  judge: JudgeValue | null = null,
): readonly RuleFault[] {
  const values = (path: string): readonly Known[] => valuesAt(args, path);
  return [
    ...schema.predicates.flatMap((rule) => predicateFault(rule, values, judge)),
    ...schema.crossFieldRules.flatMap((rule) => crossFault(rule, values)),
  ];
}

type Values = (path: string) => readonly Known[];

/** The values at a dotted path; a path through a list leads into each of its elements. */
function valuesAt(args: ReadonlyMap<string, Known>, path: string): readonly Known[] {
  const [first, ...rest] = path.split(".").filter((step) => step !== "");
  const start = first === undefined ? undefined : args.get(first);
  let found: readonly Known[] = start === undefined ? [] : [start];
  for (const step of rest) found = found.flatMap((value) => membersOf(value, step));
  return found;
}

function membersOf(value: Known, name: string): readonly Known[] {
  if (isList(value)) return value.flatMap((item) => membersOf(item, name));
  if (value === null || typeof value !== "object") return value === LATER ? [LATER] : [];
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return member === undefined ? [] : [member];
}

function isList(value: Known): value is readonly Known[] {
  return Array.isArray(value);
}

function predicateFault(
  rule: ValidationPredicate,
  values: Values,
  judge: JudgeValue | null,
): readonly RuleFault[] {
  const { fieldPath: path, operator } = rule;
  const found = values(path);
  if (operator === "depends_on") return dependsFault(rule, found, values);
  if (operator === "custom_function") {
    return judge === null ? [] : functionFaults(rule, found, judge);
  }
  const broken = found.some((value) => breaks(rule, value));
  return broken ? [{ kind: "value", path, text: rule.errorMessage ?? ownText(rule) }] : [];
}

/** Null passes, as it does every rule; of a value that has parts to come nothing is said. */
function functionFaults(
  rule: ValidationPredicate,
  found: readonly Known[],
  judge: JudgeValue,
): readonly RuleFault[] {
  const { fieldPath: path, value: name } = rule;
  if (typeof name !== "string") return [];
  for (const value of found) {
    const wrong = value !== null && isWhole(value) ? judge(name, value) : null;
    if (wrong !== null) return [{ kind: "value", path, text: rule.errorMessage ?? wrong }];
  }
  return [];
}

function isWhole(value: Known): value is Json {
  if (value === LATER) return false;
  if (value === null || typeof value !== "object") return true;
  return isList(value) ? value.every(isWhole) : Object.values(value).every(isWhole);
}

function dependsFault(
  rule: ValidationPredicate,
  found: readonly Known[],
  values: Values,
): readonly RuleFault[] {
  const wanted = namesOf(rule.value);
  const missing = wanted.filter((name) => values(name).length === 0);
  if (found.length === 0 || missing.length === 0) return [];
  const text = rule.errorMessage ?? `${rule.fieldPath} needs ${missing.join(", ")}`;
  return [{ kind: "fields", fields: missing, text, surplus: false }];
}

function namesOf(value: Json): readonly string[] {
  const names: readonly Json[] = Array.isArray(value) ? value : [value];
  return names.filter((name) => typeof name === "string");
}

/** Null passes: whether it may is the slot's business (LANG-042). */
function breaks(rule: ValidationPredicate, value: Known): boolean {
  if (value === null || value === LATER) return false;
  switch (rule.operator) {
    case "min_length":
      return lengthOf(value) < bound(rule, Number.NEGATIVE_INFINITY);
    case "max_length":
      return lengthOf(value) > bound(rule, Number.POSITIVE_INFINITY);
    case "min_value":
    case "max_value": {
      const order = isList(value) ? null : orderOf(value, rule.value);
      if (isList(value)) return value.some((item) => breaks(rule, item));
      return order !== null && (rule.operator === "min_value" ? order < 0 : order > 0);
    }
    case "pattern":
      return isList(value) ? value.some((item) => breaks(rule, item)) : misses(rule.value, value);
    case "custom_function":
    case "depends_on":
      return false;
  }
}

/** Code points of a text, elements of a list; other values have no length and break no bound. */
function lengthOf(value: Known): number {
  if (isList(value)) return value.length;
  return typeof value === "string" ? Array.from(value).length : Number.NaN;
}

function bound(rule: ValidationPredicate, none: number): number {
  return typeof rule.value === "number" ? rule.value : none;
}

/** Numbers by value, other texts (dates of one format among them) by code points. */
function orderOf(value: Known, limit: Json): number | null {
  const known = typeof value === "number" || typeof value === "string" ? value : null;
  if (known === null || (typeof limit !== "number" && typeof limit !== "string")) return null;
  const [a, b] = [parseDecimal(known), parseDecimal(limit)];
  if (a !== null && b !== null) return compareDecimal(a, b);
  return typeof known === "string" && typeof limit === "string"
    ? compareCodePoints(known, limit)
    : null;
}

function misses(pattern: Json, value: Known): boolean {
  if (typeof pattern !== "string" || typeof value !== "string") return false;
  if (value.length > LONGEST_TEXT) return true;
  const expression = compiled(pattern);
  return expression !== null && !expression.test(value);
}

/** Null for a pattern that does not compile, which opening the catalog refuses (CAT-093). */
function compiled(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return null;
  }
}

function crossFault(rule: CrossFieldRule, values: Values): readonly RuleFault[] {
  const { fields } = rule;
  const given = fields.filter((field) => values(field).length > 0);
  const [first] = fields;
  const fault = (
    text: string,
    named: readonly string[],
    surplus: boolean,
  ): readonly RuleFault[] => [
    { kind: "fields", fields: named, text: rule.errorMessage ?? text, surplus },
  ];
  const missing = fields.filter((field) => !given.includes(field));
  const all = fields.join(", ");
  switch (rule.ruleType) {
    case "at_least_one":
      return given.length > 0 ? [] : fault(`give at least one of ${all}`, fields, false);
    case "exactly_one":
      if (given.length === 1) return [];
      return fault(
        `give exactly one of ${all}`,
        given.length > 1 ? given : fields,
        given.length > 1,
      );
    case "mutually_exclusive":
      return given.length < 2 ? [] : fault(`give only one of ${all}`, given, true);
    case "all_or_none":
      if (given.length === 0 || missing.length === 0) return [];
      return fault(`give all of ${all}, or none`, missing, false);
    case "implies":
      if (first === undefined || !given.includes(first) || missing.length === 0) return [];
      return fault(`${first} needs ${missing.join(", ")}`, missing, false);
  }
}

function ownText({ fieldPath, operator, value }: ValidationPredicate): string {
  const limit = typeof value === "string" ? value : JSON.stringify(value);
  switch (operator) {
    case "min_length":
      return `${fieldPath} has at least ${limit} characters or elements`;
    case "max_length":
      return `${fieldPath} has at most ${limit} characters or elements`;
    case "min_value":
      return `${fieldPath} is at least ${limit}`;
    case "max_value":
      return `${fieldPath} is at most ${limit}`;
    case "pattern":
      return `${fieldPath} matches ${limit} and has at most ${LONGEST_TEXT} characters`;
    case "custom_function":
    case "depends_on":
      return `${fieldPath} satisfies ${limit}`;
  }
}
