import type { Expression } from "./expression.ts";
import type { HttpTemplate, Template } from "./template.ts";

/** An expression of a template with the keys that lead to it, as the file's long form has them. */
export interface PlacedExpression {
  readonly expression: Expression;
  readonly at: readonly (string | number)[];
}

/** The expressions of a template outside its path, in the order of the format's keys. */
export function templateExpressions(template: Template): readonly PlacedExpression[] {
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
