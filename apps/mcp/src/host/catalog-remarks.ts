import { backendSetting, type RegistryEntry } from "@plasm/runtime";
import type { Catalogs } from "./load-catalogs.ts";

/** The warning that a catalog's backend stands for one that only the deployment knows. */
const PLACEHOLDER = "CAT021";

/** Whether calls are refused until the deployment says where the API is (RUN-004). */
export const needsBackend = (
  { catalog, diagnostics }: RegistryEntry,
  backends: ReadonlyMap<string, string>,
): boolean =>
  !backends.has(catalog.entryId) && diagnostics.some(({ code }) => code === PLACEHOLDER);

function missingOf(
  entry: RegistryEntry,
  { ready }: Catalogs,
  backends: ReadonlyMap<string, string>,
): readonly string[] {
  const { entryId, cgs } = entry.catalog;
  const backend = needsBackend(entry, backends) ? [backendSetting(entryId)] : [];
  if (ready.has(entryId)) return backend;
  return [...backend, ("env" in cgs.auth && cgs.auth.env) || "a credential"];
}

/** A line on each catalog that is not on offer, or that cannot be called until something is set. */
export function catalogRemarks(
  catalogs: Catalogs,
  backends: ReadonlyMap<string, string>,
): readonly string[] {
  const waiting = catalogs.entries.flatMap((entry) => {
    const missing = missingOf(entry, catalogs, backends);
    const { entryId } = entry.catalog;
    return missing.length === 0
      ? []
      : [`${entryId}: calls need ${missing.join(" and ")} to be set`];
  });
  return [...catalogs.skipped, ...waiting];
}
