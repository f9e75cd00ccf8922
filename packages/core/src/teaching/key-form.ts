import type { EntityKey } from "../federation/entity-key.ts";
import { entityId } from "../federation/entity-of.ts";
import { anchorUse } from "../mapping/anchor-use.ts";
import { keyParts } from "../schema/key-parts.ts";
import { type EntityFacts, entityFacts } from "./entity-facts.ts";
import type { Scene } from "./scene.ts";

/** How the key of an exposed entity is written in its session. */
export interface KeyForm {
  /** whether a row writes it with the names of its parts, since `E($)` alone would not say what it takes */
  readonly named: boolean;
  /** whether some row of the entity lets a reader know what the key is */
  readonly shown: boolean;
}

const forms = new WeakMap<Scene, Map<string, KeyForm>>();

/**
 * The form of an entity's key (TEACH-16, TEACH-20): a key of one part stands alone where it is the first of the
 * columns shown, or text; a compound one has names always.
 */
export function keyForm(scene: Scene, key: EntityKey): KeyForm {
  const known = forms.get(scene) ?? new Map<string, KeyForm>();
  forms.set(scene, known);
  const id = entityId(key);
  const form = known.get(id) ?? formOf(entityFacts(scene, key));
  known.set(id, form);
  return form;
}

function formOf(facts: EntityFacts): KeyForm {
  const [only = "", second] = keyParts(facts.entity);
  const hasRowsByKey =
    facts.byKey.length > 0 ||
    [...facts.gets, ...facts.methods].some(
      (capability) => anchorUse(facts.catalog, capability) === "required",
    );
  if (second !== undefined) return { named: true, shown: hasRowsByKey };
  const type = facts.entity.fields.get(only)?.type;
  const isText = type === undefined || type.kind === "string";
  const isColumn = facts.entity.domainProjectionExamples && facts.columns.includes(only);
  return { named: !isText && !isColumn, shown: isText || isColumn || hasRowsByKey };
}
