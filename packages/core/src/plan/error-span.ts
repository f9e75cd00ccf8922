import { heredocOffsets, indexHeredocLines, scanHeredoc } from "../language/grammar/strings.ts";
import { sourceText, spanIn } from "../base/source.ts";
import type { Span, TextRange } from "../base/span.ts";
import { placeAsWritten } from "../templates/template-reads.ts";
import type { Plan } from "./ir.ts";

/**
 * Where in the program an error of a run belongs (ERR-002): the expression that made the node, or, of
 * `within`, a stretch of a node's template, that stretch as written. Null if the plan has no such node.
 */
export function errorSpan(plan: Plan, id: string, within: TextRange | null): Span | null {
  const span = plan.summary.nodes[id]?.span ?? null;
  const node = plan.nodes.find((each) => each.id === id);
  if (within === null || span === null || node?.kind !== "compute" || !("render" in node.op)) {
    return span;
  }
  const source = sourceText(plan.source);
  const heredoc = scanHeredoc(source.text, span.start, indexHeredocLines(source.text));
  if (heredoc.type !== "heredoc") return span;
  const offset = heredocOffsets(source.text, span.start, heredoc.body);
  const { start, end } = placeAsWritten(heredoc.body, node.op.render.text, within);
  return spanIn(source, offset(start), offset(end));
}
