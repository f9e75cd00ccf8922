import { entityOf } from "../../federation/entity-of.ts";
import { keyParts } from "../../schema/key-parts.ts";
import type { CheckContext } from "../check-context.ts";
import type { ListRows, TypedPred } from "../typed-program.ts";
import { getsByKey } from "./gets-by-key.ts";
import { type KeyedConditions, keyedConditions } from "./keyed-conditions.ts";
import { isTestable } from "./list-candidates.ts";
import { queryParameters } from "./query-parameters.ts";

/**
 * The get that conditions on a list are (LANG-027): they are exactly the key on an entity with a get,
 * no part of it a parameter of its queries, and otherwise only what can be tested on the row. Else null.
 */
export function keyedRead(
  context: CheckContext,
  list: ListRows,
  conditions: readonly TypedPred[],
): KeyedConditions | null {
  const parts = keyParts(entityOf(context.exposure.catalogs, list.entity));
  const keyed = keyedConditions(parts, conditions);
  if (keyed === null || !keyed.rest.every(isTestable)) return null;
  return isReadByKey(context, list) ? keyed : null;
}

/** Whether a list is a get where conditions name its whole key: of an entity with one, none of its parts sent. */
export function isReadByKey(context: CheckContext, list: ListRows): boolean {
  if (list.search !== null || list.by !== null) return false;
  if (getsByKey(context, list.entity).length === 0) return false;
  const parameters = queryParameters(context, list.entity);
  const parts = keyParts(entityOf(context.exposure.catalogs, list.entity));
  return !parts.some((part) => parameters.has(part));
}
