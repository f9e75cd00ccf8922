import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import { cursorColumn } from "./reference-value.ts";
import { expressionMessages } from "../../diagnostics/expression-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import type { ConstructorValue, Value } from "../../language/grammar/ast-values.ts";
import { type FunctionName, isFunction } from "../../language/grammar/functions.ts";
import { DATE_UNITS } from "../../values/moments.ts";
import { elementType } from "../../values/value-type.ts";
import type { CheckContext } from "../check-context.ts";
import { wireName } from "../names/name-formatter.ts";
import type { TypedValue } from "../typed-program.ts";
import type { ColumnType } from "../types.ts";
import { type EditCall, readEditCall } from "./edit-call.ts";
import { readTotal } from "./related-total.ts";
import {
  apply,
  asMoment,
  type Expression,
  expressionOf,
  faulty,
  inDays,
  JSON_TYPE,
  plain,
  shownPart,
} from "./expression-parts.ts";
import {
  accepts,
  KIND_NAMES,
  type Kind,
  kindOf,
  type Signature,
  SIGNATURES,
} from "./function-table.ts";

const TEXT_TYPE = plain({ kind: "string", semantics: "short" });
const DATE_TYPE = plain({ kind: "date", format: "rfc3339" });

/** Reads an argument; `many` where a whole column is a list. */
type ReadArgument = (value: Value, room: "one" | "many") => Expression;

/** Reads the call of a function by its signature (LANG-049). */
export function readFunction(
  context: CheckContext,
  call: ConstructorValue,
  read: ReadArgument,
): Expression {
  const name = call.name.text;
  if (!isFunction(name)) return faulty();
  const total = readTotal(context, call);
  if (total !== null) return asMoment(total);
  const signature = SIGNATURES[name];
  const { takes, least, repeats, form } = signature;
  if (name === "kept" && call.args.length >= 2 && call.args.length <= 3) {
    return readKept(context, call);
  }
  if (name === "file" && call.args.length === 1) return readFile(context, call);
  const edit = readEditCall(context, call, name);
  if (edit !== null) {
    return "operation" in edit ? readEdit(context, call, name, edit, read) : faulty(edit);
  }
  const values = call.args.map(({ value }) => value);
  if (values.length < least || (repeats !== true && values.length > takes.length)) {
    const count = least === takes.length ? `${least}` : `${least} or ${takes.length}`;
    const args = {
      name,
      takes: `${repeats === true ? `at least ${least}` : count} values`,
      found: values.length,
      form,
    };
    return faulty(diagnose(expressionMessages.argumentCount, call.span, args));
  }
  const args: Expression[] = [];
  for (const [at, value] of values.entries()) {
    const argument = readArgument(context, name, signature, value, at, read);
    args.push(argument);
  }
  const problems = args.flatMap((arg) => arg.problems);
  if (problems.length > 0) return faulty(...problems);
  const isAlike = keepsLengths(name, signature, args);
  const settled = isAlike ? args : args.map((arg) => inDays(call, arg));
  return applied(call, name, signature, settled);
}

const HANDLE = /^(?:s\d{1,9}_)?r[1-9]\d{0,8}$/;

/** A value of an earlier answer of the session, named by its snapshot, column and key; what it is shows when it is filled (LANG-057). */
function readKept(context: CheckContext, call: ConstructorValue): Expression {
  const { form } = SIGNATURES.kept;
  const texts = call.args.map(({ value }) => constantText(value));
  for (const [at, text] of texts.entries()) {
    const { value } = call.args[at] ?? {};
    if (value === undefined || (text !== null && (at > 0 || HANDLE.test(text)))) continue;
    const takes =
      at === 0 ? "the handle of an earlier answer" : "a column and a key as they were shown";
    const args = { name: "kept", takes, found: shownPart(context, value), form };
    return faulty(diagnose(expressionMessages.argumentType, value.span, args));
  }
  const [handle = "", column = "", key] = texts.map((text) => text ?? "");
  const parts = [
    handle,
    wireName(context.exposure.symbols, column),
    ...(key === undefined ? [] : [key]),
  ];
  const args = parts.map((value): TypedValue => ({ kind: "lit", value }));
  return expressionOf(
    { kind: "computed", operation: "kept", args, on: null, type: JSON_TYPE },
    JSON_TYPE,
  );
}

/** An absolute path, or an address of http(s) or of a file that the session holds. */
const FILE = /^(?:\/[^\0]*|[A-Za-z]:[\\/][^\0]*|https?:\/\/[^\s\0]+|plasm:\/\/[^\s\0]+)$/;

/** A file that a program names; where it may stand is the plan's to check (VAL-07). */
function readFile(context: CheckContext, call: ConstructorValue): Expression {
  const [arg] = call.args;
  const { form } = SIGNATURES.file;
  if (arg?.value.kind !== "StringValue" || !FILE.test(arg.value.text)) {
    const value = arg?.value ?? call;
    const found = shownPart(context, value);
    const args = { name: "file", takes: "an absolute path or an address in quotes", found, form };
    return faulty(diagnose(expressionMessages.argumentType, value.span, args));
  }
  const named: TypedValue = { kind: "lit", value: arg.value.text };
  return expressionOf(
    { kind: "computed", operation: "file", args: [named], on: null, type: JSON_TYPE },
    JSON_TYPE,
  );
}

/** The text that a literal is written as; null for what is no literal. */
function constantText(value: Value): string | null {
  switch (value.kind) {
    case "StringValue":
      return value.text;
    case "WordValue":
    case "NumberValue":
    case "UuidValue":
    case "DateValue":
      return value.raw;
    default:
      return null;
  }
}

/** An edit of a text, or of a member of json: what it gives is of the type of what is edited (LANG-056). */
function readEdit(
  context: CheckContext,
  call: ConstructorValue,
  name: FunctionName,
  { operation, values, keys }: EditCall,
  read: ReadArgument,
): Expression {
  const signature = SIGNATURES[name];
  const takes = signature.takes.filter((_, at) => keys.length === 0 || at !== 1);
  const args = values.map((value, at) =>
    readArgument(context, name, { ...signature, takes }, value, at, read),
  );
  const problems = args.flatMap((arg) => arg.problems);
  const [first] = args;
  if (problems.length > 0 || first === undefined) return faulty(...problems);
  // A bare word is text that nobody edits: its writer means a field of the row that is changed.
  if (first.word !== undefined) {
    const args = {
      word: first.word,
      fix: `bind the row on a line of its own, like row = …, and write row.${first.word}`,
    };
    return faulty(diagnose(expressionMessages.bareWord, values[0]?.span ?? call.span, args));
  }
  const parts = keys.map((key) => expressionOf({ kind: "lit", value: key }, TEXT_TYPE));
  const settled = args.map((arg) => inDays(call, arg));
  const type = keys.length === 0 ? TEXT_TYPE : first.type;
  return apply(call, operation, [...settled, ...parts], type);
}

/** Kinds of lengths of time. */
const LENGTHS: readonly Kind[] = ["duration", "months"];

/** Whether lengths of time stay what they are: only such are chosen from. Among others each is a number of days. */
function keepsLengths(
  name: FunctionName,
  { gives, sameFrom = 0 }: Signature,
  args: readonly Expression[],
): boolean {
  const chosen = args.slice(sameFrom).filter(({ kind }) => kind !== "null");
  const areLengths = LENGTHS.some((each) => chosen.every(({ kind }) => kind === each));
  return gives === "same" && name !== "abs" && areLengths;
}

function readArgument(
  context: CheckContext,
  name: FunctionName,
  { takes, form }: Signature,
  value: Value,
  at: number,
  read: ReadArgument,
): Expression {
  const wanted = takes[Math.min(at, takes.length - 1)] ?? "any";
  if (wanted === "unit" && value.kind === "WordValue") {
    const isUnit = DATE_UNITS.some((unit) => unit === value.raw);
    if (isUnit)
      return {
        value: { kind: "lit", value: value.raw },
        type: JSON_TYPE,
        kind: "text",
        problems: [],
      };
  }
  const takesList = wanted === "list" || (takes.length === 2 && (name === "min" || name === "max"));
  const argument = read(value, takesList || wanted === "sized" ? "many" : "one");
  if (argument.problems.length > 0) return argument;
  const problem = columnProblem(context, value, argument);
  if (problem !== null) return faulty(problem);
  const { kind } = argument;
  const fits = wanted === "unit" ? isUnit(argument) : accepts(wanted, kind);
  if (fits) return LENGTHS.includes(kind) && wanted !== "any" ? inDays(value, argument) : argument;
  const found = `${shownPart(context, value)}, ${KIND_NAMES[kind]}`;
  if (wanted === "list" && takes.length === 1 && context.columns !== null && kind !== "text") {
    const call = `${name}(${shownPart(context, value)})`;
    return faulty(diagnose(expressionMessages.ofAllRows, value.span, { name, found, call }));
  }
  const args = { name, takes: KIND_NAMES[wanted], found, form };
  return faulty(diagnose(expressionMessages.argumentType, value.span, args));
}

/** A bare word that is called like a column of the row: its writer meant the cell, and would be given the word. */
function columnProblem(
  context: CheckContext,
  value: Value,
  { word }: Expression,
): Diagnostic | null {
  if (word === undefined || context.columns !== null) return null;
  const meant = cursorColumn(context, word);
  if (meant === null) return null;
  const fix = `for the column write ${meant}, for the word ${quoteText(word)}`;
  const edits = [{ span: value.span, replacement: meant }];
  return diagnose(expressionMessages.bareWord, value.span, { word, fix }, edits);
}

function isUnit({ value }: Expression): boolean {
  return value.kind === "lit" && DATE_UNITS.some((unit) => unit === value.value);
}

function applied(
  call: ConstructorValue,
  name: FunctionName,
  { gives, sameFrom }: Signature,
  args: readonly Expression[],
): Expression {
  const [first] = args;
  const same = args.slice(sameFrom ?? 0);
  switch (name) {
    case "min":
    case "max": {
      if (args.length === 1 && first !== undefined) {
        const type = first.kind === "list" ? plain(elementType(first.type.type)) : JSON_TYPE;
        return apply(call, name, args, type);
      }
      const extreme = name === "min" ? "least" : "greatest";
      return typedAs(same, apply(call, extreme, args, commonType(same)));
    }
    case "round": {
      const places = args[1]?.value;
      const isWhole = places === undefined || (places.kind === "lit" && places.value === 0);
      const zero: Expression = {
        value: { kind: "lit", value: 0 },
        type: JSON_TYPE,
        kind: "number",
        problems: [],
      };
      const given = args.length === 1 ? [...args, zero] : args;
      return apply(call, name, given, plain({ kind: isWhole ? "integer" : "number" }));
    }
    case "start_of": {
      const unit = args[1]?.value;
      const isTimed = unit?.kind === "lit" && unit.value === "hour";
      return apply(
        call,
        name,
        args,
        isTimed ? DATE_TYPE : plain({ kind: "date", format: "iso8601_date" }),
      );
    }
    default: {
      if (gives === "same") return typedAs(same, apply(call, name, args, commonType(same)));
      if (gives !== "element") return apply(call, name, args, plain(gives));
      const type = first?.kind === "list" ? plain(elementType(first.type.type)) : JSON_TYPE;
      return apply(call, name, args, type);
    }
  }
}

/** The type that values share, null left aside; json where they share none. */
function commonType(values: readonly Expression[]): ColumnType {
  const known = values.filter(({ kind }) => kind !== "null");
  const [first] = known;
  if (first === undefined) return JSON_TYPE;
  if (known.every(({ type }) => sameType(type, first.type))) return first.type;
  const kinds = new Set<Kind>(known.map(({ kind }) => kind));
  if (kinds.size > 1) return JSON_TYPE;
  switch (first.kind) {
    case "number":
    case "duration":
    case "months":
      return plain({ kind: "number" });
    case "text":
      return plain({ kind: "string", semantics: "short" });
    case "date":
      return DATE_TYPE;
    case "boolean":
    case "list":
    case "reference":
    case "json":
    case "null":
      return JSON_TYPE;
  }
}

function sameType(a: ColumnType, b: ColumnType): boolean {
  return a.entryId === b.entryId && JSON.stringify(a.type) === JSON.stringify(b.type);
}

function typedAs(values: readonly Expression[], result: Expression): Expression {
  const known = values.filter(({ kind }) => kind !== "null");
  const length = LENGTHS.find((each) => known.every(({ kind }) => kind === each));
  const kind = known.length === 0 || length === undefined ? kindOf(result.type.type) : length;
  return { ...result, kind };
}
