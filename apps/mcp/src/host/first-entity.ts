import { capabilitiesOf, compareCodePoints, type Catalog } from "@plasm/core";

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
