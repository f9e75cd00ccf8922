import type { Capability, InputField, InputType, Json, JsonObject } from "@plasm/core";
import {
  type HttpTemplate,
  keyParts,
  pathVariables,
  preflightNames,
  preflightParameters,
  restVariables,
  rootUnion,
  type Slot,
  slotsOf,
  wireInput,
} from "@plasm/core/internal";
import {
  type CapabilityCall,
  carried,
  checkIdentityArguments,
  type CallEnvironment,
  identityBeside,
  identityBindings,
  splat,
} from "./environment.ts";
import { isObject } from "../base/json-kinds.ts";

/** The names that path, query and headers read: they are no part of `input` (RUN-013). */
function readOutsideBody(template: HttpTemplate): ReadonlySet<string> {
  const { body: _body, multipart: _multipart, ...outside } = template;
  return new Set([...pathVariables(outside), ...restVariables(outside)]);
}

/** Scope references with several key parts, of which the parts are bound instead (RUN-012). */
function spreadSlots(call: CapabilityCall): ReadonlySet<string> {
  const { cgs } = call.catalog;
  const spread = slotsOf(call.capability).filter(({ role, input }) => {
    if (role !== "scope" || input.kind !== "value" || input.type.kind !== "entity_ref")
      return false;
    const target = cgs.entities.get(input.type.target);
    return target !== undefined && keyParts(target).length > 1;
  });
  return new Set(spread.map(({ name }) => name));
}

function inputOf(call: CapabilityCall, args: JsonObject): Json {
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
function optionalNames(call: CapabilityCall): ReadonlySet<string> {
  return new Set([...leftOut(call), ...preflightNames(call.catalog.cgs, call.capability)]);
}

/** Names that the caller may give and leave out. */
function leftOut({ capability }: CapabilityCall): ReadonlySet<string> {
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
export function writeEnvironment(
  call: CapabilityCall,
  preflight: JsonObject = {},
): CallEnvironment {
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

const wholeOf = (fields: readonly InputField[]): InputType => ({
  kind: "object",
  fields,
  additionalFields: true,
});

/** One argument as a template reads it by its name: where it goes is the template's business. */
function wireArgument(slot: Slot | InputField, value: Json): Json {
  if (!("wireJsonPath" in slot)) return wireInput(slot.input, value);
  const wired = wireInput(wholeOf([{ ...slot, wireJsonPath: [] }]), { [slot.name]: value });
  return isObject(wired) ? (wired[slot.name] ?? null) : value;
}

/** Arguments in wire shape, by the names a template reads them by (RUN-013, RUN-017). */
function wireArguments(capability: Capability, args: JsonObject): JsonObject {
  const slots = argumentSlots(capability, (name) => args[name]);
  const wired = Object.entries(args).map(([name, value]) => {
    const slot = slots.get(name);
    return [name, slot === undefined ? value : wireArgument(slot, value)] as const;
  });
  return Object.fromEntries(wired);
}

/**
 * The object that `input` stands for: arguments in wire shape, members of the input schema where it
 * puts them (RUN-013, RUN-017). `args` are those that nothing else of the request reads.
 */
function inputObject(capability: Capability, args: JsonObject): JsonObject {
  const parameters = new Set(capability.parameters.map(({ name }) => name));
  const entries = Object.entries(args);
  const own = Object.fromEntries(entries.filter(([name]) => parameters.has(name)));
  const rest = Object.fromEntries(entries.filter(([name]) => !parameters.has(name)));
  const input = capability.inputSchema?.input;
  const wired = input === undefined ? rest : wireInput(input, rest);
  return { ...wireArguments(capability, own), ...(isObject(wired) ? wired : rest) };
}

/**
 * The slots of a capability by name. Where its whole input is a union, those of the variant that `told`,
 * the discriminator's value, names; of all variants if it names none (RUN-017).
 */
export function argumentSlots(
  capability: Capability,
  told: (discriminator: string) => Json | undefined,
): ReadonlyMap<string, Slot | InputField> {
  const union = rootUnion(capability);
  const value = union === undefined ? undefined : told(union.wireField);
  const all = union?.variants ?? [];
  const named = all.filter(({ wireValue }) => JSON.stringify(wireValue) === JSON.stringify(value));
  const variants = named.length > 0 ? named : all;
  const slots = [...variants.flatMap(({ fields }) => fields), ...slotsOf(capability)];
  return new Map(slots.map((slot) => [slot.name, slot]));
}
