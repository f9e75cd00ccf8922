import { nameList } from "../../diagnostics/nearest-name.ts";
import type { KeyPath } from "../../load/key-path.ts";
import { nearestText } from "../../load/nearest-text.ts";
import type { Expression } from "../../mapping/expression.ts";
import { formatParts } from "../../mapping/format-parts.ts";
import { templateExpressions } from "../../mapping/template-expressions.ts";
import { visitExpression } from "../../mapping/visit-expression.ts";
import { choice } from "../part-view.ts";
import type { Rule, RuleContext } from "../rule.ts";

const MAX_DEPTH = 64;
const CORE_TYPES = ["var", "const", "object", "array", "if", "join", "format", "call"];

/** MAP-005: depth; MAP-020: called functions are registered; MAP-021: format texts are sound. */
export const expressionsRule: Rule = (context) => {
  const { catalog, inMappings } = context;
  for (const [name, template] of catalog.cml) {
    for (const { expression, at } of templateExpressions(template)) {
      visitExpression(expression, [name, ...at], (each, place) => {
        if (place.depth === MAX_DEPTH + 1) {
          inMappings.atValue(place.at, "MAP005", "deep", { allowed: MAX_DEPTH });
        }
        if (each.type === "call") checkCall(context, each.function, place.at);
        if (each.type === "format") checkFormat(context, each, place.at);
      });
    }
  }
};

function checkCall({ functions, inMappings }: RuleContext, found: string, at: KeyPath): void {
  if (functions.includes(found)) return;
  inMappings.atValue([...at, "function"], "MAP020", "function", {
    found,
    nearest: nearestText(found, functions),
    allowed: CORE_TYPES.join(", "),
    functions: nameList(functions, found) || "none",
  });
}

function checkFormat(
  { inMappings }: RuleContext,
  expression: Extract<Expression, { readonly type: "format" }>,
  at: KeyPath,
): void {
  const vars = [...expression.vars.keys()];
  const path = [...at, "template"];
  const parsed = formatParts(expression.template);
  if ("problem" in parsed) {
    const { allowed } = choice("", vars);
    inMappings.atValue(path, "MAP021", "brace", { found: parsed.problem, allowed });
    return;
  }
  const named = [...new Set(parsed.parts.flatMap((part) => ("name" in part ? [part.name] : [])))];
  for (const found of named) {
    if (vars.includes(found)) continue;
    inMappings.atValue(path, "MAP021", "missing", { found, ...choice(found, vars) });
  }
  for (const found of vars) {
    if (named.includes(found)) continue;
    const { allowed } = choice(found, named);
    inMappings.atKey([...at, "vars", found], "MAP021", "unused", { found, allowed });
  }
}
