import { preconditionText } from "../language/grammar/precondition-text.ts";
import type { Catalog } from "../mapping/template.ts";
import { capabilitySlots } from "../mapping/capability-slots.ts";
import { capabilitiesByLabel } from "../model/lookups.ts";
import type { Capability } from "../model/model.ts";
import type { InputType, Slot } from "../model/input.ts";
import { cleanText, TEXT_LIMITS } from "./clean-text.ts";
import { toldNeeds } from "./effect-needs.ts";

/** A description of a catalog that is too long for a table, which shows its beginning (TEACH-13). */
export interface CutText {
  readonly kind: "entity" | "field" | "relation" | "capability" | "argument" | "needs";
  /** `Boat`, `Boat.name`, `Boat.update`, `Boat.update.note` */
  readonly of: string;
  /** code points it has, and may have */
  readonly length: number;
  readonly limit: number;
}

/**
 * Returns the descriptions of entities that no table shows in full: of the entities, then of their fields,
 * relations, capabilities and arguments, in the order of the catalog's names. `isTaught` leaves out capabilities
 * without a row.
 */
export function cutTexts(
  catalog: Catalog,
  entities: readonly string[],
  isTaught: (capability: Capability) => boolean = () => true,
): readonly CutText[] {
  return entities.flatMap((name): readonly CutText[] => {
    const entity = catalog.cgs.entities.get(name);
    if (entity === undefined) return [];
    const of = (kind: CutText["kind"], texts: readonly Described[], path: string): CutText[] =>
      texts.flatMap((each) => cutText(kind, `${path}.${each.name}`, each.description));
    const byName = <T extends Described>(named: ReadonlyMap<string, T>): readonly T[] =>
      [...named.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const capabilities = capabilitiesByLabel(catalog.cgs, name).filter(isTaught);
    return [
      ...cutText("entity", name, entity.description),
      ...of("field", byName(entity.fields), name),
      ...of("relation", byName(entity.relations), name),
      ...capabilities.flatMap((capability) => {
        const path = `${name}.${capability.label}`;
        return [
          ...cutText("capability", path, capability.description),
          ...cutNeeds(path, capability),
          ...of("argument", slotsOf(catalog, capability), path),
        ];
      }),
    ];
  });
}

type Described = Pick<Slot, "name" | "description">;

function cutText(kind: CutText["kind"], of: string, text: string): readonly CutText[] {
  const limit = TEXT_LIMITS[kind === "field" || kind === "argument" ? "slot" : kind];
  const length = Array.from(cleanText(text, Infinity)).length;
  return length > limit ? [{ kind, of, length, limit }] : [];
}

/** The preconditions of an effect, of which its row counts those or the values that do not fit: `needs a, b, … +2`. */
function cutNeeds(of: string, { preconditions }: Capability): readonly CutText[] {
  const texts = preconditions.map((each) => preconditionText(each, undefined, TEXT_LIMITS.needs));
  const lengths = preconditions.map((each) => Array.from(preconditionText(each)).length);
  if (toldNeeds(texts) < texts.length) {
    const length = lengths.reduce((sum, each) => sum + each, 0);
    return [{ kind: "needs", of, length, limit: TEXT_LIMITS.capability }];
  }
  const length = Math.max(0, ...lengths);
  return length > TEXT_LIMITS.needs
    ? [{ kind: "needs", of, length, limit: TEXT_LIMITS.needs }]
    : [];
}

/** The slots of a capability at any depth, each name and text once. */
function slotsOf(catalog: Catalog, capability: Capability): readonly Described[] {
  const { slots, union } = capabilitySlots(catalog, capability);
  const all = [...slots.flatMap(withInner), ...(union === null ? [] : innerSlots(union))];
  return [...new Map(all.map((slot) => [`${slot.name} ${slot.description}`, slot])).values()];
}

const withInner = (slot: Slot): readonly Slot[] => [slot, ...innerSlots(slot.input)];

function innerSlots(input: InputType): readonly Slot[] {
  switch (input.kind) {
    case "none":
    case "value":
      return [];
    case "array":
      return innerSlots(input.element);
    case "object":
      return input.fields.flatMap(withInner);
    case "union":
      return input.variants.flatMap(({ fields }) => fields.flatMap(withInner));
  }
}
