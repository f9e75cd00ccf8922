import type { Capability, Catalog } from "@plasm/core";
import {
  bestGet,
  capabilitiesOf,
  type HttpTemplate,
  keyParts,
  mayHold,
  type PathBinding,
  pathBindings,
  provides,
  scopeBindings,
  slotsOf,
  viewOf,
} from "@plasm/core/internal";
import type { EntityRow } from "../decode/entity-row.ts";

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
  if (entity === undefined) return null;
  const fills = (get: Capability): boolean => needed.some((name) => provides(get, name));
  const candidates = capabilitiesOf(catalog.cgs, row.entity)
    .filter((get) => get.kind === "get" && get.needsIdentity)
    .filter((get) => !row.loadedBy.has(get.name) && isAllowed(get))
    .filter((get) => fills(get) || needed.some((name) => mayHold(entity, name)))
    .filter((get) => {
      const bindings = bindingsOf(catalog, get);
      return bindings !== null && isBound(catalog, get, bindings, row);
    });
  return bestGet(candidates, entity, [...new Set([...needed, ...wanted])], fills);
}

/** How what a get needs is bound; null for one without mapping. */
function bindingsOf(catalog: Catalog, capability: Capability): readonly PathBinding[] | null {
  const view = viewOf(catalog, capability);
  if (view !== null) return scopeBindings(catalog.cgs, capability, view);
  const template = catalog.cml.get(capability.name);
  return template === undefined ? null : pathBindings(catalog, capability, template);
}
