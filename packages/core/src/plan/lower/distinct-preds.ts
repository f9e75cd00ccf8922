import type { TypedPred, TypedValue } from "../../check/typed-program.ts";
import { canonicalJson } from "../../base/canonical-json.ts";
import { compareCodePoints } from "../../base/text.ts";
import type { Lowering } from "./lowering.ts";
import { isUnknown, planValue } from "./plan-value.ts";

/** Conditions that all hold, equal ones once and in the order of their text (PLAN-003). */
export function distinctPreds(
  lowering: Lowering,
  preds: readonly TypedPred[],
): readonly TypedPred[] {
  const byText = new Map(preds.map((pred) => [predText(lowering, pred), pred]));
  return [...byText].toSorted(([a], [b]) => compareCodePoints(a, b)).map(([, pred]) => pred);
}

function predText(lowering: Lowering, pred: TypedPred): string {
  switch (pred.kind) {
    case "and":
    case "or":
      return `${pred.kind}(${pred.items.map((item) => predText(lowering, item)).join()})`;
    case "not":
      return `not(${predText(lowering, pred.pred)})`;
    case "exists":
      return canonicalJson({ exists: pred.path });
    case "bad":
      return "bad";
    case "test":
      return canonicalJson({ test: valueText(lowering, pred.value) });
    case "condition": {
      const value = pred.tested ?? [...pred.sendable.values()][0]?.value ?? null;
      return canonicalJson([pred.path, pred.op, valueText(lowering, value)]);
    }
  }
}

function valueText(lowering: Lowering, value: TypedValue | null): string {
  if (value === null || isUnknown(value)) return "";
  return canonicalJson(planValue(lowering, value));
}
