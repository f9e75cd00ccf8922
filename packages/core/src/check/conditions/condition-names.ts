import { catalogOf } from "../../federation/entity-of.ts";
import type { EntityKey } from "../../federation/entity-key.ts";
import { capabilitySlots, sentSlots } from "../../mapping/capability-slots.ts";
import type { Capability } from "../../schema/capability.ts";
import type { Slot } from "../../schema/input.ts";
import { compareCodePoints } from "../../text/compare-code-points.ts";
import { deniedCapabilities, usableCapabilities } from "../access.ts";
import type { CheckContext } from "../check-context.ts";
import { columnNames } from "../columns/row-columns.ts";
import type { Speaker } from "../names/speaker.ts";
import type { RowType } from "../row-type.ts";

/** A list of an entity, and the slots by which its conditions are sent (MAP-004). */
export interface ListSlots {
  readonly capability: Capability;
  readonly slots: ReadonlyMap<string, Slot>;
}

/** The usable queries and searches of an entity with the slots a condition can be sent by. */
export const listSlots = (context: CheckContext, entity: EntityKey): readonly ListSlots[] =>
  slotsOf(context, entity, usableCapabilities(context, entity));

/** The query or search of this parameter that was taught and is forbidden since, or null (SURF-25). */
export function deniedTaking(
  context: CheckContext,
  entity: EntityKey,
  name: string,
): Capability | null {
  const denied = deniedCapabilities(context, entity, ["query", "search"]);
  const found = slotsOf(context, entity, denied).find(({ slots }) => slots.has(name));
  return found?.capability ?? null;
}

function slotsOf(
  context: CheckContext,
  entity: EntityKey,
  capabilities: readonly Capability[],
): readonly ListSlots[] {
  const catalog = catalogOf(context.exposure.catalogs, entity.entryId);
  return capabilities
    .filter(({ kind }) => kind === "query" || kind === "search")
    .map((capability) => {
      const sent = sentSlots(catalog, capability);
      const { slots } = capabilitySlots(catalog, capability);
      const named = slots.filter((slot) => sent.has(slot.name));
      return { capability, slots: new Map(named.map((slot) => [slot.name, slot])) };
    });
}

/** All names a condition on these rows may use, sorted. */
export function conditionNames(context: CheckContext, rows: RowType): readonly string[] {
  const columns = columnNames(context.exposure, rows);
  if (rows.entity === null) return columns;
  const lists = listSlots(context, rows.entity);
  const slots = lists.flatMap((list) =>
    [...list.slots.values()].filter((slot) => slot.role !== "search").map((slot) => slot.name),
  );
  return [...new Set([...columns, ...slots])].toSorted(compareCodePoints);
}

/** The labels of the lists that take a parameter. */
export function takingLabels(
  context: CheckContext,
  entity: EntityKey,
  name: string,
  speaker: Speaker,
): string {
  return listSlots(context, entity)
    .filter(({ slots }) => slots.has(name))
    .map(({ capability }) => speaker.method(entity, capability.label))
    .join(", ");
}
