import type { Condition, Expression } from "../../mapping/expression.ts";
import type { ConditionDoc, ExpressionDoc } from "../format/expression-shape.ts";
import { nodeToJson } from "../yaml/node-to-json.ts";
import { mapValues } from "./given.ts";

export function buildExpression(doc: ExpressionDoc): Expression {
  switch (doc.type) {
    case "var":
      return doc;
    case "const":
      return { type: doc.type, value: nodeToJson(doc.value) };
    case "object":
      return {
        type: doc.type,
        fields: doc.fields.map(([key, value]) => [key, buildExpression(value)] as const),
      };
    case "array":
      return { type: doc.type, elements: doc.elements.map(buildExpression) };
    case "if":
      return {
        type: doc.type,
        condition: buildCondition(doc.condition),
        thenExpr: buildExpression(doc.then_expr),
        elseExpr: buildExpression(doc.else_expr),
      };
    case "join":
      return { type: doc.type, sep: doc.sep, expr: buildExpression(doc.expr) };
    case "format":
      return {
        type: doc.type,
        template: doc.template,
        vars: mapValues(doc.vars, (value) => buildExpression(value)),
      };
    case "call":
      return { type: doc.type, function: doc.function, args: doc.args.map(buildExpression) };
  }
}

function buildCondition(doc: ConditionDoc): Condition {
  switch (doc.type) {
    case "exists":
      return { type: doc.type, name: doc.var };
    case "equals":
      return {
        type: doc.type,
        left: buildExpression(doc.left),
        right: buildExpression(doc.right),
      };
    case "bool":
      return { type: doc.type, expr: buildExpression(doc.expr) };
  }
}
