import { type Json, type JsonObject, type PreflightStep } from "@plasm/core";
import { cellReference } from "../decode/row-references.ts";
import type { EntityRow, Identity } from "../decode/entity-row.ts";
import { jsonText } from "../json-kinds.ts";
import { compoundKey } from "../request/environment.ts";
import { failure, RunFailure } from "../run-failure.ts";
import type { PreflightState } from "./preflight-call.ts";
import { argumentOf, capabilityOf, carriedTo, cellOf } from "./step-values.ts";

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
export async function hydrateTarget(
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
export async function hydrateReference(
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
