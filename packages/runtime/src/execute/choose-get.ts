import {
  type Capability,
  capabilitiesOf,
  type Catalog,
  compareCodePoints,
  type HttpTemplate,
  keyParts,
  pathBindings,
  slotsOf,
} from "@plasm/core";
import type { EntityRow } from "../decode/entity-row.ts";

/** A capability with the template that serves it. */
export interface Served {
  readonly capability: Capability;
  readonly template: HttpTemplate;
}

/** The HTTP or GraphQL template of a capability; any other transport does not run yet. */
export function servedBy(catalog: Catalog, capability: Capability): Served {
  const template = catalog.cml.get(capability.name);
  if (template?.transport !== "http" && template?.transport !== "graphql") {
    throw new Error(`${capability.name} has no HTTP mapping`);
  }
  return { capability, template };
}

/** Whether a read fills a field or relation: one that declares nothing fills all (CAT section 7). */
function provides(capability: Capability, name: string): boolean {
  const { provides: declared } = capability;
  return declared === undefined || declared.length === 0 || declared.includes(name);
}

/** Whether a row's identity and ambient bind everything that a get requires (RUN-042). */
function isBound(catalog: Catalog, served: Served, row: EntityRow): boolean {
  const entity = catalog.cgs.entities.get(row.entity);
  if (entity === undefined) return false;
  const own = new Set(["id", entity.idField, ...keyParts(entity), ...Object.keys(row.ambient)]);
  const { capability, template } = served;
  const slots = slotsOf(capability).every((slot) => !slot.required || own.has(slot.name));
  return (
    slots &&
    pathBindings(catalog.cgs, capability, template).every(({ variable, source }) => {
      switch (source.kind) {
        case "identity":
        case "key":
          return true;
        case "splat":
          return own.has(source.slot) || own.has(variable);
        case "slot":
        case "argument":
        case "receiver":
          return own.has(variable);
      }
    })
  );
}

/**
 * The get for a row (RUN-042): among those that its identity and ambient bind and that were not
 * asked yet, the one that fills most wanted names and at least one of them; then `primary_read`,
 * `<entity>_get`, name order.
 */
export function chooseGet(
  catalog: Catalog,
  row: EntityRow,
  needed: readonly string[],
  wanted: readonly string[],
): Served | null {
  const primary = catalog.cgs.entities.get(row.entity)?.primaryRead;
  const names = [...new Set([...needed, ...wanted])];
  const rank = ({ capability }: Served): readonly number[] => [
    names.filter((name) => provides(capability, name)).length,
    capability.name === primary ? 1 : 0,
    capability.name === `${row.entity.toLowerCase()}_get` ? 1 : 0,
  ];
  const candidates = capabilitiesOf(catalog.cgs, row.entity)
    .filter((capability) => capability.kind === "get" && capability.needsIdentity)
    .filter((capability) => !row.loadedBy.has(capability.name))
    .filter((capability) => needed.some((name) => provides(capability, name)))
    .toSorted((a, b) => compareCodePoints(a.name, b.name))
    .flatMap((capability) => {
      const template = catalog.cml.get(capability.name);
      const runs = template?.transport === "http" || template?.transport === "graphql";
      return runs ? [{ capability, template }] : [];
    })
    .filter((served) => isBound(catalog, served, row));
  const ranked = candidates.map((served) => ({ served, rank: rank(served) }));
  const best = ranked.toSorted((a, b) => {
    const at = a.rank.findIndex((value, i) => value !== b.rank[i]);
    return at < 0 ? 0 : (b.rank[at] ?? 0) - (a.rank[at] ?? 0);
  })[0];
  return best?.served ?? null;
}
