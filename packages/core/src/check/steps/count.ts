import { diagnose } from "../../diagnostics/messages.ts";
import { stepMessages } from "../../diagnostics/step-messages.ts";
import type { Count, Limit, PageSize } from "../../language/ast-steps.ts";
import type { CheckContext } from "../check-context.ts";
import type { Rows } from "../typed-program.ts";

const MOST = 100_000;

/** `.limit(n)`: the first n rows (LANG-061). */
export function limitRows(context: CheckContext, source: Rows, step: Limit): Rows {
  const n = readCount(context, step.n, "limit");
  if (n === null) return source;
  const card = n === 1 && source.type.card === "many" ? "opt" : source.type.card;
  const type = { ...source.type, card };
  return { kind: "limit", stage: context.stage, span: step.span, type, source, n };
}

/** `.page_size(n)`: all rows, of which a returned node shows n (LANG-061). */
export function pageSizeRows(context: CheckContext, source: Rows, step: PageSize): Rows {
  const n = readCount(context, step.n, "page_size");
  if (n === null) return source;
  const { type } = source;
  return { kind: "page_size", stage: context.stage, span: step.span, type, source, n };
}

/** The number; its range is part of the grammar (LANG-062). Null: missing or in error. */
function readCount(
  context: CheckContext,
  count: Count,
  step: "limit" | "page_size",
): number | null {
  switch (count.kind) {
    case "NumberValue":
      return Number(count.raw);
    case "PlaceholderValue": {
      const args = { raw: count.raw, step, most: MOST };
      context.found.add(diagnose(stepMessages.countPlaceholder, count.span, args));
      return null;
    }
    case "Bad":
      return null;
  }
}
