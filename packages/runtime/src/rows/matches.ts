import { type Cgs, type Json, type PlanValue, type Pred, testValue } from "@plasm/core";
import { pathType, readCell, type Row } from "./row.ts";

/** What a predicate is tested against. */
export interface TestScope {
  readonly cgs: Cgs | null;
  /** the entity whose types the paths have; null for rows of no entity */
  readonly entity: string | null;
}

/** The constant of a condition; holes are filled before the first row is tested (PLAN-064). */
function constant(value: PlanValue): Json {
  if ("lit" in value) return value.lit;
  throw new Error("a condition is tested before its value is known");
}

/** Tests a predicate on a row; logic is two-valued (RUN-113, LANG-051). */
export function matches(pred: Pred, row: Row, scope: TestScope): boolean {
  if ("and" in pred) return pred.and.every((part) => matches(part, row, scope));
  if ("or" in pred) return pred.or.some((part) => matches(part, row, scope));
  if ("not" in pred) return !matches(pred.not, row, scope);
  if ("exists" in pred) return (readCell(scope.cgs, row, pred.exists) ?? null) !== null;
  const type = pathType(scope.cgs, scope.entity, pred.path, row.types);
  return testValue(readCell(scope.cgs, row, pred.path), pred.op, constant(pred.value), type);
}

/** The paths a predicate reads, each once. */
export function predPaths(pred: Pred): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  const visit = (part: Pred): void => {
    if ("and" in part) part.and.forEach(visit);
    else if ("or" in part) part.or.forEach(visit);
    else if ("not" in part) visit(part.not);
    else {
      const path = "exists" in part ? part.exists : part.path;
      found.set(path.join("\0"), path);
    }
  };
  visit(pred);
  return [...found.values()];
}
