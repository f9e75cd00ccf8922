import type { JsonObject } from "../../values/value-type.ts";
import type { TemplateLimits } from "../evaluate/run.ts";
import { evaluateTemplate } from "../evaluate/evaluate-template.ts";
import { parseTemplate } from "../parse/parse-template.ts";

export const CATALOG_LIMITS: TemplateLimits = { steps: 100_000, output: 262_144 };

/** What became of a template: its output, or the words of it that are at fault and why. */
export type Rendered =
  | { readonly text: string }
  | { readonly problem: string; readonly at: string }
  | { readonly failure: string; readonly at: string };

/** Reads and evaluates a template. */
export function render(
  template: string,
  bindings: JsonObject = {},
  limits: TemplateLimits = CATALOG_LIMITS,
): Rendered {
  const { template: tree, problems } = parseTemplate(template);
  const [problem] = problems;
  if (tree === null || problem !== undefined) {
    const { message = "", start = 0, end = 0 } = problem ?? {};
    return { problem: message, at: template.slice(start, end) };
  }
  const outcome = evaluateTemplate(tree, bindings, limits);
  if (outcome.ok) return { text: outcome.text };
  return { failure: outcome.message, at: template.slice(outcome.start, outcome.end) };
}
