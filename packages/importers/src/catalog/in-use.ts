import type { Capabilities } from "./capabilities.ts";
import type { CapabilityDraft } from "./capability-draft.ts";
import type { EntityDraft } from "./entity-draft.ts";
import type { EntityFields } from "./entity-fields.ts";
import type { ValueEntry } from "./value-table.ts";

/** Entities that something can be done with, and those that rows or arguments of these refer to. */
export function keptEntities(
  all: readonly EntityDraft[],
  used: ReadonlySet<EntityDraft>,
  fields: ReadonlyMap<EntityDraft, EntityFields>,
  { capabilities, relations }: Pick<Capabilities, "capabilities" | "relations">,
): readonly EntityDraft[] {
  const kept = new Set(used);
  for (const { slots } of capabilities)
    for (const { ref, refsWithin = [] } of slots)
      for (const one of [ref, ...refsWithin]) if (one !== null) kept.add(one);
  // Grows while it is walked through: what is referred to refers to others.
  for (const entity of kept) {
    const own = fields.get(entity);
    for (const { ref } of own?.fields ?? []) if (ref !== null) kept.add(ref);
    for (const { target } of own?.held ?? []) kept.add(target);
    for (const { target } of relations.get(entity) ?? []) kept.add(target);
  }
  return all.filter((entity) => kept.has(entity));
}

/** Every name that stands under `value_ref` in a form. */
function namesIn(form: unknown): readonly string[] {
  if (typeof form !== "object" || form === null) return [];
  return Object.entries(form).flatMap(([key, value]) =>
    key === "value_ref" && typeof value === "string" ? [value] : namesIn(value),
  );
}

/** The values that fields and arguments refer to, by themselves or in lists. */
export function usedValues(
  entries: ReadonlyMap<string, ValueEntry>,
  capabilities: readonly CapabilityDraft[],
  fields: readonly (EntityFields | undefined)[],
): ReadonlyMap<string, ValueEntry> {
  const direct = [
    ...fields.flatMap((own) => (own?.fields ?? []).map(({ value }) => value)),
    ...capabilities.flatMap(({ slots }) =>
      slots.flatMap(({ type }) => (type.kind === "value" ? [type.value] : namesIn(type.form))),
    ),
  ];
  const used = new Set(direct.flatMap((name) => [name, ...namesIn(entries.get(name))]));
  return new Map([...entries].filter(([name]) => used.has(name)));
}
