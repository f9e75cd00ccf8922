import { type Json, type JsonObject, type PreflightStep } from "@plasm/core";
import { idValue } from "../decode/identity.ts";
import { hasMember, isObject, typeName } from "../json-kinds.ts";
import { failure, RunFailure } from "../run-failure.ts";
import type { PreflightState } from "./preflight-call.ts";
import { argumentOf } from "./step-values.ts";

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
export function callFunction(state: PreflightState, step: CallStep): JsonObject {
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
