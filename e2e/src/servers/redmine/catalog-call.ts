import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalog, Json, JsonObject } from "@plasm/core";
import {
  evaluateRequest,
  loadCatalog,
  type MappingResult,
  type RequestDescription,
  slotsOf,
} from "@plasm/core/internal";

const DIRECTORY = join(import.meta.dirname, "../../../../catalogs/redmine");

/** The shipped catalog, read from its files; throws with its diagnostics if it does not load. */
export function redmineCatalog(): Catalog {
  const read = (file: string) => ({ file, text: readFileSync(join(DIRECTORY, file), "utf8") });
  const { catalog, diagnostics } = loadCatalog({
    entryId: "redmine",
    domain: read("domain.yaml"),
    mappings: read("mappings.yaml"),
  });
  if (catalog === null) throw new Error(JSON.stringify(diagnostics, null, 2));
  return catalog;
}

/** A capability with its arguments in wire form; `on` is the id of the row it is called on. */
export interface CatalogCall {
  readonly capability: string;
  readonly on?: number;
  readonly args?: JsonObject;
}

/**
 * The request that the catalog's template makes of a call: identity and arguments bound (RUN-010),
 * optional parameters that are not given nothing. Throws if the catalog has no such HTTP capability.
 */
export function requestOf(
  catalog: Catalog,
  { capability: name, on, args = {} }: CatalogCall,
): MappingResult<RequestDescription> {
  const capability = catalog.cgs.capabilities.get(name);
  const template = catalog.cml.get(name);
  if (capability === undefined || template?.transport !== "http") {
    throw new Error(`no HTTP capability ${name}`);
  }
  const slots = slotsOf(capability);
  for (const given of Object.keys(args)) {
    if (!slots.some((slot) => slot.name === given)) throw new Error(`${name} has no ${given}`);
  }
  const missing = slots.find((slot) => slot.required && !Object.hasOwn(args, slot.name));
  if (missing !== undefined) throw new Error(`${name} needs ${missing.name}`);
  const identity: readonly [string, Json][] = on === undefined ? [] : [["id", on]];
  return evaluateRequest(template, {
    bindings: new Map([...identity, ...Object.entries(args)]),
    optional: new Set(slots.filter((slot) => !slot.required).map((slot) => slot.name)),
    functions: new Map(),
  });
}
