import type { Condition, Expression, HttpTemplate, RequestTemplate } from "./template.ts";

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

/** An expression of a template with the keys that lead to it, as the file's long form has them. */
export interface PlacedExpression {
  readonly expression: Expression;
  readonly at: readonly (string | number)[];
}

/** The expressions of a template outside its path, in the order of the format's keys. */
export function templateExpressions(template: RequestTemplate): readonly PlacedExpression[] {
  switch (template.transport) {
    case "view":
      return [];
    case "evm_call":
      return [
        { expression: template.contract, at: ["contract"] },
        ...template.args.map((expression, index) => ({ expression, at: ["args", index] })),
        ...placed(template.block, ["block"]),
      ];
    case "evm_logs":
      return [
        { expression: template.contract, at: ["contract"] },
        ...template.topics.map((expression, index) => ({ expression, at: ["topics", index] })),
      ];
    case "http":
    case "graphql":
      return requestExpressions(template);
  }
}

function requestExpressions(template: HttpTemplate): readonly PlacedExpression[] {
  const second = template.response.auxiliaryMerge;
  return [
    ...placed(template.query, ["query"]),
    ...placed(template.headers, ["headers"]),
    ...placed(template.body, ["body"]),
    ...(template.multipart ?? []).flatMap((part, index) => {
      const at = ["multipart", "parts", index];
      return [
        ...placed(part.fileName, [...at, "file_name"]),
        ...placed(part.contentType, [...at, "content_type"]),
        ...placed(part.content, [...at, "content"]),
      ];
    }),
    ...placed(second?.query, ["response", "auxiliary_merge", "query"]),
    ...placed(second?.headers, ["response", "auxiliary_merge", "headers"]),
  ];
}

function placed(
  expression: Expression | undefined,
  at: readonly (string | number)[],
): readonly PlacedExpression[] {
  return expression === undefined ? [] : [{ expression, at }];
}
