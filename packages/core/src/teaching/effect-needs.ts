import { preconditionText } from "../language/grammar/precondition-text.ts";
import type { Capability } from "../model/model.ts";
import type { Precondition } from "../model/precondition.ts";
import { slotTarget } from "../model/input.ts";
import { slotsOf } from "../model/slots-of.ts";
import { entitySymbol } from "../symbols/symbols.ts";
import { fieldUses } from "./call-cells.ts";
import { TEXT_LIMITS } from "./clean-text.ts";
import type { EntityFacts } from "./entity-facts.ts";
import type { NameUse } from "./row.ts";
import type { Scene } from "./notation.ts";

/**
 * The preconditions of an effect as its row says them, `p8=pending, exists(p9)`, and the fields that they
 * name, which are taught like columns (TEACH-20). A field of an entity that is not exposed has its wire name.
 */
export function needsOf(
  scene: Scene,
  facts: EntityFacts,
  capability: Capability,
): { readonly text: string; readonly uses: readonly NameUse[] } {
  const all = capability.preconditions.map((each) => tell(scene, facts, capability, each));
  const shown = all.slice(0, toldNeeds(all.map(({ text }) => text)));
  const rest = all.length - shown.length;
  const more = rest === 0 ? [] : [`… +${rest}`];
  return {
    text: [...shown.map(({ text }) => text), ...more].join(", "),
    uses: shown.flatMap(({ uses }) => uses),
  };
}

/** How many of an effect's preconditions its row tells: the first, and those that fit (TEACH-13). */
export function toldNeeds(texts: readonly string[]): number {
  let length = 0;
  const over = texts.findIndex((text, at) => {
    length += Array.from(text).length;
    return at > 0 && length > TEXT_LIMITS.capability;
  });
  return over < 0 ? texts.length : over;
}

function tell(
  scene: Scene,
  facts: EntityFacts,
  capability: Capability,
  precondition: Precondition,
): { readonly text: string; readonly uses: readonly NameUse[] } {
  const { param, field } = precondition;
  const slot = slotsOf(capability).find(({ name }) => name === param);
  const target = slot === undefined ? facts.key.entity : (slotTarget(slot) ?? "");
  const key = { entryId: facts.key.entryId, entity: target };
  const entity = facts.catalog.cgs.entities.get(target);
  const known = entity !== undefined && entitySymbol(scene.symbols, key) !== null;
  const name = (wire: string): string => (wire === field && !known ? wire : scene.spell.name(wire));
  return {
    text: preconditionText(precondition, name, TEXT_LIMITS.needs),
    uses: known ? fieldUses({ key, entity }, [field]) : [],
  };
}
