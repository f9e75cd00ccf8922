import type { Expression } from "./expression.ts";
import type { PathSegment, Template } from "./template.ts";
import { templateExpressions } from "./template-expressions.ts";
import { visitExpression } from "./visit-expression.ts";

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

/** Every place in a template that reads a variable, path first. */
export function variableUses(template: Template): readonly VariableUse[] {
  const uses = templateExpressions(template).flatMap(({ expression, at }) =>
    expressionUses(expression, at),
  );
  if (template.transport === "evm_logs") return [...uses, ...BLOCK_USES];
  if (template.transport !== "http" && template.transport !== "graphql") return uses;
  const { preprocess, auxiliaryMerge } = template.response;
  const second = ["response", "auxiliary_merge", "path"];
  return [
    ...pathUses(template.path, ["path"], "path"),
    ...uses,
    ...pathUses(auxiliaryMerge?.path ?? [], second, "rest"),
    ...(preprocess?.kind === "array_find_pluck" ? [pluckUse(preprocess.idVar)] : []),
  ];
}

/** The blocks that a log query reads from and to, where the caller names them (RUN-075). */
const BLOCK_USES: readonly VariableUse[] = ["from_block", "to_block"].map((name) => ({
  name,
  zone: "rest",
  at: ["pagination"],
  guarded: true,
}));

/** The variables of one expression. */
export function expressionUses(
  expression: Expression,
  at: VariableUse["at"],
): readonly VariableUse[] {
  const uses: VariableUse[] = [];
  visitExpression(
    expression,
    at,
    (each, place) => {
      if (each.type !== "var") return;
      const { name } = each;
      uses.push({ name, zone: "rest", at: [...place.at, "name"], guarded: place.asked.has(name) });
    },
    (name, place) => uses.push({ name, zone: "rest", at: place.at, guarded: true }),
  );
  return uses;
}

function pathUses(
  path: readonly PathSegment[],
  at: VariableUse["at"],
  zone: VariableUse["zone"],
): readonly VariableUse[] {
  return path.flatMap((segment, index) =>
    segment.type === "var"
      ? [{ name: segment.name, zone, at: [...at, index, "name"], guarded: false }]
      : [],
  );
}

function pluckUse(name: string): VariableUse {
  const at = ["response", "response_preprocess", "id_var"];
  return { name, zone: "rest", at, guarded: false };
}
