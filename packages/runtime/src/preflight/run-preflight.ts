import { type Json, type JsonObject, preflightRead, type PreflightStep } from "@plasm/core";
import { RunFailure } from "../run-failure.ts";
import { callFunction } from "./call-function.ts";
import { hydrateReference, hydrateTarget } from "./hydrate-row.ts";
import { labelDelta } from "./label-delta.ts";
import { pickRow } from "./pick-row.ts";
import type { PreflightCall, PreflightReads, PreflightState } from "./preflight-call.ts";

/**
 * Makes the preflight steps of an effect, in order, and gives the names they bind (RUN-104). What a step
 * finds to be null or does not find out is left out. Throws RunFailure, its step named, or RunStop.
 */
export async function runPreflight(
  call: PreflightCall,
  reads: PreflightReads,
  { functions, variables }: Pick<PreflightState, "functions" | "variables">,
): Promise<JsonObject> {
  const bound: Record<string, Json> = {};
  const state: PreflightState = { call, reads, rows: new Map(), bound, functions, variables };
  for (const [at, step] of call.capability.preflight.entries()) {
    Object.assign(bound, await named(call, step, at, () => runStep(state, step)));
  }
  return Object.fromEntries(Object.entries(bound).filter(([, value]) => value !== null));
}

async function runStep(state: PreflightState, step: PreflightStep): Promise<JsonObject> {
  switch (step.kind) {
    case "hydrate_invoke_target":
      return hydrateTarget(state, step);
    case "hydrate_entity_ref_param":
      return hydrateReference(state, step);
    case "query_pick":
      return pickRow(state, step);
    case "label_ids_delta":
      return labelDelta(state, step);
    case "function":
      return callFunction(state, step);
  }
}

/** A failing step stops the effect with its own message, which says that it was not sent. */
async function named(
  { capability }: PreflightCall,
  step: PreflightStep,
  at: number,
  run: () => Promise<JsonObject>,
): Promise<JsonObject> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    const { failure: what, row } = error;
    const by = step.kind === "function" ? step.function : `${step.kind} by ${preflightRead(step)}`;
    const where = `preflight step ${at + 1}, ${by}`;
    const message = `${capability.label} was not sent: ${where}: ${what.message}`;
    throw new RunFailure({ ...what, message }, row);
  }
}
