import { groupBy } from "../group-by.ts";
import type { CapabilityDraft, SlotDraft } from "./capability-draft.ts";
import type { EntityDraft } from "./entity-draft.ts";
import type { EntityFields, FieldDraft } from "./entity-fields.ts";
import type { MarkedCatalog } from "./small-tables.ts";

/** A description of which another says this share is not worth saying beside it. */
const SAME = 0.75;

/** Words that say nothing of a thing. */
const PLAIN = new Set(
  "a all an and any are be by can existing for from given has have how if in is it its new of on or s should specified that the their this to use used was we what when where whether which will with you your".split(
    " ",
  ),
);

/** Words that change what a value means, however little they are of a description. */
const TELLING =
  /\d|^(?:cents?|percent|seconds?|milliseconds?|minutes?|hours?|days?|weeks?|months?|years?|bytes?|kilobytes?|megabytes?|meters?|metres?|utc|gmt|iso|unix|format|comma|separated|not|no|never|only|must|minimum|maximum|least|most)$/;

/** As much of a word as its forms have alike: `associated` and `associate`. */
const STEM = 4;

const wordsIn = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !PLAIN.has(word));

const stemOf = (word: string): string => word.slice(0, STEM);

/** Whether a description says hardly anything that the other does not. */
function isSaidBy(description: string, other: string): boolean {
  const known = new Set(wordsIn(other).map(stemOf));
  const words = wordsIn(description);
  const news = words.filter((word) => !known.has(stemOf(word)));
  return !news.some((word) => TELLING.test(word)) && news.length <= words.length * (1 - SAME);
}

/** Which effects say what a field is: that which changes a row before that which makes one. */
const SAYERS = ["update", "create"];

/** A field without a description with that of the argument which sets it, where both are of one type. */
function described(field: FieldDraft, own: readonly CapabilityDraft[]): FieldDraft {
  if (field.description !== "") return field;
  for (const kind of SAYERS) {
    for (const { slots } of own.filter((one) => one.kind === kind)) {
      const found = slots.find(({ name }) => name === field.name);
      const isSame = found?.type.kind === "value" && found.type.value === field.value;
      if (found !== undefined && isSame && found.description !== "")
        return { ...field, description: found.description };
    }
  }
  return field;
}

/**
 * Says each thing once: a field without a description has that of the argument which sets it, and an argument none
 * where its field says the same in other words.
 */
export function shareNotes(
  capabilities: readonly CapabilityDraft[],
  fields: ReadonlyMap<EntityDraft, EntityFields>,
): MarkedCatalog {
  const told = new Map(fields);
  const notes = new Map<EntityDraft, ReadonlyMap<string, string>>();
  for (const [entity, own] of groupBy(capabilities, (one) => one.entity)) {
    const known = fields.get(entity);
    if (known === undefined) continue;
    const columns = known.fields.map((field) => described(field, own));
    told.set(entity, { ...known, fields: columns });
    notes.set(entity, new Map(columns.map(({ name, description }) => [name, description])));
  }
  const brief = (entity: EntityDraft, slot: SlotDraft): SlotDraft => {
    const note = notes.get(entity)?.get(slot.name) ?? "";
    const isSaid = note !== "" && slot.description !== "" && isSaidBy(slot.description, note);
    return isSaid ? { ...slot, description: "" } : slot;
  };
  return {
    capabilities: capabilities.map((one) => ({
      ...one,
      slots: one.slots.map((slot) => brief(one.entity, slot)),
    })),
    fields: told,
  };
}
