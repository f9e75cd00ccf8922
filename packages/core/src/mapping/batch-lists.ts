import { capabilitiesOf, keyParts } from "../model/lookups.ts";
import { type Capability, isList } from "../model/model.ts";
import { capabilitySlots, sentSlots } from "./capability-slots.ts";
import { isPaged } from "./open-lists.ts";
import { declaredPageSize } from "./page-names.ts";
import type { Catalog } from "./template.ts";

/** Of how many values of `field` a list gives the rows in one request, by `param` (RUN-080). */
export interface BatchList {
  readonly list: Capability;
  readonly param: string;
  readonly size: number;
}

/** How a list is asked for the rows of several values at once, all of them on its first page; null where it is not. */
export function batchOf(catalog: Catalog, list: Capability, field: string): BatchList | null {
  const { batch } = list;
  const template = catalog.cml.get(list.name);
  if (batch?.field !== field || template === undefined || !isList(list.kind)) return null;
  const pages = isPaged(template) ? declaredPageSize(template) : batch.most;
  const { slots } = capabilitySlots(catalog, list);
  const needed = slots.some(({ name, required }) => required && name !== batch.param);
  if (pages === null || needed || !sentSlots(catalog, list).has(batch.param)) return null;
  return { list, param: batch.param, size: Math.min(batch.most, pages) };
}

/**
 * The lists that give rows of an entity by several keys at once, those that take most first: they say that they fill
 * these fields and relations, so that nothing is asked for behind them, and leave no rows out.
 */
export function batchesByKey(
  catalog: Catalog,
  entity: string,
  wanted: readonly string[],
): readonly BatchList[] {
  const owner = catalog.cgs.entities.get(entity);
  const [part, second] = owner === undefined ? [] : keyParts(owner);
  if (part === undefined || second !== undefined) return [];
  return capabilitiesOf(catalog.cgs, entity)
    .filter(({ provides, listsOnly }) => {
      const isFilled = wanted.every((name) => name === part || provides?.includes(name));
      return isFilled && listsOnly === undefined;
    })
    .flatMap((list) => batchOf(catalog, list, part) ?? [])
    .toSorted((a, b) => b.size - a.size);
}
