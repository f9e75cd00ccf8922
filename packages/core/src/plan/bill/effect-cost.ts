import type { Catalog } from "../../mapping/catalog.ts";
import { preflightRead } from "../../mapping/preflight-names.ts";
import type { Capability } from "../../schema/capability.ts";
import type { PreflightStep } from "../../schema/preflight.ts";
import type { Figure } from "../plan.ts";
import type { PlanValue } from "../value.ts";
import { callCost } from "./call-cost.ts";
import { atMost, ONE, plus } from "./figure.ts";

type Args = Readonly<Record<string, PlanValue>>;

/**
 * What one effect sends: itself, and the reads that are made before it (PLAN-020, RUN-104). `known` tells
 * of capabilities by which the same stage reads, too: an equal request would not be sent again (RUN-023).
 */
export function effectCost(
  catalog: Catalog,
  capability: Capability,
  args: Args,
  known: (capability: string) => boolean,
): Figure {
  const reads = readsMade(capability, args);
  const names = reads.map(({ by }) => by);
  const repeats = (name: string, at: number): boolean => known(name) || names.indexOf(name) < at;
  return reads.reduce<Figure>((sum, { step, by }, at) => {
    const cost = preflightCost(catalog, step, by);
    return plus(sum, repeats(by, at) ? atMost(cost) : cost);
  }, ONE);
}

/** The reads before an effect that is called with these arguments, in order (RUN-104). */
export function preflightReads(capability: Capability, args: Args): readonly string[] {
  return readsMade(capability, args).map(({ by }) => by);
}

/** The steps that read, with the capability that each reads by. */
function readsMade(capability: Capability, args: Args) {
  return stepsMade(capability, args).flatMap((step) => {
    const by = preflightRead(step);
    return by === null ? [] : [{ step, by }];
  });
}

function stepsMade(capability: Capability, args: Args): readonly PreflightStep[] {
  return capability.preflight.filter((step) => {
    switch (step.kind) {
      case "hydrate_invoke_target":
        return true;
      case "hydrate_entity_ref_param":
        return isGiven(args, step.param);
      case "query_pick":
      case "function":
        return step.when === undefined || isGiven(args, step.when);
      case "label_ids_delta":
        return isGiven(args, step.addWhen) || isGiven(args, step.removeWhen);
    }
  });
}

function preflightCost(catalog: Catalog, step: PreflightStep, by: string): Figure {
  switch (step.kind) {
    case "hydrate_invoke_target":
    case "hydrate_entity_ref_param":
      return callCost(catalog, by).requests;
    case "query_pick":
    case "label_ids_delta":
    case "function":
      return LOOK_UP;
  }
}

const LOOK_UP: Figure = { unknown: "a look-up before it" };

/** Whether an argument is there; null says that it shall be none. */
function isGiven(args: Args, name: string): boolean {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return value !== undefined && !("lit" in value && value.lit === null);
}
