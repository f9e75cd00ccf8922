import type { Capability, Catalog, Entity, Json, JsonObject, ValueType } from "@plasm/core";
import {
  identityNames,
  keyParts,
  pathBindings,
  slotsOf,
  type View,
  type ViewNode,
  viewOf,
} from "@plasm/core/internal";
import { type Identity, makeIdentity } from "../decode/entity-row.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import type { BoundValue } from "../views/run-view.ts";
import { holeValue } from "./hole-value.ts";

/** What a node of a view is called with: an identity where its binds make one, and arguments. */
export interface BoundCall {
  readonly capability: Capability;
  readonly args: JsonObject;
  readonly identity: Identity | null;
}

const JSON_TYPE: ValueType = Object.freeze({ kind: "json" });

/** The call of a view's node with the values bound to it, each in its slot's type. Throws RunFailure. */
export function boundCall(
  catalog: Catalog,
  view: View,
  node: ViewNode,
  bound: ReadonlyMap<string, BoundValue>,
): BoundCall {
  const capability = catalog.cgs.capabilities.get(node.capability);
  const entity = catalog.cgs.entities.get(capability?.entity ?? "");
  if (capability === undefined || entity === undefined) throw new Error(`no ${node.capability}`);
  const parts = identityParts(catalog, capability, entity);
  const values = new Map<string, Json>();
  for (const [name, each] of bound) {
    const type = boundType(capability, entity, parts.get(name), name);
    values.set(name, boundValue(each, { catalog, view, capability, name, type }));
  }
  const key: Record<string, Json> = {};
  for (const [name, part] of parts) key[part] ??= values.get(name) ?? null;
  const identity = parts.size === 0 ? null : makeIdentity(entity, key);
  const rest = [...values].filter(([name]) => identity === null || !parts.has(name));
  return { capability, identity, args: Object.fromEntries(rest) };
}

/** The names by which a get's binds may give its identity, each with its key part (CAT-122, RUN-011). */
export function identityParts(
  catalog: Catalog,
  capability: Capability,
  entity: Entity,
): ReadonlyMap<string, string> {
  if (!capability.needsIdentity) return new Map();
  const key = keyParts(entity);
  const [only] = key;
  const parts = new Map(key.map((part) => [part, part]));
  if (key.length > 1 || only === undefined) return parts;
  for (const name of identityNames(entity)) parts.set(name, only);
  const template = catalog.cml.get(capability.name);
  if (template === undefined) return parts;
  for (const { variable, source } of pathBindings(catalog, capability, template)) {
    if (source.kind === "identity") parts.set(variable, only);
  }
  return parts;
}

function boundType(
  capability: Capability,
  entity: Entity,
  part: string | undefined,
  name: string,
): ValueType {
  if (part !== undefined) return entity.fields.get(part)?.type ?? JSON_TYPE;
  const slot = slotsOf(capability).find((each) => each.name === name);
  return slot?.input.kind === "value" ? slot.input.type : JSON_TYPE;
}

interface BoundSlot {
  readonly catalog: Catalog;
  readonly view: View;
  readonly capability: Capability;
  readonly name: string;
  readonly type: ValueType;
}

function boundValue({ value, from }: BoundValue, slot: BoundSlot): Json {
  // What the catalog's author wrote is in wire form.
  if (from === null && value === null) return null;
  if (value === null && isNeeded(slot.capability, slot.name)) throw missing(from, slot);
  return holeValue(value, typeOf(from, slot), { name: slot.name, type: slot.type });
}

/** Null would be no condition of a list, and no value of a parameter that is required or not declared. */
function isNeeded(capability: Capability, name: string): boolean {
  if (capability.kind !== "get") return true;
  return slotsOf(capability).find((slot) => slot.name === name)?.required ?? true;
}

function typeOf(from: BoundValue["from"], { catalog, view }: BoundSlot): ValueType {
  if (from === null) return JSON_TYPE;
  if ("scope" in from) return view.scope.find(({ name }) => name === from.scope)?.type ?? JSON_TYPE;
  const name = view.nodes.find(({ id }) => id === from.node)?.capability ?? "";
  const entity = catalog.cgs.capabilities.get(name)?.entity ?? "";
  return catalog.cgs.entities.get(entity)?.fields.get(from.field)?.type ?? JSON_TYPE;
}

function missing(from: BoundValue["from"], { capability, name }: BoundSlot): RunFailure {
  const source = from !== null && "node" in from ? `${from.field} of node ${from.node}` : "a bind";
  return new RunFailure(
    failure(
      "null_value",
      `${name} of ${capability.name} is bound to ${source}, which has no value.`,
      "ask for something that has one",
    ),
  );
}

/** The capabilities of an entity that one view serves. */
export function servedByView(catalog: Catalog, view: View): readonly string[] {
  return [...catalog.cgs.capabilities.values()]
    .filter((capability) => viewOf(catalog, capability) === view)
    .map(({ name }) => name);
}
