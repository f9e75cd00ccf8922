import { catalogOf, type EntityKey } from "../../catalog/federation.ts";
import { capabilitySlots } from "../../mapping/capability-slots.ts";
import type { Capability } from "../../model/model.ts";
import type { Slot } from "../../model/input.ts";
import type { CheckContext } from "../check-context.ts";
import { speakerLike } from "../names/name-formatter.ts";
import { inputSample } from "../inputs/input-text.ts";

/** A call with its required arguments as samples, `label(a=1, b="text")`, in the notation of `written`. */
export function callForm(
  context: CheckContext,
  entity: EntityKey,
  capability: Capability,
  written: string,
): string {
  const catalog = catalogOf(context.exposure.catalogs, entity.entryId);
  const required = capabilitySlots(catalog, capability).slots.filter((slot) => slot.required);
  return `${written}(${argumentForms(context, entity, required, written)})`;
}

/** Slots as `name=sample`, comma-separated. */
export function argumentForms(
  context: CheckContext,
  entity: EntityKey,
  slots: readonly Slot[],
  written: string,
): string {
  const speaker = speakerLike(context.exposure, written);
  return slots
    .map((slot) => {
      const code = (wire: string): string => speaker.code(wire);
      const sample = inputSample(context.exposure, entity.entryId, slot.input, code);
      return `${speaker.code(slot.name)}=${sample}`;
    })
    .join(", ");
}
