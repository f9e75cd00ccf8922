import { pathArguments } from "../../mapping/capability-slots.ts";
import type { Catalog } from "../../mapping/template.ts";
import { identityNames, sessionNames, splatParts } from "../../mapping/path-binding.ts";
import { preflightNames } from "../../mapping/capability-views.ts";
import { capabilitiesByLabel, keyParts } from "../../model/lookups.ts";
import { type Capability, type Cgs, type Entity, isEffectKind } from "../../model/model.ts";
import { rootUnion, slotsOf } from "../../model/slots-of.ts";
import type { CapabilityDoc } from "../format/capability-shape.ts";
import type { InputTypeDoc, SlotDoc, VariantDoc } from "../format/input-shape.ts";
import type { KeyPath } from "../key-path.ts";

/** Names a template of a capability can see, by what binds them (RUN-010 to RUN-015). */
export interface BoundNames {
  /** What a caller, a relation or a view may bind: arguments, and the identity of a get. */
  readonly arguments: readonly string[];
  /** All names bound, those the engine and the row's ambient may add included. */
  all(): readonly string[];
  /** Whether a name is bound. */
  has(name: string): boolean;
}

const ENGINE = ["filter", "projection", "plasm_execute_prompt_hash", "plasm_execute_session_id"];
const OF_ENGINE: ReadonlySet<string> = new Set([
  ...ENGINE,
  ...ENGINE.map((name) => `plasm.${name}`),
]);

/** The names bound for a capability's template, as far as the files say. */
export function boundNames(catalog: Catalog, capability: Capability): BoundNames {
  const { cgs } = catalog;
  const entity = cgs.entities.get(capability.entity);
  const identity = capability.needsIdentity && entity !== undefined ? identityNames(entity) : [];
  const named = [...declaredNames(capability), ...pathArguments(catalog, capability)];
  const own = [...new Set([...named, ...identity])];
  const input = isEffectKind(capability.kind) ? ["input"] : [];
  const bound = new Set([
    ...own,
    ...splatParts(cgs, capability).keys(),
    ...preflightNames(cgs, capability),
    ...input,
  ]);
  const shared = [ambientNames(catalog, capability.entity), sessionNames(catalog), OF_ENGINE];
  return {
    arguments: own,
    all: () => [...new Set([bound, ...shared].flatMap((names) => [...names]))],
    has: (name) => bound.has(name) || shared.some((names) => names.has(name)),
  };
}

function declaredNames(capability: Capability): readonly string[] {
  const union = rootUnion(capability);
  const variants = union?.variants.flatMap((variant) => variant.fields) ?? [];
  const members = union === undefined ? [] : [union.wireField, ...variants.map(({ name }) => name)];
  return [...slotsOf(capability).map((slot) => slot.name), ...members];
}

/** Which entities have a relation to each entity, and what rows of each may carry: found once for a catalog. */
interface Ambient {
  readonly sources: ReadonlyMap<string, ReadonlySet<Entity>>;
  readonly names: Map<string, ReadonlySet<string>>;
}

const ambientOf = new WeakMap<Cgs, Ambient>();

function createAmbient(cgs: Cgs): Ambient {
  const sources = new Map<string, Set<Entity>>();
  const add = (target: string, entity: Entity): void => {
    const known = sources.get(target);
    if (known === undefined) sources.set(target, new Set([entity]));
    else known.add(entity);
  };
  for (const entity of cgs.entities.values()) {
    add(entity.name, entity);
    for (const { target } of entity.relations.values()) add(target, entity);
  }
  const ambient = { sources, names: new Map<string, ReadonlySet<string>>() };
  ambientOf.set(cgs, ambient);
  return ambient;
}

/**
 * What a row that a capability of an entity is called on, or starts from, may carry (RUN-044): key parts and
 * scope arguments of its own entity's reads, and of the entities with a relation to it.
 */
function ambientNames(catalog: Catalog, name: string): ReadonlySet<string> {
  const { cgs } = catalog;
  const { sources, names } = ambientOf.get(cgs) ?? createAmbient(cgs);
  const known = names.get(name);
  if (known !== undefined) return known;
  const found = new Set<string>();
  for (const entity of sources.get(name) ?? []) {
    for (const part of keyParts(entity)) found.add(part);
    for (const each of capabilitiesByLabel(cgs, entity.name)) {
      if (isEffectKind(each.kind)) continue;
      for (const slot of slotsOf(each)) if (slot.role === "scope") found.add(slot.name);
      for (const argument of pathArguments(catalog, each)) found.add(argument);
    }
  }
  names.set(name, found);
  return found;
}

/** A slot as the file declares it, at any depth, and where. */
interface DeclaredSlot {
  readonly slot: SlotDoc;
  readonly path: KeyPath;
}

/** A union as the file declares it, and where. */
export interface DeclaredUnion {
  readonly variants: readonly VariantDoc[];
  readonly path: KeyPath;
}

/** Every slot of a capability: parameters, input fields and variant fields, at any depth. */
export function declaredSlots(name: string, capability: CapabilityDoc): readonly DeclaredSlot[] {
  return collect(name, capability).slots;
}

/** Every union in the input of a capability, at any depth. */
export function declaredUnions(name: string, capability: CapabilityDoc): readonly DeclaredUnion[] {
  return collect(name, capability).unions;
}

interface Collected {
  readonly slots: DeclaredSlot[];
  readonly unions: DeclaredUnion[];
}

function collect(name: string, capability: CapabilityDoc): Collected {
  const found: Collected = { slots: [], unions: [] };
  const path = ["capabilities", name];
  collectSlots(capability.parameters, [...path, "parameters"], found);
  const input = capability.input_schema?.input_type;
  if (input !== undefined) collectInput(input, [...path, "input_schema", "input_type"], found);
  return found;
}

function collectSlots(slots: readonly SlotDoc[], path: KeyPath, found: Collected): void {
  slots.forEach((slot, at) => {
    const own = [...path, at];
    found.slots.push({ slot, path: own });
    if (slot.input_type !== undefined) collectInput(slot.input_type, [...own, "input_type"], found);
  });
}

function collectInput(input: InputTypeDoc, path: KeyPath, found: Collected): void {
  switch (input.type) {
    case "none":
    case "value":
      return;
    case "object":
      collectSlots(input.fields, [...path, "fields"], found);
      return;
    case "array":
      collectInput(input.element_type, [...path, "element_type"], found);
      return;
    case "union":
      found.unions.push({ variants: input.variants, path });
      input.variants.forEach((variant, at) => {
        collectSlots(variant.fields, [...path, "variants", at, "fields"], found);
      });
  }
}
