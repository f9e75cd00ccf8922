import type { EntityKey } from "../../federation/entity-key.ts";
import { usableCapabilities } from "../access.ts";
import type { CheckContext } from "../check-context.ts";
import { listSlots } from "../conditions/condition-names.ts";

/** The parameters of an entity's queries, searches where there is none: what LANG-027 leaves to the list. */
export function queryParameters(context: CheckContext, entity: EntityKey): ReadonlySet<string> {
  const usable = usableCapabilities(context, entity);
  const hasQuery = usable.some(({ kind }) => kind === "query");
  const lists = listSlots(context, entity).filter(
    ({ capability }) => !hasQuery || capability.kind === "query",
  );
  return new Set(lists.flatMap(({ slots }) => [...slots.keys()]));
}
