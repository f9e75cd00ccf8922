import { canonicalJson } from "../base/canonical-json.ts";
import type { Json } from "../values/value-type.ts";
import { describeValue, scalarText } from "./evaluate-path.ts";
import { type Evaluation, type EvaluationEnvironment, noteError } from "./evaluation.ts";
import type { Condition, Expression, MappingResult, RequestTemplate } from "./template.ts";
import { type PlacedExpression, templateExpressions, visitExpression } from "./visit-expression.ts";

/** A piece of a `format` template: text as it stands, or a variable in braces. */
type FormatPart = { readonly text: string } | { readonly name: string };

/**
 * The pieces of a `format` template, or what is wrong with it (MAP-021). A `}` without `{` is text.
 */
export function formatParts(
  template: string,
):
  | { readonly parts: readonly FormatPart[] }
  | { readonly problem: "unclosed" | "empty"; readonly at: number } {
  const parts: FormatPart[] = [];
  let from = 0;
  for (;;) {
    const open = template.indexOf("{", from);
    if (open === -1) break;
    const close = template.indexOf("}", open);
    if (close === -1) return { problem: "unclosed", at: open };
    const name = template.slice(open + 1, close);
    if (name.trim() === "") return { problem: "empty", at: open };
    if (open > from) parts.push({ text: template.slice(from, open) });
    parts.push({ name });
    from = close + 1;
  }
  if (from < template.length) parts.push({ text: template.slice(from) });
  return { parts };
}

/**
 * The value of an expression, or undefined for nothing (mapping format, section 2). Errors are
 * collected in the evaluation; an expression in error gives nothing.
 */
export function evaluate(
  expression: Expression,
  place: string,
  evaluation: Evaluation,
): Json | undefined {
  switch (expression.type) {
    case "var":
      return evaluateVariable(expression.name, place, evaluation);
    case "const":
      return expression.value === null ? undefined : expression.value;
    case "object":
      return evaluateObject(expression.fields, place, evaluation);
    case "array":
      return evaluateArray(expression.elements, place, evaluation);
    case "if":
      return holds(expression.condition, place, evaluation)
        ? evaluate(expression.thenExpr, place, evaluation)
        : evaluate(expression.elseExpr, place, evaluation);
    case "join":
      return evaluateJoin(expression.sep, expression.expr, place, evaluation);
    case "format":
      return evaluateFormat(expression.template, expression.vars, place, evaluation);
    case "call":
      return evaluateCall(expression.function, expression.args, place, evaluation);
  }
}

function evaluateVariable(name: string, place: string, evaluation: Evaluation): Json | undefined {
  const { bindings, optional } = evaluation.environment;
  const value = bindings.get(name);
  if (value !== undefined || optional.has(name)) return value;
  return noteError(evaluation, {
    code: "argument_missing",
    rule: "MAP-003",
    variable: name,
    place,
    message: `${name} is not bound, and no optional parameter has that name.`,
  });
}

function evaluateObject(
  fields: readonly (readonly [string, Expression])[],
  place: string,
  evaluation: Evaluation,
): Json {
  const members: [string, Json][] = [];
  for (const [key, expression] of fields) {
    const value = evaluate(expression, `${place}.${key}`, evaluation);
    if (value !== undefined) members.push([key, value]);
  }
  return Object.fromEntries(members);
}

function evaluateArray(
  elements: readonly Expression[],
  place: string,
  evaluation: Evaluation,
): Json {
  return elements.flatMap((element, at) => {
    if (element.type === "const" && element.value === null) return [null];
    const value = evaluate(element, `${place}[${at}]`, evaluation);
    return value === undefined ? [] : [value];
  });
}

function evaluateJoin(
  sep: string,
  expression: Expression,
  place: string,
  evaluation: Evaluation,
): Json | undefined {
  const value = evaluate(expression, place, evaluation);
  if (!Array.isArray(value)) {
    if (typeof value !== "object" || value === null) return value;
    return refuseJoin(value, place, evaluation);
  }
  const texts: string[] = [];
  for (const item of value as readonly Json[]) {
    const text = scalarText(item);
    if (text === undefined) return refuseJoin(item, place, evaluation);
    texts.push(text);
  }
  const torn = SEPARATORS.has(sep) ? texts.find((text) => text.includes(sep)) : undefined;
  if (torn === undefined) return texts.join(sep);
  const name = expression.type === "var" ? expression.name : "a list";
  const message = `${name} has ${JSON.stringify(torn)} in it, and its values are separated by "${sep}": it would be sent as other values.`;
  const variable = expression.type === "var" ? { variable: expression.name } : {};
  return noteError(evaluation, {
    code: "argument_invalid",
    rule: "MAP-020",
    place,
    message,
    ...variable,
  });
}

/** What separates values, and hardly stands in one; a space is as often part of a text. */
const SEPARATORS: ReadonlySet<string> = new Set([",", "|"]);

function refuseJoin(value: Json, place: string, evaluation: Evaluation): undefined {
  const found = describeValue(value);
  const message = `join found ${found}; it takes a scalar, or a list of strings, numbers and booleans.`;
  return noteError(evaluation, { code: "argument_invalid", rule: "MAP-020", place, message });
}

function evaluateFormat(
  template: string,
  vars: ReadonlyMap<string, Expression>,
  place: string,
  evaluation: Evaluation,
): Json | undefined {
  const parsed = formatParts(template);
  if ("problem" in parsed) {
    return refuseFormat(`has an ${parsed.problem} brace`, place, evaluation);
  }
  const texts: string[] = [];
  for (const part of parsed.parts) {
    if ("text" in part) {
      texts.push(part.text);
      continue;
    }
    const expression = vars.get(part.name);
    const value = expression && evaluate(expression, place, evaluation);
    if (value === undefined) {
      return refuseFormat(`needs ${part.name}, which has no value`, place, evaluation);
    }
    texts.push(scalarText(value) ?? JSON.stringify(value));
  }
  return texts.join("");
}

function refuseFormat(what: string, place: string, evaluation: Evaluation): undefined {
  const error = { code: "argument_invalid", rule: "MAP-021", place } as const;
  return noteError(evaluation, { ...error, message: `The format text ${what}.` });
}

function evaluateCall(
  name: string,
  args: readonly Expression[],
  place: string,
  evaluation: Evaluation,
): Json | undefined {
  const { functions, bindings } = evaluation.environment;
  const values = args.map((arg, at) => evaluate(arg, `${place}[${at}]`, evaluation));
  const result = functions.get(name)?.(values, bindings) ?? {
    error: `no function ${name} is registered`,
  };
  if ("value" in result) return result.value;
  const message = `${name}: ${result.error}.`;
  return noteError(evaluation, { code: "argument_invalid", rule: "RUN-105", place, message });
}

function holds(condition: Condition, place: string, evaluation: Evaluation): boolean {
  switch (condition.type) {
    case "exists":
      return evaluation.environment.bindings.has(condition.name);
    case "equals":
      return sameValue(
        evaluate(condition.left, place, evaluation),
        evaluate(condition.right, place, evaluation),
      );
    case "bool": {
      const value = evaluate(condition.expr, place, evaluation);
      if (value === undefined || typeof value === "boolean") return value === true;
      const message = `The condition found ${describeValue(value)}; it takes true, false or nothing.`;
      noteError(evaluation, { code: "argument_invalid", rule: "MAP-020", place, message });
      return false;
    }
  }
}

/** Same type and value (mapping format, section 2); two nothings are the same. */
function sameValue(left: Json | undefined, right: Json | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (typeof left !== "object" || typeof right !== "object") return left === right;
  return canonicalJson(left) === canonicalJson(right);
}

/**
 * The values of a template's expressions in order, undefined for nothing, or all that keeps them from being
 * had: what transports without a request of their own shape send (mapping format, section 5).
 */
export function evaluateValues(
  expressions: readonly PlacedExpression[],
  environment: EvaluationEnvironment,
): MappingResult<readonly (Json | undefined)[]> {
  const evaluation: Evaluation = { environment, errors: [] };
  const value = expressions.map(({ expression, at }) =>
    evaluate(expression, at.join("."), evaluation),
  );
  const { errors } = evaluation;
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value };
}

/** Whether a template calls a registered function, which may read the whole environment (RUN-105). */
export function callsFunction(template: RequestTemplate): boolean {
  let called = false;
  for (const { expression, at } of templateExpressions(template)) {
    visitExpression(expression, at, (each) => {
      if (each.type === "call") called = true;
    });
  }
  return called;
}
