import type { Condition, Expression } from "./expression.ts";
import type { HttpTemplate, Template } from "./template.ts";

/** The variables of a template's path, in order, each once; transports without path have none. */
export function pathVariables(template: Template): readonly string[] {
  if (template.transport !== "http" && template.transport !== "graphql") return [];
  const names = template.path.flatMap((part) => (part.type === "var" ? [part.name] : []));
  return [...new Set(names)];
}

/** The variables an expression reads, `exists` guards included. */
export function expressionVariables(expression: Expression): ReadonlySet<string> {
  const found = new Set<string>();
  visitExpression(expression, (name) => found.add(name));
  return found;
}

/** The expressions of a template outside its path. */
export function restExpressions(template: Template): readonly Expression[] {
  switch (template.transport) {
    case "http":
    case "graphql":
      return httpExpressions(template);
    case "evm_call":
      return [template.contract, ...template.args, ...(template.block ? [template.block] : [])];
    case "evm_logs":
      return [template.contract, ...template.topics];
    case "view":
      return [];
  }
}

function httpExpressions(template: HttpTemplate): readonly Expression[] {
  const parts = (template.multipart ?? []).flatMap((part) => [
    part.content,
    part.fileName,
    part.contentType,
  ]);
  const second = template.response.auxiliaryMerge;
  const all = [
    template.query,
    template.headers,
    template.body,
    ...parts,
    second?.query,
    second?.headers,
  ];
  return all.filter((expression) => expression !== undefined);
}

/** Whether an expression calls a registered function, which reads the whole environment. */
export function callsFunction(expression: Expression): boolean {
  let called = false;
  visitExpression(
    expression,
    () => undefined,
    () => (called = true),
  );
  return called;
}

function visitExpression(
  expression: Expression,
  variable: (name: string) => void,
  call: () => void = () => undefined,
): void {
  const visit = (inner: Expression): void => visitExpression(inner, variable, call);
  switch (expression.type) {
    case "var":
      variable(expression.name);
      return;
    case "const":
      return;
    case "object":
      for (const [, value] of expression.fields) visit(value);
      return;
    case "array":
      expression.elements.forEach(visit);
      return;
    case "if":
      visitCondition(expression.condition, variable, visit);
      visit(expression.thenExpr);
      visit(expression.elseExpr);
      return;
    case "join":
      visit(expression.expr);
      return;
    case "format":
      for (const value of expression.vars.values()) visit(value);
      return;
    case "call":
      call();
      expression.args.forEach(visit);
  }
}

function visitCondition(
  condition: Condition,
  variable: (name: string) => void,
  visit: (expression: Expression) => void,
): void {
  switch (condition.type) {
    case "exists":
      variable(condition.name);
      return;
    case "equals":
      visit(condition.left);
      visit(condition.right);
      return;
    case "bool":
      visit(condition.expr);
  }
}
