import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { expressionMessages } from "../../diagnostics/expression-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { clip } from "../../base/text.ts";
import type { Value } from "../../language/grammar/ast-values.ts";
import { computeExactly } from "../../values/compute.ts";
import { Quotient, settled, ValueFault } from "../../values/numbers.ts";
import type { Json, ValueType } from "../../values/value-type.ts";
import { type CheckContext, programText } from "../check-context.ts";
import type { ColumnType } from "../types.ts";
import type { TypedValue } from "../typed-program.ts";
import { KIND_NAMES, type Kind, kindOf } from "./function-table.ts";
import { UNKNOWN_VALUE, type ValueSlot } from "./value-reading.ts";

/** A value that is computed, or a part of one: what it is, of which type, and what is wrong. */
export interface Expression {
  readonly value: TypedValue;
  readonly type: ColumnType;
  readonly kind: Kind;
  readonly problems: readonly Diagnostic[];
  /** the text of a bare word that names nothing: a constant only where text is compared or taken */
  readonly word?: string;
  /** of constants whose quotient does not come out even: what goes on being calculated with, and how it is written */
  readonly uneven?: { readonly exact: Quotient; readonly written: TypedValue };
}

/** The type of what may turn out to be anything. */
export const JSON_TYPE: ColumnType = { entryId: null, type: { kind: "json" } };
/** A type that means no entity of a catalog. */
export const plain = (type: ValueType): ColumnType => ({ entryId: null, type });

/** Makes an expression of a type. */
export function expressionOf(
  value: TypedValue,
  type: ColumnType,
  problems: readonly Diagnostic[] = [],
): Expression {
  return { value, type, kind: kindOf(type.type), problems };
}

/** Dates are computed as text that means the same whatever their format on the wire is, in lists as well. */
export function asMoment(expression: Expression): Expression {
  const { type, value } = expression;
  const isList = type.type.kind === "array";
  const date = type.type.kind === "array" ? type.type.items : type.type;
  if (date.kind !== "date" || value.kind === "placeholder") return expression;
  const { format } = date;
  if (format !== "unix_sec" && format !== "unix_ms") return expression;
  const moment: ValueType = { kind: "date", format: "rfc3339" };
  const made = plain(isList ? { kind: "array", items: moment } : moment);
  const operation = isList ? "moments" : "moment";
  const computed: TypedValue = {
    kind: "computed",
    operation,
    args: [value],
    on: format,
    type: made,
  };
  return { ...expression, value: computed, type: made };
}

/** Stands for a part in error: it fits everything. */
export function faulty(...problems: readonly Diagnostic[]): Expression {
  return { value: UNKNOWN_VALUE, type: JSON_TYPE, kind: "json", problems };
}

/** An operation over values: a constant if they all are, and the run's clock is not asked. */
export function apply(
  at: Value,
  operation: string,
  args: readonly Expression[],
  type: ColumnType,
  on: string | null = null,
): Expression {
  const problems = args.flatMap((arg) => arg.problems);
  const values = args.map(({ value, uneven }) => uneven?.written ?? value);
  if (values.some(({ kind }) => kind === "placeholder")) return { ...faulty(...problems), type };
  const constants = args.map(({ value, uneven }) => uneven?.exact ?? constant(value));
  if (!constants.includes(undefined)) {
    try {
      const known = constants.flatMap((each) => (each === undefined ? [] : [each]));
      const exact = computeExactly(operation, known, on ?? "", spendLittle);
      const value = settled(exact);
      const isDecimal = typeof value === "string" && kindOf(type.type) === "number";
      const folded: TypedValue = isDecimal ? { kind: "dec", text: value } : { kind: "lit", value };
      const made = expressionOf(folded, type, problems);
      if (!(exact instanceof Quotient)) return made;
      const written: TypedValue = { kind: "computed", operation, args: values, on, type };
      return { ...made, uneven: { exact, written } };
    } catch (error) {
      if (error instanceof TooMuchToFold) {
        return expressionOf(
          { kind: "computed", operation, args: values, on, type },
          type,
          problems,
        );
      }
      if (!(error instanceof ValueFault)) throw error;
      const args = { why: error.message, fix: error.fix ?? "change the constants it is made of" };
      return faulty(...problems, diagnose(expressionMessages.impossible, at.span, args));
    }
  }
  return expressionOf({ kind: "computed", operation, args: values, on, type }, type, problems);
}

/** What is made of constants while a program is read, as characters; what takes more is computed in the run. */
const MOST_FOLDED = 131_072;

class TooMuchToFold extends Error {}

/** Refuses what takes more than reading a program may: a text that doubles with each of its operators (18.14). */
function spendLittle(characters: number): void {
  if (characters > MOST_FOLDED) throw new TooMuchToFold();
}

function constant(value: TypedValue): Json | undefined {
  if (value.kind === "lit") return value.value;
  return value.kind === "dec" ? value.text : undefined;
}

/** Shows a part of the program in an error. */
export function shownPart(context: CheckContext, value: Value): string {
  return clip(programText(context, value.span).replaceAll(/\s+/g, " "), 60);
}

/** The error of what stands where true or false is needed. */
export function truthProblem(
  context: CheckContext,
  at: Value,
  found: Expression,
): Diagnostic | null {
  if (found.kind === "boolean" || found.kind === "json" || found.problems.length > 0) return null;
  const shown = shownPart(context, at);
  const args = { found: shown, type: KIND_NAMES[found.kind], form: `${shown} = …` };
  return diagnose(expressionMessages.condition, at.span, args);
}

/** A length of time as the number of its days; months, of which that is not known, are an error (LANG-058). */
export function inDays(at: Value, expression: Expression): Expression {
  if (expression.kind === "months")
    return faulty(...expression.problems, diagnose(expressionMessages.monthsAlone, at.span, {}));
  if (expression.kind !== "duration") return expression;
  return apply(at, "days", [expression], plain({ kind: "number" }));
}

/** The slot of a value no slot says the type of. */
export const ANY_SLOT: ValueSlot = Object.freeze({
  shown: "the value",
  type: JSON_TYPE,
  nullable: true,
  use: "test",
});
