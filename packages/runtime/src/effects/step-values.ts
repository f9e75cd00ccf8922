import type { Capability, Catalog, Json, JsonObject } from "@plasm/core";
import { pathVariables, type PreflightScope, slotsOf } from "@plasm/core/internal";
import type { EntityRow, Identity } from "../decode/entity-row.ts";
import { followKeys } from "../decode/response-body.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import type { BoundFunctions } from "../request/build-request.ts";

/** The effect that steps are made before (RUN-104). */
export interface PreflightCall {
  readonly catalog: Catalog;
  readonly capability: Capability;
  /** arguments in the shape the catalog declares */
  readonly args: JsonObject;
  /** the row it is called on, or null */
  readonly target: Identity | null;
  /** what that row carries (RUN-044) */
  readonly ambient: JsonObject;
}

/** How steps read; both throw RunFailure or RunStop. */
export interface PreflightReads {
  /** One row by a get; null if the API has none. */
  one(capability: Capability, identity: Identity, ambient: JsonObject): Promise<EntityRow | null>;
  /** All rows of a list, to its last page. */
  all(capability: Capability, args: JsonObject, ambient: JsonObject): Promise<readonly EntityRow[]>;
}

/** What the steps of one effect have so far. */
export interface PreflightState {
  readonly call: PreflightCall;
  readonly reads: PreflightReads;
  /** rows of earlier `hydrate_invoke_target` steps, by prefix */
  readonly rows: Map<string, EntityRow>;
  /** what steps have bound so far */
  readonly bound: Record<string, Json>;
  readonly functions: BoundFunctions;
  /** variables of the session (RUN-015) */
  readonly variables: JsonObject;
}

/** A capability that a step reads by; the rules of the format have checked that there is one. */
export function capabilityOf({ catalog }: PreflightCall, name: string): Capability {
  const capability = catalog.cgs.capabilities.get(name);
  if (capability === undefined) throw new Error(`no capability ${name}`);
  return capability;
}

/** An argument of the effect; null where there is none. */
export function argumentOf({ args }: PreflightCall, name: string): Json {
  return Object.hasOwn(args, name) ? (args[name] ?? null) : null;
}

/** A field of a row, or a part of its key that is no field. */
export function cellOf(row: EntityRow, field: string): Json {
  return row.fields.get(field) ?? row.identity?.key[field] ?? null;
}

/**
 * What a read before an effect starts from: what the row carries, and of the effect's arguments those
 * that the read cannot do without (RUN-044).
 */
export function carriedTo(call: PreflightCall, read: Capability): JsonObject {
  const template = call.catalog.cml.get(read.name);
  const isHttp = template?.transport === "http" || template?.transport === "graphql";
  const path = isHttp ? pathVariables(template) : [];
  const required = slotsOf(read).flatMap(({ name, required: need }) => (need ? [name] : []));
  const needed = new Set([...path, ...required]);
  const given = Object.entries(call.args).filter(([name, value]) => {
    return needed.has(name) && value !== null;
  });
  return { ...call.ambient, ...call.capability.fixedArgs, ...Object.fromEntries(given) };
}

/** A part of the wire form of a row read earlier; null where it has none (RUN-104). */
export function earlierValue(
  { rows }: PreflightState,
  { prefix, path }: { readonly prefix: string; readonly path: readonly string[] },
): Json {
  const row = rows.get(prefix);
  if (row === undefined) throw new Error(`no step before it binds ${prefix}`);
  const found = followKeys(row.wire, path);
  return found.found ? found.value : null;
}

/** The value of a scope parameter of a look-up; one that nothing gives is left out. */
export function scopeValue(state: PreflightState, name: string, scope: PreflightScope): Json {
  if ("literal" in scope) return scope.literal;
  if ("fromParam" in scope) return argumentOf(state.call, scope.fromParam);
  const value = earlierValue(state, scope.fromPreflight);
  if (value !== null) return value;
  const { prefix, path } = scope.fromPreflight;
  throw new RunFailure(
    failure(
      "null_value",
      `The row it is called on has no ${path.join(".")}, which ${prefix} gives to ${name}.`,
      "call it on a row that has one",
    ),
  );
}
