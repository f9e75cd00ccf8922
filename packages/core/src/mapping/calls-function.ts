import type { Template } from "./template.ts";
import { templateExpressions } from "./template-expressions.ts";
import { visitExpression } from "./visit-expression.ts";

/** Whether a template calls a registered function, which may read the whole environment (RUN-105). */
export function callsFunction(template: Template): boolean {
  let called = false;
  for (const { expression, at } of templateExpressions(template)) {
    visitExpression(expression, at, (each) => {
      if (each.type === "call") called = true;
    });
  }
  return called;
}
