import type { Catalog } from "../src/mapping/template.ts";
import type { Policy } from "../src/policy/policy.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { foldWaves } from "../src/symbols/waves.ts";
import { compareCodePoints } from "../src/base/text.ts";

/** An exposure of catalogs, each whole and in a wave of its own, or only some of their entities. */
export function exposureOf(
  catalogs: readonly Catalog[],
  entities?: readonly string[],
  policy: Policy = {},
): Exposure {
  const set = new Map(catalogs.map((catalog) => [catalog.entryId, catalog]));
  const log = catalogs.map(({ entryId, digest, cgs }) => ({
    entryId,
    digest,
    entities: (entities ?? [...cgs.entities.keys()]).toSorted(compareCodePoints),
  }));
  return { catalogs: set, log, symbols: foldWaves(log, set), notation: "symbols", policy };
}
