import {
  capabilitiesOf,
  compareCodePoints,
  mayUseApi,
  mayUseCapability,
  type Catalog,
  type JsonObject,
  type Policy,
} from "@plasm/core";
import { credentialHelp } from "@plasm/runtime";
import { fail } from "../errors/failure.ts";
import type { CatalogRegistry, RegisteredCatalog } from "../ports.ts";

function row(registered: RegisteredCatalog): JsonObject {
  const { catalog, credentials } = registered;
  const { cgs } = catalog;
  return {
    entry_id: catalog.entryId,
    label: cgs.label,
    description: cgs.description,
    tags: [...cgs.tags],
    aliases: [...cgs.registryAliases],
    version: cgs.version,
    digest: catalog.digest,
    entities: cgs.entities.size,
    capabilities: cgs.capabilities.size,
    credentials,
    ...(credentials ? {} : { credentials_needed: credentialHelp(catalog) }),
  };
}

/** The catalogs a policy permits, by entry id (RUN-183). */
export const listRegistry = (registry: CatalogRegistry, policy: Policy): readonly JsonObject[] =>
  registry
    .list()
    .filter((one) => mayUseApi(policy, one.catalog.entryId))
    .toSorted((a, b) => compareCodePoints(a.catalog.entryId, b.catalog.entryId))
    .map(row);

function entityRow(catalog: Catalog, policy: Policy, name: string): JsonObject {
  const capabilities = capabilitiesOf(catalog.cgs, name)
    .filter((one) => mayUseCapability(policy, catalog.entryId, one))
    .map((one): JsonObject => ({
      label: one.label,
      kind: one.kind,
      description: one.description,
    }));
  const description = catalog.cgs.entities.get(name)?.description ?? "";
  return { entity: name, description, capabilities };
}

/** One permitted catalog with its entities and capabilities; a forbidden one answers as unknown. */
export function registryEntry(
  registry: CatalogRegistry,
  policy: Policy,
  entryId: string,
): JsonObject {
  const registered = mayUseApi(policy, entryId) ? registry.get(entryId) : undefined;
  if (registered === undefined) throw fail("plasm-unknown-catalog", `No catalog ${entryId}.`);
  const { catalog } = registered;
  const names = [...catalog.cgs.entities.values()].filter((one) => !one.abstract);
  const entities = names
    .map((one) => one.name)
    .toSorted(compareCodePoints)
    .map((name) => entityRow(catalog, policy, name));
  return { ...row(registered), entities };
}
