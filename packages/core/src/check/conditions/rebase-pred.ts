import type { Path } from "../../language/ast-names.ts";
import type { And, Pred } from "../../language/ast-predicates.ts";
import { spanIn } from "../../source/source-text.ts";
import type { CheckContext } from "../check-context.ts";

/** Conditions that all hold, `all{…}` taken apart (LANG-051). */
export function writtenConjuncts(pred: Pred): readonly Pred[] {
  return pred.kind === "And" ? pred.items.flatMap(writtenConjuncts) : [pred];
}

/** A condition on `ref.x` as one on `x` of the rows the reference leads to. */
export function rebasedPred(context: CheckContext, pred: Pred): Pred {
  switch (pred.kind) {
    case "And":
      return rebasedAll(context, pred);
    case "Or":
      return { ...pred, items: pred.items.map((item) => rebasedPred(context, item)) };
    case "Not":
      return { ...pred, pred: rebasedAll(context, pred.pred) };
    case "Exists":
    case "Compare":
    case "In":
      return { ...pred, path: rebasedPath(context, pred.path) };
    case "Bad":
      return pred;
  }
}

function rebasedAll(context: CheckContext, pred: And): And {
  return { ...pred, items: pred.items.map((item) => rebasedPred(context, item)) };
}

function rebasedPath(context: CheckContext, path: Path): Path {
  const [, next, ...rest] = path.segments;
  if (next === undefined) throw new Error("A path behind a reference has a second segment.");
  const span = spanIn(context.source, next.span.start, path.span.end);
  return { kind: "Path", segments: [next, ...rest], span };
}
