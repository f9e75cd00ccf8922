import type { TypedPred } from "../../check/typed-program.ts";
import { canonicalJson } from "../../hash/canonical-json.ts";
import { compareCodePoints } from "../../text/compare-code-points.ts";
import type { Pred } from "../value.ts";
import { planValue, type ValueLowering, valueInputs } from "./plan-value.ts";

/**
 * Conditions in normal form (PLAN-003): flattened, deduplicated, sorted by canonical text, double
 * negation removed. Null if there are none.
 */
export function planPred(lowering: ValueLowering, preds: readonly TypedPred[]): Pred | null {
  const items = preds.map((pred) => lowered(lowering, pred));
  const whole = group(
    "and",
    items.filter((item) => item !== null),
  );
  return "and" in whole && whole.and.length === 0 ? null : whole;
}

function lowered(lowering: ValueLowering, pred: TypedPred): Pred | null {
  switch (pred.kind) {
    case "and":
      return planPred(lowering, pred.items);
    case "or": {
      const items = pred.items.map((item) => lowered(lowering, item) ?? { and: [] });
      return group("or", items);
    }
    case "not": {
      const inner = lowered(lowering, pred.pred) ?? { and: [] };
      return "not" in inner ? inner.not : { not: inner };
    }
    case "exists":
      return { exists: pred.path };
    case "condition": {
      if (pred.tested === null) throw new Error("A condition without column is not tested.");
      return { op: pred.op, path: pred.path, value: planValue(lowering, pred.tested) };
    }
    case "bad":
      throw new Error("A condition in error has no plan.");
  }
}

/** One group of conditions: nested groups of its kind flattened, equal ones once, a single one bare. */
function group(kind: "and" | "or", items: readonly Pred[]): Pred {
  const flat = items.flatMap((item) => {
    if (kind === "and" && "and" in item) return item.and;
    return kind === "or" && "or" in item ? item.or : [item];
  });
  const byText = new Map(flat.map((item) => [canonicalJson(item), item]));
  const sorted = [...byText]
    .toSorted(([a], [b]) => compareCodePoints(a, b))
    .map(([, item]) => item);
  const [only] = sorted;
  if (only !== undefined && sorted.length === 1) return only;
  return kind === "and" ? { and: sorted } : { or: sorted };
}

/** The ids of nodes a condition's values are filled from. */
export function predInputs(pred: Pred | null): readonly string[] {
  if (pred === null) return [];
  if ("and" in pred) return pred.and.flatMap(predInputs);
  if ("or" in pred) return pred.or.flatMap(predInputs);
  if ("not" in pred) return predInputs(pred.not);
  return "exists" in pred ? [] : valueInputs(pred.value);
}

/** The paths a condition reads. */
export function predPaths(pred: Pred | null): readonly (readonly string[])[] {
  if (pred === null) return [];
  if ("and" in pred) return pred.and.flatMap(predPaths);
  if ("or" in pred) return pred.or.flatMap(predPaths);
  if ("not" in pred) return predPaths(pred.not);
  return ["exists" in pred ? pred.exists : pred.path];
}
