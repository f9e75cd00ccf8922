import { ALL_FEATURES } from "../../src/policy/policy.ts";
import type { Plan } from "../../src/plan/ir.ts";
import { type Pieces, spell } from "../arbitrary-program.ts";
import { quayExposure } from "../fixture-exposure.ts";
import { planOf } from "../plan-of.ts";

const KEPT = 20_000;
const kept = new Map<string, Plan>();

/** The plan of a program over quay; made once, as the arbitraries often draw the same program again. */
export function keptPlan(text: string): Plan {
  const known = kept.get(text);
  if (known !== undefined) return known;
  if (kept.size >= KEPT) kept.clear();
  const plan = freshPlan(text);
  kept.set(text, plan);
  return plan;
}

/** The plan of a program over quay, with effects. */
export const freshPlan = (text: string): Plan =>
  planOf(text, quayExposure, { features: ALL_FEATURES });

const never = (): boolean => false;

/** Pieces spelled with wire names. */
export const plain = (pieces: Pieces): string => spell(pieces, quayExposure, never);
