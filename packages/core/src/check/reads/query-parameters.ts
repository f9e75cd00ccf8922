import { catalogOf } from "../../federation/entity-of.ts";
import type { EntityKey } from "../../federation/entity-key.ts";
import { namesAnotherRow } from "../../mapping/open-lists.ts";
import { usableCapabilities } from "../access.ts";
import type { CheckContext } from "../check-context.ts";
import { listSlots } from "../conditions/condition-names.ts";

/**
 * The parameters of an entity's queries, searches where there is none: what LANG-027 leaves to the list. One that
 * is called like the key and means another row is none of them.
 */
export function queryParameters(context: CheckContext, entity: EntityKey): ReadonlySet<string> {
  const usable = usableCapabilities(context, entity);
  const hasQuery = usable.some(({ kind }) => kind === "query");
  const lists = listSlots(context, entity).filter(
    ({ capability }) => !hasQuery || capability.kind === "query",
  );
  const catalog = catalogOf(context.exposure.catalogs, entity.entryId);
  const named = lists.flatMap(({ capability, slots }) =>
    [...slots.values()].filter((slot) => !namesAnotherRow(catalog, capability, slot)),
  );
  return new Set(named.map(({ name }) => name));
}
