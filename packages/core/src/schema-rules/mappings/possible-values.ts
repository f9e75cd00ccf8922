import type { Expression } from "../../mapping/expression.ts";

/** Whether an expression can give an object: what only a run can tell counts as yes. */
export function mayBeObject(expression: Expression): boolean {
  switch (expression.type) {
    case "object":
    case "var":
    case "call":
      return true;
    case "const":
      return (
        expression.value === null ||
        (typeof expression.value === "object" && !Array.isArray(expression.value))
      );
    case "if":
      return mayBeObject(expression.thenExpr) && mayBeObject(expression.elseExpr);
    case "array":
    case "join":
    case "format":
      return false;
  }
}

/** Whether an expression is a scalar as it stands. */
export function isScalarConst(expression: Expression): boolean {
  const { type } = expression;
  return type === "const" && expression.value !== null && typeof expression.value !== "object";
}
