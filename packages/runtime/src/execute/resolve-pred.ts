import { elementType, type Json, type Pred } from "@plasm/core";
import { pathType } from "../rows/row.ts";
import { hasHole, nullValue } from "./null-value.ts";
import type { PredUse } from "./pred-use.ts";
import { resolveValue } from "./resolve-value.ts";

type Comparison = Extract<Pred, { readonly op: unknown }>;

/** A condition's value: only holes are fitted to the column's type, constants are so already. */
async function conditionValue({ op, path, value }: Comparison, use: PredUse): Promise<Json> {
  const { engine, feed } = use;
  const name = path.join(".");
  const column = pathType(use.cgs, use.entity, path, use.types);
  const type = op === "~" ? elementType(column) : column;
  const filled = await resolveValue(value, {
    engine,
    feed,
    slot: hasHole(value) ? { name, type } : null,
  });
  if (filled !== null || !hasHole(value)) return filled;
  throw nullValue(engine, feed, `the condition on ${name}`, value);
}

/** A predicate whose values are constants: holes filled, relative dates read against the clock (PLAN-063). */
export async function resolvePred(pred: Pred, use: PredUse): Promise<Pred> {
  const all = (parts: readonly Pred[]): Promise<Pred[]> =>
    Promise.all(parts.map((part) => resolvePred(part, use)));
  if ("and" in pred) return { and: await all(pred.and) };
  if ("or" in pred) return { or: await all(pred.or) };
  if ("not" in pred) return { not: await resolvePred(pred.not, use) };
  if ("exists" in pred) return pred;
  return { ...pred, value: { lit: await conditionValue(pred, use) } };
}

/** Whether a predicate compares with constants only. */
export function isConstant(pred: Pred): boolean {
  if ("and" in pred) return pred.and.every(isConstant);
  if ("or" in pred) return pred.or.every(isConstant);
  if ("not" in pred) return isConstant(pred.not);
  return "exists" in pred || "lit" in pred.value;
}
