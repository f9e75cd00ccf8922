import type { Capability, Catalog, Entity, Json, JsonObject } from "@plasm/core";
import {
  type HttpTemplate,
  keyParts,
  pathBindings,
  pathVariables,
  restVariables,
  slotsOf,
} from "@plasm/core/internal";
import { isObject, jsonText } from "../base/json-kinds.ts";
import { failure, RunFailure } from "../base/run-failure.ts";

/** What a capability is called with, every value resolved and in wire form. */
export interface CapabilityCall {
  readonly catalog: Catalog;
  readonly capability: Capability;
  readonly template: HttpTemplate;
  readonly args: JsonObject;
  /** key parts of the row it is called on, and the value that `id` stands for; null for lists */
  readonly identity: { readonly key: JsonObject; readonly id: Json } | null;
  /** parameters that a relation binds to its source row */
  readonly anchor: JsonObject;
  /** what the row it starts from carries (RUN-044) */
  readonly ambient: JsonObject;
  /** conditions tested after it and fields wanted of it, for templates that pass them on (RUN-014) */
  readonly asked?: { readonly filter?: Json; readonly projection: readonly string[] };
  /** the relation it is read for, as `Entity.relation` */
  readonly relation?: string;
  /** its values are not the key of the row that answers, but of one that leads to it */
  readonly anyRow?: boolean;
}

/** The names a template sees, by zone; first match wins (RUN-010). */
export interface CallEnvironment {
  readonly path: JsonObject;
  readonly rest: JsonObject;
  /** declared parameters that may stay unbound: they are then nothing (mapping format, section 2) */
  readonly optional: ReadonlySet<string>;
  /** scope arguments, path variables and anchor: what rows of the response carry (RUN-044) */
  readonly ambient: JsonObject;
}

/** What the identity binds: `id`, the id_field, each key part, and path variables that mean it (RUN-011). */
export function identityBindings({
  catalog,
  capability,
  template,
  identity,
}: CapabilityCall): JsonObject {
  const entity = catalog.cgs.entities.get(capability.entity);
  if (identity === null || entity === undefined) return {};
  const bound: Record<string, Json> = { id: identity.id, [entity.idField]: identity.id };
  for (const { variable, source } of pathBindings(catalog, capability, template)) {
    if (source.kind === "identity") bound[variable] = identity.id;
    else if (source.kind === "key") bound[variable] = identity.key[source.field] ?? null;
  }
  return { ...bound, ...identity.key };
}

/** The parts of a compound reference: an object, a row, its `full_name`, or `a/b` for two keys (RUN-012). */
function compoundParts(value: Json, parts: readonly string[]): JsonObject | null {
  if (isObject(value)) {
    if (parts.every((part) => Object.hasOwn(value, part))) return value;
    const name = value["full_name"];
    return typeof name === "string" ? compoundParts(name, parts) : null;
  }
  const [first, second] = parts;
  if (typeof value !== "string" || parts.length !== 2) return null;
  if (first === undefined || second === undefined) return null;
  const at = value.indexOf("/");
  if (at <= 0 || at === value.length - 1 || value.includes("/", at + 1)) return null;
  return { [first]: value.slice(0, at), [second]: value.slice(at + 1) };
}

/** A compound reference in any of its forms as the object of its key parts; other values as they are. */
export function compoundKey(target: Entity, value: Json): Json {
  const parts = keyParts(target);
  return parts.length > 1 ? (compoundParts(value, parts) ?? value) : value;
}

/** What scope references come to (RUN-012). */
export interface Splat {
  /** key parts bound by compound references, not yet bound otherwise */
  readonly bound: JsonObject;
  /** the slot that each of these parts is of */
  readonly slots: Readonly<Record<string, string>>;
  /** parts that arguments of the same name are given for, too */
  readonly beside: JsonObject;
  /** arguments with references narrowed, redundant ones removed */
  readonly args: JsonObject;
}

/** Spreads scope references with compound keys; narrows rows given for one-part keys (RUN-012). */
export function splat(
  call: Pick<CapabilityCall, "catalog" | "capability">,
  args: JsonObject,
): Splat {
  const bound: Record<string, Json> = {};
  const slots: Record<string, string> = {};
  const beside: Record<string, Json> = {};
  const kept: Record<string, Json> = { ...args };
  for (const slot of slotsOf(call.capability)) {
    const type = slot.input.kind === "value" ? slot.input.type : null;
    const value = Object.hasOwn(args, slot.name) ? args[slot.name] : undefined;
    if (type?.kind !== "entity_ref" || value === undefined || value === null) continue;
    const target = call.catalog.cgs.entities.get(type.target);
    if (target === undefined) continue;
    const parts = keyParts(target);
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) {
      if (isObject(value) && Object.hasOwn(value, only)) kept[slot.name] = value[only] ?? null;
      continue;
    }
    const spread = slot.role === "scope" ? compoundParts(value, parts) : null;
    if (spread === null) continue;
    for (const part of parts) {
      const isGiven = Object.hasOwn(args, part);
      (isGiven ? beside : bound)[part] = spread[part] ?? null;
      if (!isGiven) slots[part] = slot.name;
    }
    if (call.capability.scopeAggregateKeyPolicy === "omit_when_redundant") delete kept[slot.name];
  }
  return { bound, slots, beside, args: kept };
}

/** An argument for an identity slot of the path must equal the identity, unless it is a rename (RUN-010). */
export function checkIdentityArguments(call: CapabilityCall, identity: JsonObject): void {
  if (call.identity === null) return;
  const inPath = pathVariables(call.template);
  const outside = restVariables(call.template);
  for (const [name, value] of Object.entries(call.args)) {
    if (!Object.hasOwn(identity, name) || !inPath.includes(name) || outside.includes(name))
      continue;
    if (jsonText(value) === jsonText(identity[name])) continue;
    throw new RunFailure(
      failure(
        "argument_invalid",
        `${name} is ${jsonText(value)}, but the call is on ${jsonText(identity[name])}.`,
        `leave ${name} out, or call it on that row`,
      ),
    );
  }
}

/** What rows of the response carry on: scope arguments, anchor and path variables (RUN-044). */
export function carried(call: CapabilityCall, path: JsonObject, args: JsonObject): JsonObject {
  const ambient: Record<string, Json> = { ...call.ambient };
  for (const slot of slotsOf(call.capability)) {
    const value = args[slot.name];
    if (slot.role === "scope" && value !== undefined && value !== null) ambient[slot.name] = value;
  }
  Object.assign(ambient, call.capability.fixedArgs);
  for (const name of pathVariables(call.template)) {
    const value = path[name];
    if (value !== undefined && value !== null) ambient[name] = value;
  }
  return { ...ambient, ...call.anchor };
}

/**
 * What a list is asked in: its scope arguments, and the row that a relation is followed from, which fill
 * the fields of their names where the API leaves them out of its rows (RUN-044).
 */
export function scopeValues({ catalog, capability, anchor, args }: CapabilityCall): JsonObject {
  const given: JsonObject = { ...anchor, ...args };
  const found: Record<string, Json> = {};
  for (const { name, role, input } of slotsOf(capability)) {
    const value = given[name];
    if (value === undefined) continue;
    const type = input.kind === "value" ? input.type : null;
    const target = type?.kind === "entity_ref" ? catalog.cgs.entities.get(type.target) : undefined;
    const isScope = role === "scope" || (target !== undefined && Object.hasOwn(anchor, name));
    if (!isScope) continue;
    found[name] = target === undefined ? value : compoundKey(target, value);
  }
  return found;
}

const optional = new WeakMap<Capability, ReadonlySet<string>>();

/** The slots of a capability that may stay unbound; it is frozen, and every request asks. */
function optionalSlots(capability: Capability): ReadonlySet<string> {
  const known = optional.get(capability);
  if (known !== undefined) return known;
  const slots = slotsOf(capability).filter((slot) => !slot.required);
  const names = new Set(slots.map(({ name }) => name));
  optional.set(capability, names);
  return names;
}

function without(object: JsonObject, names: ReadonlySet<string>): JsonObject {
  if (names.size === 0 || !Object.keys(object).some((name) => names.has(name))) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}

/**
 * What the row at hand carries and references are made of, for query, headers and body: none of what the
 * caller may give and left out, else a parameter that has a key part's name would be a condition that
 * nobody wrote. A part is bound where it is all that is sent of its reference (RUN-010, RUN-012, RUN-044).
 */
function carriedBeside(call: CapabilityCall, { bound, slots, args }: Splat): JsonObject {
  const names = optionalSlots(call.capability);
  if (names.size === 0) return { ...call.ambient, ...bound };
  const inPath = pathVariables(call.template);
  const outside = restVariables(call.template);
  const isSent = (part: string): boolean => {
    const slot = slots[part] ?? part;
    if (inPath.includes(part) || inPath.includes(slot)) return true;
    return Object.hasOwn(args, slot) && outside.includes(slot);
  };
  const hidden = Object.keys(bound).filter((part) => names.has(part) && isSent(part));
  return { ...without(call.ambient, names), ...without(bound, new Set(hidden)) };
}

/**
 * The row's identity, for query, headers and body: none of it for a parameter that the caller may give and
 * left out, where the row is named without it; else it would be written into a field that nobody named.
 * Where nothing else sends the key, such a parameter is what names the row (RUN-010, RUN-011).
 */
export function identityBeside(
  { catalog, capability, template }: CapabilityCall,
  identity: JsonObject,
  mayLack: ReadonlySet<string>,
): JsonObject {
  const entity = catalog.cgs.entities.get(capability.entity);
  const names = Object.keys(identity).filter((name) => mayLack.has(name));
  if (entity === undefined || names.length === 0) return identity;
  const parts = keyParts(entity);
  const sent = new Set(restVariables(template).filter((name) => !mayLack.has(name)));
  for (const { variable, source } of pathBindings(catalog, capability, template)) {
    if (source.kind === "identity" || source.kind === "key") sent.add(variable);
    if (source.kind === "identity") sent.add("id");
    else if (source.kind === "key") sent.add(source.field);
  }
  const isWhole =
    sent.has("id") || (parts.length === 1 && Object.keys(identity).some((name) => sent.has(name)));
  const isSent = (name: string): boolean => {
    if (isWhole || parts.every((part) => sent.has(part))) return true;
    return parts.length > 1 && sent.has(name);
  };
  return without(identity, new Set(names.filter(isSent)));
}

/** Parts of references in the path, where the argument of that name is a parameter of its own beside it. */
function partsInPath(call: CapabilityCall, { beside }: Splat): JsonObject {
  const given = Object.entries(beside);
  if (given.length === 0) return beside;
  const names = optionalSlots(call.capability);
  const outside = restVariables(call.template);
  const own = given.filter(([name]) => names.has(name) && outside.includes(name));
  return Object.fromEntries(own);
}

/** Builds the names that a read's template sees (RUN-010 to RUN-012, RUN-044). */
export function readCallEnvironment(call: CapabilityCall): CallEnvironment {
  const identity = identityBindings(call);
  checkIdentityArguments(call, identity);
  const fixed = call.capability.fixedArgs ?? {};
  const spread = splat(call, { ...call.anchor, ...call.args, ...fixed });
  const { bound, args } = spread;
  const given = { ...args, ...partsInPath(call, spread) };
  const rest = {
    ...carriedBeside(call, spread),
    ...identityBeside(call, identity, optionalSlots(call.capability)),
    ...args,
  };
  const path =
    call.capability.kind === "get"
      ? { ...call.ambient, ...bound, ...given, ...identity }
      : { ...call.ambient, ...bound, ...identity, ...given };
  return {
    path,
    rest,
    optional: optionalSlots(call.capability),
    ambient: carried(call, path, args),
  };
}
