import type { Json } from "../values/value-type.ts";
import { evaluate } from "./evaluate-expression.ts";
import { type Evaluation, noteError } from "./evaluation.ts";
import type { Expression } from "./template.ts";
import { describeValue } from "./evaluate-path.ts";
import { expressionUses } from "./variables.ts";

/** A member of a query, header or form object, in template order. */
export interface Member {
  readonly key: string;
  readonly value: Json;
  /** What a message calls it: the variable that gives it, else its key. Only messages ask. */
  readonly cause: () => string;
}

/**
 * The members of an object expression that are something; of one key the last (MAP-013 to MAP-015).
 * Anything but an object is an error under `rule`, and so is an explicit null (MAP-022).
 */
export function evaluateMembers(
  expression: Expression | undefined,
  place: string,
  rule: string,
  evaluation: Evaluation,
): readonly Member[] {
  if (expression === undefined) return [];
  const members = new Map<string, Member>();
  const add = (key: string, value: Json | undefined, cause: () => string): void => {
    if (value === undefined) return;
    if (value !== null) {
      members.set(key, { key, value, cause });
      return;
    }
    const variable = cause();
    const message = `${variable} is null; only a JSON body can hold null.`;
    const at = `${place}.${key}`;
    noteError(evaluation, {
      code: "argument_invalid",
      rule: "MAP-022",
      variable,
      place: at,
      message,
    });
  };
  if (expression.type === "object") {
    for (const [key, member] of expression.fields) {
      const cause = (): string => causeOf(member, key, evaluation);
      add(key, evaluate(member, `${place}.${key}`, evaluation), cause);
    }
    return [...members.values()];
  }
  const value = evaluate(expression, place, evaluation);
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const message = `${place} is ${describeValue(value)}; it must be an object.`;
    noteError(evaluation, { code: "argument_invalid", rule, place, message });
    return [];
  }
  for (const [key, member] of Object.entries(value)) add(key, member as Json, () => key);
  return [...members.values()];
}

/** The variable bound to null that a member reads, else the only one it reads, else its key. */
export function causeOf(expression: Expression, key: string, evaluation: Evaluation): string {
  const names = expressionUses(expression, []).map((use) => use.name);
  const { bindings } = evaluation.environment;
  const isNull = names.find((name) => bindings.get(name) === null);
  return isNull ?? (names.length === 1 ? (names[0] ?? key) : key);
}
