import type { Catalog } from "../../mapping/catalog.ts";
import type { Capability } from "../../schema/capability.ts";
import type { PreflightStep } from "../../schema/preflight.ts";
import type { Figure } from "../plan.ts";
import type { PlanValue } from "../value.ts";
import { callCost, hasSecondRead } from "./call-cost.ts";
import { plus, ZERO } from "./figure.ts";

type Args = Readonly<Record<string, PlanValue>>;

/** What one effect sends: itself, and the reads that are made before it (PLAN-020, RUN-104). */
export function effectCost(catalog: Catalog, capability: Capability, args: Args): Figure {
  const own: Figure = { exact: hasSecondRead(catalog, capability.name) ? 2 : 1 };
  return capability.preflight
    .map((step) => preflightCost(catalog, step, args))
    .reduce((sum, cost) => plus(sum, cost), own);
}

function preflightCost(catalog: Catalog, step: PreflightStep, args: Args): Figure {
  const get = (name: string): Figure => callCost(catalog, name).requests;
  switch (step.kind) {
    case "hydrate_invoke_target":
      return get(step.get);
    case "hydrate_entity_ref_param":
      return isGiven(args, step.param) ? get(step.get) : ZERO;
    case "query_pick":
      return step.when === undefined || isGiven(args, step.when) ? LOOK_UP : ZERO;
    case "label_ids_delta":
      return isGiven(args, step.addWhen) || isGiven(args, step.removeWhen) ? LOOK_UP : ZERO;
  }
}

const LOOK_UP: Figure = { unknown: "a look-up before it" };

function isGiven(args: Args, name: string): boolean {
  return Object.hasOwn(args, name);
}
