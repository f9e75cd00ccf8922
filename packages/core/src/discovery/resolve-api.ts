import type { Catalog } from "../mapping/catalog.ts";
import { mayUseApi } from "../policy/may-use.ts";
import type { Policy } from "../policy/policy.ts";
import { compareCodePoints } from "../text/compare-code-points.ts";
import { editDistance } from "../text/edit-distance.ts";
import { listNames } from "./list-names.ts";
import { shownName } from "./shown-name.ts";

/** What a catalog name in a seed means; the texts name permitted catalogs only. */
export type ResolvedApi =
  | { readonly ok: true; readonly entryId: string }
  | {
      readonly ok: false;
      readonly reason: "ambiguous" | "unknown";
      /** the candidates of an ambiguous name, the nearest of an unknown one */
      readonly entryIds: readonly string[];
      readonly message: string;
    };

const FARTHEST = 3;

/**
 * Resolves a catalog name: exact id, else the only catalog with that id, label, tag or alias, case
 * ignored. Forbidden catalogs take no part: their names answer as unknown ones (TEACH-40, RUN-182).
 */
export function resolveApi(name: string, catalogs: Iterable<Catalog>, policy: Policy): ResolvedApi {
  const permitted = permittedCatalogs(catalogs, policy);
  const wanted = name.trim();
  if (permitted.some(({ entryId }) => entryId === wanted)) return { ok: true, entryId: wanted };
  const shown = shownName(wanted);
  const lower = wanted.toLowerCase();
  const found = permitted.filter((catalog) => namesOf(catalog).includes(lower));
  const entryIds = found.map(({ entryId }) => entryId);
  const [only] = entryIds;
  if (only !== undefined && entryIds.length === 1) return { ok: true, entryId: only };
  if (only !== undefined) {
    const message = `${shown} may be ${listNames(entryIds)}: name one of them.`;
    return { ok: false, reason: "ambiguous", entryIds, message };
  }
  const nearest = nearestIds(lower, permitted);
  const known = permitted.map(({ entryId }) => entryId);
  const help =
    nearest.length > 0 ? `Nearest: ${listNames(nearest)}.` : `Catalogs: ${listNames(known)}.`;
  const message = `No catalog ${shown}. ${known.length === 0 ? "There are none." : help}`;
  return { ok: false, reason: "unknown", entryIds: nearest, message };
}

/** The catalogs a caller may use, by id. */
export function permittedCatalogs(catalogs: Iterable<Catalog>, policy: Policy): readonly Catalog[] {
  return [...catalogs]
    .filter(({ entryId }) => mayUseApi(policy, entryId))
    .toSorted((a, b) => compareCodePoints(a.entryId, b.entryId));
}

/** All names of a catalog in lower case: id, label, tags, aliases. */
export function namesOf({ entryId, cgs }: Catalog): readonly string[] {
  const names = [entryId, cgs.label, ...cgs.tags, ...cgs.registryAliases];
  return names.map((name) => name.trim().toLowerCase()).filter((name) => name !== "");
}

function nearestIds(wanted: string, catalogs: readonly Catalog[]): readonly string[] {
  return catalogs
    .map((catalog) => ({
      entryId: catalog.entryId,
      distance: Math.min(...namesOf(catalog).map((name) => editDistance(wanted, name, FARTHEST))),
    }))
    .filter(({ distance }) => distance <= FARTHEST)
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ entryId }) => entryId);
}
