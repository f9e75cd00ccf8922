import type { Catalog } from "@plasm/core";
import { capabilitiesOf, compareCodePoints } from "@plasm/core/internal";
import { backendSetting, credentialHelp, offersSignIn, type RegistryEntry } from "@plasm/runtime";
import type { Catalogs } from "./directory-catalogs.ts";
import type { Environment } from "./environment.ts";

/** The warning that a catalog's backend stands for one that only the deployment knows. */
const PLACEHOLDER = "CAT021";

const isAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Whether calls are refused until the deployment says where the API is (RUN-004). */
export function needsBackend(
  { catalog, diagnostics }: RegistryEntry,
  backends: ReadonlyMap<string, string>,
): boolean {
  const set = backends.get(catalog.entryId);
  return set === undefined ? diagnostics.some(({ code }) => code === PLACEHOLDER) : !isAddress(set);
}

function missingOf(
  entry: RegistryEntry,
  { ready }: Catalogs,
  backends: ReadonlyMap<string, string>,
  env: Environment,
): readonly string[] {
  const { entryId } = entry.catalog;
  const backend = needsBackend(entry, backends)
    ? [
        `calls need ${backendSetting(entryId)} to be ${backends.has(entryId) ? "an http or https address" : "set"}`,
      ]
    : [];
  if (ready.has(entryId)) return backend;
  const login = offersSignIn(entry.catalog, (name) => env[name])
    ? `sign in with plasm auth login ${entryId} --catalogs DIRECTORY, or `
    : "";
  return [...backend, `calls need a credential: ${login}${credentialHelp(entry.catalog)}`];
}

/** A line on each catalog and each part of one that is not on offer, and on each thing a call of one still needs. */
export function catalogRemarks(
  catalogs: Catalogs,
  backends: ReadonlyMap<string, string>,
  env: Environment,
): readonly string[] {
  const waiting = catalogs.entries.flatMap((entry) =>
    missingOf(entry, catalogs, backends, env).map((what) => `${entry.catalog.entryId}: ${what}`),
  );
  const lost = catalogs.entries.flatMap(({ catalog: { entryId, dropped = [] } }) =>
    dropped.map(({ part, why }) => `${entryId}: ${part} is not loaded: ${why}`),
  );
  return [...catalogs.skipped, ...lost, ...waiting];
}

/** An entity whose rows can be had without any argument, and the catalog it is from. */
export interface FirstEntity {
  readonly api: string;
  readonly entity: string;
}

/** An entity of these catalogs to show a newcomer: the first that a query without arguments lists. */
export function firstEntity(catalogs: readonly Catalog[]): FirstEntity | null {
  for (const { entryId, cgs } of catalogs) {
    const names = [...cgs.entities.keys()].toSorted(compareCodePoints);
    const entity = names.find((name) =>
      capabilitiesOf(cgs, name).some(
        ({ kind, parameters }) => kind === "query" && !parameters.some(({ required }) => required),
      ),
    );
    if (entity !== undefined) return { api: entryId, entity };
  }
  return null;
}
