import type { Json, JsonObject } from "@plasm/core";
import { preflightRead, type PreflightStep } from "@plasm/core/internal";
import { failure, RunFailure } from "../base/run-failure.ts";
import { labelDelta, pickRow } from "./pick-row.ts";
import {
  argumentOf,
  capabilityOf,
  carriedTo,
  cellOf,
  type PreflightCall,
  type PreflightReads,
  type PreflightState,
} from "./step-values.ts";
import { type EntityRow, type Identity, idValue } from "../decode/entity-row.ts";
import { hasMember, isObject, jsonText, typeName } from "../base/json-kinds.ts";
import { cellReference } from "../decode/row-references.ts";
import { compoundKey } from "../request/environment.ts";

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

type CallStep = Extract<PreflightStep, { kind: "function" }>;

/** What a function sees besides its parameters: all that templates see, and the wire rows read before. */
function namesSeen({ call, bound, rows, variables }: PreflightState): ReadonlyMap<string, Json> {
  const { target, ambient, args } = call;
  const identity = target === null ? {} : { id: idValue(target), ...target.key };
  const wire = Object.fromEntries([...rows].map(([prefix, row]) => [prefix, row.wire]));
  const names: JsonObject = { ...variables, ...ambient, ...bound, ...identity, ...args };
  return new Map(Object.entries({ ...names, "plasm.preflight": wire }));
}

/**
 * Calls a registered function and binds members of what it gives; skipped where its `when` argument is
 * absent (RUN-105). A member that it does not give stays unbound.
 */
function callFunction(state: PreflightState, step: CallStep): JsonObject {
  const { call, functions } = state;
  if (step.when !== undefined && argumentOf(call, step.when) === null) return {};
  const args = step.params.map((name) => argumentOf(call, name) ?? undefined);
  const result = functions.get(step.function)?.(args, namesSeen(state)) ?? {
    error: "no such function is registered",
  };
  if ("error" in result) throw refused(step, result.error);
  const { value } = result;
  if (!isObject(value)) throw refused(step, `it gave ${typeName(value)}, no object`);
  const merged = [...step.merge].map(([name, member]) => {
    return [name, hasMember(value, member) ? (value[member] ?? null) : null] as const;
  });
  return Object.fromEntries(merged);
}

const refused = ({ function: name }: CallStep, why: string): RunFailure =>
  new RunFailure(
    failure("argument_invalid", `${name}: ${why}.`, "give other arguments, as the message says"),
  );

type Step<Kind> = Extract<PreflightStep, { kind: Kind }>;

async function readRow(state: PreflightState, get: string, identity: Identity): Promise<EntityRow> {
  const capability = capabilityOf(state.call, get);
  const row = await state.reads.one(capability, identity, carriedTo(state.call, capability));
  if (row !== null) return row;
  throw new RunFailure(
    failure("not_found", `${identity.text} does not exist.`, "check the key, or list the rows"),
  );
}

/** Reads the row that the effect is called on and binds `<prefix>_<field>` (RUN-104). */
async function hydrateTarget(
  state: PreflightState,
  step: Step<"hydrate_invoke_target">,
): Promise<JsonObject> {
  const { target } = state.call;
  if (target === null) {
    throw new RunFailure(
      failure("argument_missing", "It is called without a row.", "call it on a row"),
    );
  }
  const row = await readRow(state, step.get, target);
  state.rows.set(step.prefix, row);
  const fields = [...row.fields].map(([name, value]) => [`${step.prefix}_${name}`, value] as const);
  return Object.fromEntries(fields);
}

/** Reads the row that an argument refers to and binds fields of it; without the argument nothing. */
async function hydrateReference(
  state: PreflightState,
  step: Step<"hydrate_entity_ref_param">,
): Promise<JsonObject> {
  const value = argumentOf(state.call, step.param);
  if (value === null) return {};
  const identity = referencedBy(state, step, value);
  const row = await readRow(state, step.get, identity);
  const merged = [...step.merge].map(([name, field]) => [name, cellOf(row, field)] as const);
  return Object.fromEntries(merged);
}

function referencedBy(
  { call }: PreflightState,
  step: Step<"hydrate_entity_ref_param">,
  value: Json,
): Identity {
  const { cgs } = call.catalog;
  const entity = cgs.entities.get(capabilityOf(call, step.get).entity);
  if (entity === undefined) throw new Error(`no entity of ${step.get}`);
  const reference = cellReference(compoundKey(entity, value), entity);
  if (reference?.identity !== undefined) return reference.identity;
  throw new RunFailure(
    failure(
      "argument_invalid",
      `${step.param} is ${jsonText(value)}, which is no ${entity.name}.`,
      `give ${step.param} the key of a row`,
    ),
  );
}
