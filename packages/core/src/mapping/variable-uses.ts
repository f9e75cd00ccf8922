import type { Condition, Expression } from "./expression.ts";
import type { HttpTemplate, PathSegment, Template } from "./template.ts";

/** One place in a template that reads a variable. */
export interface VariableUse {
  readonly name: string;
  /** `path` is the request's path, `rest` all else (RUN-010). */
  readonly zone: "path" | "rest";
  /** Keys from the template to the use, as the file's long form has them. */
  readonly at: readonly (string | number)[];
  /** True if an `exists` on this very name asks first, or is the use itself (MAP-003). */
  readonly guarded: boolean;
}

type At = VariableUse["at"];

/** Every place in a template that reads a variable, in the order of the formats' keys. */
export function variableUses(template: Template): readonly VariableUse[] {
  switch (template.transport) {
    case "view":
      return [];
    case "evm_call":
      return [
        ...optionalUses(template.contract, ["contract"]),
        ...template.args.flatMap((arg, index) => expressionUses(arg, ["args", index])),
        ...optionalUses(template.block, ["block"]),
      ];
    case "evm_logs":
      return [
        ...optionalUses(template.contract, ["contract"]),
        ...template.topics.flatMap((topic, index) => expressionUses(topic, ["topics", index])),
      ];
    case "http":
    case "graphql":
      return requestUses(template);
  }
}

function requestUses(template: HttpTemplate): readonly VariableUse[] {
  const { multipart, response } = template;
  return [
    ...pathUses(template.path, ["path"], "path"),
    ...optionalUses(template.query, ["query"]),
    ...optionalUses(template.headers, ["headers"]),
    ...optionalUses(template.body, ["body"]),
    ...(multipart ?? []).flatMap((part, index) => {
      const at = ["multipart", "parts", index];
      return [
        ...optionalUses(part.fileName, [...at, "file_name"]),
        ...optionalUses(part.contentType, [...at, "content_type"]),
        ...expressionUses(part.content, [...at, "content"]),
      ];
    }),
    ...responseUses(response),
  ];
}

function responseUses(response: HttpTemplate["response"]): readonly VariableUse[] {
  const { preprocess, auxiliaryMerge } = response;
  const uses: VariableUse[] = [];
  if (preprocess?.kind === "array_find_pluck") {
    const at = ["response", "response_preprocess", "id_var"];
    uses.push({ name: preprocess.idVar, zone: "rest", at, guarded: false });
  }
  if (auxiliaryMerge !== undefined) {
    const at = ["response", "auxiliary_merge"];
    uses.push(
      ...pathUses(auxiliaryMerge.path, [...at, "path"], "rest"),
      ...optionalUses(auxiliaryMerge.query, [...at, "query"]),
      ...optionalUses(auxiliaryMerge.headers, [...at, "headers"]),
    );
  }
  return uses;
}

function pathUses(
  path: readonly PathSegment[],
  at: At,
  zone: VariableUse["zone"],
): readonly VariableUse[] {
  return path.flatMap((segment, index) =>
    segment.type === "var"
      ? [{ name: segment.name, zone, at: [...at, index, "name"], guarded: false }]
      : [],
  );
}

function optionalUses(expression: Expression | undefined, at: At): readonly VariableUse[] {
  return expression === undefined ? [] : expressionUses(expression, at);
}

/** The variables of one expression; `asked` are the names an `exists` around it has asked for. */
export function expressionUses(
  expression: Expression,
  at: At,
  asked: ReadonlySet<string> = new Set(),
): readonly VariableUse[] {
  switch (expression.type) {
    case "var": {
      const { name } = expression;
      return [{ name, zone: "rest", at: [...at, "name"], guarded: asked.has(name) }];
    }
    case "const":
      return [];
    case "object":
      return expression.fields.flatMap(([, value], index) =>
        expressionUses(value, [...at, "fields", index, 1], asked),
      );
    case "array":
      return listUses(expression.elements, [...at, "elements"], asked);
    case "if": {
      const { condition } = expression;
      const then = condition.type === "exists" ? new Set([...asked, condition.name]) : asked;
      return [
        ...conditionUses(condition, [...at, "condition"], asked),
        ...expressionUses(expression.thenExpr, [...at, "then_expr"], then),
        ...expressionUses(expression.elseExpr, [...at, "else_expr"], asked),
      ];
    }
    case "join":
      return expressionUses(expression.expr, [...at, "expr"], asked);
    case "format":
      return [...expression.vars].flatMap(([key, value]) =>
        expressionUses(value, [...at, "vars", key], asked),
      );
    case "call":
      return listUses(expression.args, [...at, "args"], asked);
  }
}

function listUses(
  all: readonly Expression[],
  at: At,
  asked: ReadonlySet<string>,
): readonly VariableUse[] {
  return all.flatMap((each, index) => expressionUses(each, [...at, index], asked));
}

function conditionUses(
  condition: Condition,
  at: At,
  asked: ReadonlySet<string>,
): readonly VariableUse[] {
  switch (condition.type) {
    case "exists":
      return [{ name: condition.name, zone: "rest", at: [...at, "var"], guarded: true }];
    case "equals":
      return [
        ...expressionUses(condition.left, [...at, "left"], asked),
        ...expressionUses(condition.right, [...at, "right"], asked),
      ];
    case "bool":
      return expressionUses(condition.expr, [...at, "expr"], asked);
  }
}
