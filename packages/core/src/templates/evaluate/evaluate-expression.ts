import type { JsonObject } from "../../values/value-type.ts";
import type { TemplateExpression, LoopPart } from "../tree.ts";
import { calculate, contains, isEqual, isTrue, order } from "./calculate.ts";
import { filters } from "./filters.ts";
import { dataMember } from "./print.ts";
import type { Run } from "./run.ts";
import {
  BLANK,
  booleanValue,
  characterAt,
  describe,
  findName,
  integerValue,
  listValue,
  type Loop,
  NULL,
  type Scope,
  textValue,
  type TemplateValue,
} from "./value.ts";
import type { TextRange } from "../../base/span.ts";

type Kind<K extends TemplateExpression["kind"]> = Extract<TemplateExpression, { readonly kind: K }>;

/** What a member costs: little, but a list may hold as many of them as a template has characters. */
const STEPS_OF_MEMBER = 1 / 8;

/** Where names are looked up. */
export interface NameScope {
  readonly run: Run;
  readonly bindings: JsonObject;
  readonly scope: Scope;
}

/** The value of an expression that must be there: what is missing fails (strict undefined, RUN-101). */
export function valueOf(place: NameScope, expression: TemplateExpression): TemplateValue {
  const value = evaluate(place, expression);
  return value.kind === "missing" ? place.run.fail(value.at, value.message) : value;
}

/** The value of an expression, which may be missing. */
function evaluate(place: NameScope, expression: TemplateExpression): TemplateValue {
  const { run } = place;
  if (run.failure !== null) return NULL;
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "name":
      return nameValue(place, expression);
    case "loop":
      return loopPart(place.scope, expression);
    case "attribute":
      if (!run.spend(expression, STEPS_OF_MEMBER)) return NULL;
      return member(valueOf(place, expression.of), expression.key, expression.keyAt);
    case "index": {
      if (!run.spend(expression, STEPS_OF_MEMBER)) return NULL;
      const of = valueOf(place, expression.of);
      return indexed(run, of, valueOf(place, expression.index), expression.index);
    }
    default:
      return run.spend(expression) ? evaluateStep(place, expression) : NULL;
  }
}

function nameValue({ scope, bindings }: NameScope, expression: Kind<"name">): TemplateValue {
  const { name } = expression;
  const value = findName(scope, name) ?? dataMember(bindings, name);
  if (value !== undefined) return value;
  return { kind: "missing", at: expression, message: `There is no ${name} here.` };
}

/** Expressions that count as a step. */
function evaluateStep(
  place: NameScope,
  expression: Exclude<
    TemplateExpression,
    Kind<"literal" | "name" | "loop" | "attribute" | "index">
  >,
): TemplateValue {
  const { run } = place;
  switch (expression.kind) {
    case "list":
      if (!run.spend(expression, expression.items.length)) return NULL;
      return listValue(expression.items.map((item) => valueOf(place, item)));
    case "filter":
      return expression.filter === "default"
        ? defaultValue(place, expression)
        : filterValue(place, expression, expression.filter);
    case "test":
      return booleanValue(passes(place, expression) !== expression.negated);
    case "not":
      return booleanValue(!isTrue(valueOf(place, expression.of)));
    case "negate":
      return negated(place, expression);
    case "binary":
      return binaryValue(place, expression);
    case "choose": {
      if (isTrue(valueOf(place, expression.condition))) return evaluate(place, expression.chosen);
      return expression.otherwise === null ? BLANK : evaluate(place, expression.otherwise);
    }
  }
}

function passes(place: NameScope, { of, test }: Kind<"test">): boolean {
  if (test === "none") return valueOf(place, of).kind === "null";
  const { kind } = evaluate(place, of);
  return kind !== "missing" && kind !== "blank";
}

function negated(place: NameScope, { of }: Kind<"negate">): TemplateValue {
  const value = valueOf(place, of);
  if (value.kind === "integer") return { kind: "integer", value: -value.value };
  if (value.kind === "float") return { kind: "float", value: -value.value };
  return place.run.fail(of, `Found ${describe(value)} after -. Allowed: a number.`);
}

function defaultValue(place: NameScope, expression: Kind<"filter">): TemplateValue {
  const value = evaluate(place, expression.of);
  const [given, alsoFalse] = expression.arguments;
  const fallback = given === undefined ? textValue("") : evaluate(place, given);
  const isNull = value.kind === "null" && place.run.nullHasDefault;
  let replaced = isNull || value.kind === "missing" || value.kind === "blank";
  if (alsoFalse !== undefined) {
    const flag = valueOf(place, alsoFalse);
    if (flag.kind !== "boolean") {
      return place.run.fail(
        alsoFalse,
        `Found ${describe(flag)} as argument of default. Allowed: true or false.`,
      );
    }
    replaced ||= flag.value && !isTrue(value);
  }
  if (!replaced) return value;
  return fallback;
}

function filterValue(
  place: NameScope,
  expression: Kind<"filter">,
  name: keyof typeof filters,
): TemplateValue {
  const input = valueOf(place, expression.of);
  const values = expression.arguments.map((argument) => valueOf(place, argument));
  if (place.run.failure !== null) return NULL;
  return filters[name]({
    run: place.run,
    name,
    at: expression,
    input,
    inputAt: expression.of,
    arguments: values,
    argumentsAt: expression.arguments,
  });
}

function binaryValue(place: NameScope, expression: Kind<"binary">): TemplateValue {
  const { run } = place;
  const { operator } = expression;
  const left = valueOf(place, expression.left);
  if (operator === "and" || operator === "or") {
    return isTrue(left) === (operator === "and") ? evaluate(place, expression.right) : left;
  }
  const right = valueOf(place, expression.right);
  if (run.failure !== null) return NULL;
  switch (operator) {
    case "==":
      return booleanValue(isEqual(run, expression, left, right));
    case "!=":
      return booleanValue(!isEqual(run, expression, left, right));
    case "<":
      return booleanValue(order(run, expression, left, right) < 0);
    case "<=":
      return booleanValue(order(run, expression, left, right) <= 0);
    case ">":
      return booleanValue(order(run, expression, left, right) > 0);
    case ">=":
      return booleanValue(order(run, expression, left, right) >= 0);
    case "in":
      return booleanValue(contains(run, expression, right, left));
    case "not in":
      return booleanValue(!contains(run, expression, right, left));
    default:
      return calculate(run, expression, operator, left, right);
  }
}

const HINT = "Test it with is defined, or add | default(value).";

/** A member of an object by its key; anything else has none. */
function member(of: TemplateValue, key: string, at: TextRange): TemplateValue {
  const value = of.kind === "object" ? dataMember(of.data, key) : undefined;
  if (value !== undefined) return value;
  const holder = of.kind === "object" ? "The object" : `What is ${describe(of)}`;
  return { kind: "missing", at, message: `${holder} has no ${key}. ${HINT}` };
}

/** `x[i]`: an item of a list or a character of a text by its number, negative from the end; or a member. */
function indexed(run: Run, of: TemplateValue, index: TemplateValue, at: TextRange): TemplateValue {
  if (index.kind === "text") return member(of, index.value, at);
  const missing = (what: string): TemplateValue => ({
    kind: "missing",
    at,
    message: `${what}. ${HINT}`,
  });
  if (of.kind !== "list" && of.kind !== "text") {
    return missing(`What is ${describe(of)} has no ${describe(index)} as key`);
  }
  if (index.kind !== "integer") {
    return run.fail(at, `Found ${describe(index)} in [ ]. Allowed: a whole number or a key.`);
  }
  const number = Number(index.value);
  if (of.kind === "text") {
    run.spendOn(at, of.value.length);
    const character = characterAt(of.value, number);
    if (character !== undefined) return { kind: "text", value: character };
    return missing(`The text has no character ${number}`);
  }
  const place = number < 0 ? of.length + number : number;
  if (place >= 0 && place < of.length) return of.item(place);
  return missing(`The list has ${of.length} items and no item ${number}`);
}

/** What `loop` tells about the innermost loop around. */
function loopPart(
  { loop }: Scope,
  expression: TextRange & { readonly part: LoopPart },
): TemplateValue {
  if (loop === null) return NULL;
  const { items, at } = loop;
  switch (expression.part) {
    case "index":
      return integerValue(at + 1);
    case "index0":
      return integerValue(at);
    case "revindex":
      return integerValue(items.length - at);
    case "revindex0":
      return integerValue(items.length - at - 1);
    case "first":
      return booleanValue(at === 0);
    case "last":
      return booleanValue(at === items.length - 1);
    case "length":
      return integerValue(items.length);
    case "previtem":
      return neighbour(loop, at - 1, expression);
    case "nextitem":
      return neighbour(loop, at + 1, expression);
  }
}

function neighbour(
  { items }: Loop,
  at: number,
  expression: TextRange & { readonly part: LoopPart },
): TemplateValue {
  if (at >= 0 && at < items.length) return items.item(at);
  const turn = at < 0 ? "first" : "last";
  const message = `The ${turn} turn has no loop.${expression.part}. Test loop.${turn}, or add | default(value).`;
  return { kind: "missing", at: expression, message };
}
