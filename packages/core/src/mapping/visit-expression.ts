import type { Condition, Expression } from "./expression.ts";

/** Where the visited expression stands, and which names an `exists` around it has asked for. */
export interface VisitPlace {
  readonly at: readonly (string | number)[];
  /** expressions above and including this one, 1 for the root (MAP-005) */
  readonly depth: number;
  readonly asked: ReadonlySet<string>;
}

type Visit = (expression: Expression, place: VisitPlace) => void;
type VisitExists = (name: string, place: VisitPlace) => void;

/** Calls `visit` for an expression and all inside it, and `exists` for the names conditions ask for. */
export function visitExpression(
  expression: Expression,
  at: readonly (string | number)[],
  visit: Visit,
  exists: VisitExists = () => undefined,
): void {
  walk(expression, { at, depth: 1, asked: new Set() }, visit, exists);
}

function walk(expression: Expression, place: VisitPlace, visit: Visit, exists: VisitExists): void {
  visit(expression, place);
  const into = (inner: Expression, keys: VisitPlace["at"], asked = place.asked): void =>
    walk(inner, { at: [...place.at, ...keys], depth: place.depth + 1, asked }, visit, exists);
  switch (expression.type) {
    case "var":
    case "const":
      return;
    case "object":
      expression.fields.forEach(([, value], index) => into(value, ["fields", index, 1]));
      return;
    case "array":
      expression.elements.forEach((element, index) => into(element, ["elements", index]));
      return;
    case "if": {
      const { condition } = expression;
      const then =
        condition.type === "exists" ? new Set([...place.asked, condition.name]) : undefined;
      walkCondition(condition, place, into, exists);
      into(expression.thenExpr, ["then_expr"], then);
      into(expression.elseExpr, ["else_expr"]);
      return;
    }
    case "join":
      into(expression.expr, ["expr"]);
      return;
    case "format":
      for (const [key, value] of expression.vars) into(value, ["vars", key]);
      return;
    case "call":
      expression.args.forEach((arg, index) => into(arg, ["args", index]));
  }
}

function walkCondition(
  condition: Condition,
  place: VisitPlace,
  into: (inner: Expression, keys: VisitPlace["at"]) => void,
  exists: VisitExists,
): void {
  switch (condition.type) {
    case "exists":
      exists(condition.name, { ...place, at: [...place.at, "condition", "var"] });
      return;
    case "equals":
      into(condition.left, ["condition", "left"]);
      into(condition.right, ["condition", "right"]);
      return;
    case "bool":
      into(condition.expr, ["condition", "expr"]);
  }
}
