import { pathArguments } from "../mapping/capability-slots.ts";
import type { Catalog } from "../mapping/catalog.ts";
import { identityNames, splatParts } from "../mapping/path-binding.ts";
import { preflightNames } from "../mapping/preflight-names.ts";
import { sessionNames } from "../mapping/session-names.ts";
import type { Capability } from "../schema/capability.ts";
import { isEffect } from "../schema/capability-kind.ts";
import { keyParts } from "../schema/key-parts.ts";
import { rootUnion, slotsOf } from "../schema/slots-of.ts";

/** Names a template of a capability can see, by what binds them (RUN-010 to RUN-015). */
export interface BoundNames {
  /** What a caller, a relation or a view may bind: arguments, and the identity of a get. */
  readonly arguments: readonly string[];
  /** All names bound, those the engine and the row's ambient may add included. */
  readonly all: ReadonlySet<string>;
}

const ENGINE = ["filter", "projection", "plasm_execute_prompt_hash", "plasm_execute_session_id"];

/** The names bound for a capability's template, as far as the files say. */
export function boundNames(catalog: Catalog, capability: Capability): BoundNames {
  const { cgs } = catalog;
  const entity = cgs.entities.get(capability.entity);
  const identity = capability.needsIdentity && entity !== undefined ? identityNames(entity) : [];
  const named = [...declaredNames(capability), ...pathArguments(catalog, capability)];
  const own = [...new Set([...named, ...identity])];
  const input = isEffect(capability.kind) ? ["input"] : [];
  const all = new Set([
    ...own,
    ...splatParts(cgs, capability).keys(),
    ...preflightNames(cgs, capability),
    ...input,
    ...ambientNames(catalog, capability),
    ...sessionNames(catalog),
    ...ENGINE,
    ...ENGINE.map((name) => `plasm.${name}`),
  ]);
  return { arguments: own, all };
}

function declaredNames(capability: Capability): readonly string[] {
  const union = rootUnion(capability);
  const variants = union?.variants.flatMap((variant) => variant.fields) ?? [];
  const members = union === undefined ? [] : [union.wireField, ...variants.map(({ name }) => name)];
  return [...slotsOf(capability).map((slot) => slot.name), ...members];
}

/**
 * What a row that the capability is called on, or starts from, may carry (RUN-044): key parts and
 * scope arguments of its own entity's reads, and of the entities with a relation to it.
 */
function ambientNames(catalog: Catalog, capability: Capability): readonly string[] {
  const { cgs } = catalog;
  const sources = [...cgs.entities.values()].filter(
    (entity) =>
      entity.name === capability.entity ||
      [...entity.relations.values()].some((relation) => relation.target === capability.entity),
  );
  const names = sources.map((entity) => entity.name);
  const scopes = [...cgs.capabilities.values()]
    .filter((each) => names.includes(each.entity) && !isEffect(each.kind))
    .flatMap((each) => [
      ...slotsOf(each).flatMap((slot) => (slot.role === "scope" ? [slot.name] : [])),
      ...pathArguments(catalog, each),
    ]);
  return [...sources.flatMap(keyParts), ...scopes];
}
