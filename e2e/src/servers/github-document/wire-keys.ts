import type { HttpTemplate } from "@plasm/core/internal";

type Expression = NonNullable<HttpTemplate["body"]>;

/** The keys of the object that a template's query or body is; none for other bodies. */
export const keysOf = (expression: Expression | undefined): readonly string[] =>
  expression?.type === "object" ? expression.fields.map(([key]) => key) : [];

function variablesIn(expression: Expression): readonly string[] {
  switch (expression.type) {
    case "var":
      return [expression.name];
    case "const":
      return [];
    case "object":
      return expression.fields.flatMap(([, value]) => variablesIn(value));
    case "array":
      return expression.elements.flatMap(variablesIn);
    case "if":
      return [...variablesIn(expression.thenExpr), ...variablesIn(expression.elseExpr)];
    case "join":
      return variablesIn(expression.expr);
    case "format":
      return [...expression.vars.values()].flatMap(variablesIn);
    case "call":
      return expression.args.flatMap(variablesIn);
  }
}

/** The key under which a query or body sends a slot's value as it is, if one does. */
export function wireKeyOf(expression: Expression | undefined, slot: string): string | undefined {
  if (expression?.type !== "object") return undefined;
  return expression.fields.find(([, value]) => variablesIn(value).includes(slot))?.[0];
}
