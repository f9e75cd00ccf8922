import {
  type HttpTemplate,
  type Json,
  type JsonObject,
  keyParts,
  pathVariables,
  preflightNames,
  preflightParameters,
  restVariables,
  rootUnion,
  slotsOf,
} from "@plasm/core";
import {
  type Call,
  carried,
  checkIdentityArguments,
  type Environment,
  identityBeside,
  identityBindings,
  splat,
} from "./environment.ts";
import { inputObject, wireArguments } from "./wire-arguments.ts";

/** The names that path, query and headers read: they are no part of `input` (RUN-013). */
function readOutsideBody(template: HttpTemplate): ReadonlySet<string> {
  const { body: _body, multipart: _multipart, ...outside } = template;
  return new Set([...pathVariables(outside), ...restVariables(outside)]);
}

/** Scope references with several key parts, of which the parts are bound instead (RUN-012). */
function spreadSlots(call: Call): ReadonlySet<string> {
  const { cgs } = call.catalog;
  const spread = slotsOf(call.capability).filter(({ role, input }) => {
    if (role !== "scope" || input.kind !== "value" || input.type.kind !== "entity_ref")
      return false;
    const target = cgs.entities.get(input.type.target);
    return target !== undefined && keyParts(target).length > 1;
  });
  return new Set(spread.map(({ name }) => name));
}

function inputOf(call: Call, args: JsonObject): Json {
  const elsewhere = new Set([
    ...readOutsideBody(call.template),
    ...preflightParameters(call.capability),
  ]);
  const spread = spreadSlots(call);
  const own = Object.entries(args).filter(([name]) => !elsewhere.has(name) && !spread.has(name));
  return inputObject(call.capability, Object.fromEntries(own));
}

/**
 * Names that may stay unbound: optional slots, the members of the variants of a root union, and what
 * preflight steps may not have found or were not asked for.
 */
function optionalNames(call: Call): ReadonlySet<string> {
  return new Set([...leftOut(call), ...preflightNames(call.catalog.cgs, call.capability)]);
}

/** Names that the caller may give and leave out. */
function leftOut({ capability }: Call): ReadonlySet<string> {
  const declared = slotsOf(capability).filter((slot) => !slot.required);
  const union = rootUnion(capability);
  const members = union?.variants.flatMap(({ fields }) => fields.map(({ name }) => name)) ?? [];
  return new Set([...declared.map(({ name }) => name), ...members]);
}

/**
 * What the row carries, for query, headers and body: none of what the caller may give and left out,
 * else rows read under a filter would write the filter's value back into what they are.
 */
function carriedBeside(optional: ReadonlySet<string>, ambient: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(ambient).filter(([name]) => !optional.has(name)));
}

/**
 * Builds the names that the template of a create, update, delete or action sees (RUN-010 to RUN-013,
 * RUN-044). The call's arguments are in the shape the catalog declares; the template sees them in wire
 * shape. What the row is and carries stands for path variables and for undeclared names; for a declared
 * optional slot that the caller left out, only in the path. Throws RunFailure where an argument
 * contradicts the row it is called on. `preflight` is what steps before it have bound (RUN-104).
 */
export function writeEnvironment(call: Call, preflight: JsonObject = {}): Environment {
  const identity = identityBindings(call);
  checkIdentityArguments(call, identity);
  const { bound, args: narrowed } = splat(call, { ...call.args, ...call.capability.fixedArgs });
  const args = wireArguments(call.capability, narrowed);
  const { ambient, capability } = call;
  const optional = optionalNames(call);
  const input = { input: inputOf(call, narrowed) };
  if (capability.kind === "create") {
    const names = { ...input, ...preflight, ...bound, ...args };
    return { path: names, rest: names, optional, ambient: carried(call, names, args) };
  }
  const own = carriedBeside(optional, ambient);
  const named = identityBeside(call, identity, leftOut(call));
  const rest = { ...input, ...own, ...bound, ...preflight, ...named, ...args };
  const path = { ...preflight, ...ambient, ...bound, ...args, ...identity };
  return { path, rest, optional, ambient: carried(call, path, args) };
}
