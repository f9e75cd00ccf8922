import type { Capability, Catalog, Entity } from "@plasm/core";
import {
  capabilitiesOf,
  compareCodePoints,
  type HttpTemplate,
  keyParts,
  type PathBinding,
  pathBindings,
  scopeBindings,
  slotsOf,
  viewOf,
} from "@plasm/core/internal";
import type { EntityRow } from "../decode/entity-row.ts";
import { isReferenceRelation } from "../decode/row-edges.ts";

/** A capability with the template that serves it. */
export interface Served {
  readonly capability: Capability;
  readonly template: HttpTemplate;
}

/** The HTTP or GraphQL template of a capability; other transports are not served by one. */
export function servedBy(catalog: Catalog, capability: Capability): Served {
  const template = catalog.cml.get(capability.name);
  if (template?.transport !== "http" && template?.transport !== "graphql") {
    throw new Error(`${capability.name} has no HTTP or GraphQL mapping`);
  }
  return { capability, template };
}

/** Whether a read fills a field or relation: one that declares nothing fills all (CAT section 7). */
function provides(capability: Capability, name: string): boolean {
  const { provides: declared } = capability;
  return declared === undefined || declared.length === 0 || declared.includes(name);
}

/**
 * Whether a get may fill a name though what it declares does not have it: the rows of a relation, or its
 * reference, stand in the row itself, whichever get reads that (RUN-036, RUN-037).
 */
function mayHold(entity: Entity | undefined, name: string): boolean {
  const relation = entity?.relations.get(name);
  if (relation === undefined) return false;
  return relation.materialize?.kind === "from_parent_get" || isReferenceRelation(relation);
}

/** Whether a row's identity and ambient bind everything that a get requires (RUN-042). */
function isBound(
  catalog: Catalog,
  capability: Capability,
  bindings: readonly PathBinding[],
  row: EntityRow,
): boolean {
  const entity = catalog.cgs.entities.get(row.entity);
  if (entity === undefined) return false;
  const meant = bindings.filter(
    ({ source }) => source.kind === "identity" || source.kind === "key",
  );
  const own = new Set(["id", entity.idField, ...keyParts(entity), ...Object.keys(row.ambient)]);
  for (const { variable } of meant) own.add(variable);
  const slots = slotsOf(capability).every((slot) => !slot.required || own.has(slot.name));
  return (
    slots &&
    bindings.every(({ variable, source }) => {
      switch (source.kind) {
        case "identity":
        case "key":
          return true;
        case "splat":
          return own.has(source.slot) || own.has(variable);
        case "slot":
        case "argument":
        case "preflight":
        case "receiver":
          return own.has(variable);
        case "fixed":
        case "session":
          return true;
      }
    })
  );
}

/**
 * The get for a row (RUN-042): among those that its identity and ambient bind and that were not
 * asked yet, the one that fills most wanted names and at least one of them; then `primary_read`,
 * `<entity>_get`, name order. Where none says that it fills any, one that may hold a relation among
 * them (RUN-050). A get may be a view.
 */
export function chooseGet(
  catalog: Catalog,
  row: EntityRow,
  needed: readonly string[],
  wanted: readonly string[],
  isAllowed: (get: Capability) => boolean = () => true,
): Capability | null {
  const entity = catalog.cgs.entities.get(row.entity);
  const primary = entity?.primaryRead;
  const names = [...new Set([...needed, ...wanted])];
  const fills = (capability: Capability): boolean =>
    needed.some((name) => provides(capability, name));
  const rank = (capability: Capability): readonly number[] => [
    fills(capability) ? 1 : 0,
    names.filter((name) => provides(capability, name)).length,
    capability.name === primary ? 1 : 0,
    capability.name === `${row.entity.toLowerCase()}_get` ? 1 : 0,
  ];
  const candidates = capabilitiesOf(catalog.cgs, row.entity)
    .filter((capability) => capability.kind === "get" && capability.needsIdentity)
    .filter((capability) => !row.loadedBy.has(capability.name) && isAllowed(capability))
    .filter((capability) => fills(capability) || needed.some((name) => mayHold(entity, name)))
    .toSorted((a, b) => compareCodePoints(a.name, b.name))
    .filter((capability) => {
      const bindings = bindingsOf(catalog, capability);
      return bindings !== null && isBound(catalog, capability, bindings, row);
    });
  const ranked = candidates.map((capability) => ({ capability, rank: rank(capability) }));
  const best = ranked.toSorted((a, b) => {
    const at = a.rank.findIndex((value, i) => value !== b.rank[i]);
    return at < 0 ? 0 : (b.rank[at] ?? 0) - (a.rank[at] ?? 0);
  })[0];
  return best?.capability ?? null;
}

/** How what a get needs is bound; null for one without mapping. */
function bindingsOf(catalog: Catalog, capability: Capability): readonly PathBinding[] | null {
  const view = viewOf(catalog, capability);
  if (view !== null) return scopeBindings(catalog.cgs, capability, view);
  const template = catalog.cml.get(capability.name);
  return template === undefined ? null : pathBindings(catalog, capability, template);
}
