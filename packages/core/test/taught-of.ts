import type { Catalog } from "../src/mapping/template.ts";
import { CURRENT_FEATURES } from "../src/policy/policy.ts";
import type { Notation } from "../src/symbols/exposure.ts";
import { type Taught, teach } from "./teach.ts";

/** A session to which every entity of a catalog that is no abstract one is taught. */
export function taughtOf(catalog: Catalog, notation: Notation): Taught {
  const { entryId, cgs } = catalog;
  const names = [...cgs.entities.values()].flatMap(({ abstract, name }) =>
    abstract ? [] : [name],
  );
  const calls = names.length === 0 ? [] : [[[entryId, ...names] as const]];
  return teach(new Map([[entryId, catalog]]), calls, { notation, features: CURRENT_FEATURES });
}
