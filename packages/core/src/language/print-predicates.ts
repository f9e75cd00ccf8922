import type { And, Pred } from "./ast-predicates.ts";
import { joinItems, printList, printPath, printValue } from "./print-values.ts";

/** Conditions with their braces (LANG-015). */
export function printBraces(and: And): string {
  return printItems(and.items);
}

function printItems(items: readonly Pred[]): string {
  return `{${joinItems(items.map(printPred))}}`;
}

function printPred(pred: Pred): string {
  switch (pred.kind) {
    case "And":
      return `all${printItems(pred.items)}`;
    case "Or":
      return `any${printItems(pred.items)}`;
    case "Not":
      return `not${printItems(pred.pred.items)}`;
    case "Exists":
      return `exists(${printPath(pred.path)})`;
    case "Compare":
      return `${printPath(pred.path)}${pred.op}${gap(pred)}${printValue(pred.value)}`;
    case "In":
      return `${printPath(pred.path)} in ${printInSide(pred)}`;
    case "Bad":
      return printValue(pred);
  }
}

/** `<` and `<<` keep apart. */
function gap(pred: Extract<Pred, { kind: "Compare" }>): string {
  return pred.op === "<" && pred.value.kind === "HeredocValue" ? " " : "";
}

function printInSide(pred: Extract<Pred, { kind: "In" }>): string {
  if (pred.list !== undefined) return printList(pred.list);
  if (pred.word === undefined) throw new Error("an In has a list or a word");
  return printValue(pred.word);
}
