import type { Pred } from "../value.ts";
import { showValue, type ValueStyle } from "./show-value.ts";

/** The conditions that all hold, one text each: `built < 2015-01-01`. */
export function showConditions(pred: Pred | null, style: ValueStyle): readonly string[] {
  if (pred === null) return [];
  return "and" in pred ? pred.and.map((item) => showPred(item, style)) : [showPred(pred, style)];
}

/** A condition in the words of the language, with blanks around the operator. */
function showPred(pred: Pred, style: ValueStyle): string {
  if ("and" in pred) return group("all", pred.and, style);
  if ("or" in pred) return group("any", pred.or, style);
  if ("not" in pred) return group("not", [pred.not], style);
  if ("exists" in pred) return `exists(${pred.exists.join(".")})`;
  return `${pred.path.join(".")} ${pred.op} ${showValue(pred.value, style)}`;
}

function group(word: string, items: readonly Pred[], style: ValueStyle): string {
  return `${word}{${items.map((item) => showPred(item, style)).join(", ")}}`;
}
