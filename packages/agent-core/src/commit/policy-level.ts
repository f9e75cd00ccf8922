import { demandsOperator, type Exposure, type Plan } from "@plasm/core";
import type { PolicyLevel } from "./gate-rows.ts";

type PlannedEffect = Plan["summary"]["effects"][number];

type Judged = Pick<Exposure, "policy" | "catalogs">;

function isOperators({ policy, catalogs }: Judged, effect: PlannedEffect): boolean {
  const capability = catalogs.get(effect.catalog)?.cgs.capabilities.get(effect.capability);
  if (capability === undefined) throw new Error("A plan has an effect of no capability");
  return demandsOperator(policy, effect.catalog, capability);
}

/** The effects of a plan that an operator must approve by the policy as it is now (OPS-36). */
const operatorsEffects = (plan: Plan, judged: Judged): readonly PlannedEffect[] =>
  plan.summary.effects.filter((effect) => isOperators(judged, effect));

/** Who lets a plan run (PLAN-030). */
export const levelOf = (plan: Plan, judged: Judged): PolicyLevel =>
  operatorsEffects(plan, judged).length > 0 ? "operator" : "agent";
