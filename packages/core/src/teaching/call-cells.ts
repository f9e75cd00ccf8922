import type { EntityKey } from "../catalog/federation.ts";
import { capabilitySlots } from "../mapping/capability-slots.ts";
import { anchorUse } from "../mapping/anchors.ts";
import type { Capability } from "../model/model.ts";
import type { Slot } from "../model/input.ts";
import { keyParts } from "../model/lookups.ts";
import { type Cell, joinCells, keyForm } from "./cell.ts";
import type { EntityFacts } from "./entity-facts.ts";
import type { NameUse, TypePlace } from "./row.ts";
import { ruleTexts } from "./contract.ts";
import type { Scene } from "./notation.ts";
import {
  briefCell,
  constructorCell,
  type NamedShape,
  namedShapes,
  optionSample,
  type SlotUse,
  unionShapes,
} from "./value-shapes.ts";

/** The code of a row with the names it uses. */
export interface Code {
  readonly left: Cell;
  /** the same with the compound key of its receiver written out, where `left` leaves that to `$` */
  readonly whole: Cell | null;
  readonly opt: readonly string[];
  /** what its arguments have to satisfy beyond their types (RUN-016) */
  readonly rules: readonly string[];
  readonly uses: readonly NameUse[];
}

/** The exposed entity as a head: `e1`. */
export function entityCell(scene: Scene, key: EntityKey): Cell {
  return [scene.spell.entity(key) ?? key.entity];
}

/** The row of an entity by its key, with the names of a compound key: `e2(p13=$, p9=$)`. */
export function keyedCode(scene: Scene, facts: EntityFacts): Code {
  const left = constructorCell(scene, facts.key) ?? [];
  return { left, whole: null, opt: [], rules: [], uses: keyUses(scene, facts) };
}

/** The row of an entity that a step follows, a key with names left to `$` and, as a whole, written out. */
export function receiverCode(scene: Scene, facts: EntityFacts): Code {
  const keyed = keyedCode(scene, facts);
  const brief = briefCell(scene, facts.key);
  return brief === null ? keyed : { ...keyed, left: brief, whole: keyed.left };
}

/** A code with more behind its receiver. */
export function withStep(
  receiver: Pick<Code, "left" | "whole">,
  step: Cell,
): Pick<Code, "left" | "whole"> {
  const whole = receiver.whole && [...receiver.whole, ...step];
  return { left: [...receiver.left, ...step], whole };
}

/** Calls of a capability by its label, one per variant of a union (TEACH-16 to TEACH-18). */
export function callCodes(
  scene: Scene,
  facts: EntityFacts,
  capability: Capability,
): readonly Code[] {
  // Reads by key and methods that need their row show it; creates and lists never do (TEACH-35).
  const receiver =
    anchorUse(facts.catalog, capability) === "required"
      ? receiverCode(scene, facts)
      : { left: entityCell(scene, facts.key), whole: null, opt: [], rules: [], uses: [] };
  const method = { ...facts.key, label: capability.label };
  const ofList = capability.kind === "query" || capability.kind === "search";
  const { slots, union } = capabilitySlots(facts.catalog, capability);
  const { entryId } = facts.key;
  const shapes =
    union === null
      ? namedShapes(scene, entryId, slots, "=")
      : unionShapes(scene, entryId, union, slots, "=");
  return shapes.map((shape) => ({
    ...withStep(receiver, [
      `.${scene.spell.method(method)}(`,
      ...argumentCell(scene, entryId, shape, slots),
      ")",
    ]),
    opt: shape.opt,
    rules: ruleTexts(scene.spell, capability, shape.uses),
    uses: [...receiver.uses, ...placed(shape.uses, { kind: "argument", method, ofList })],
  }));
}

/** The parts of a key that is written with their names, or whose type no row would say (TEACH-20). */
export function keyUses(scene: Scene, facts: EntityFacts): readonly NameUse[] {
  const { named } = keyForm(scene, facts.key);
  return named ? fieldUses(facts, keyParts(facts.entity)) : [];
}

/** Uses of fields as columns or key parts; parts that are no field have text keys. */
export function fieldUses(
  facts: Pick<EntityFacts, "key" | "entity">,
  names: readonly string[],
): readonly NameUse[] {
  const place: TypePlace = { kind: "field", entity: facts.key };
  return names.map((name) => {
    const field = facts.entity.fields.get(name);
    const type = field?.type ?? { kind: "string" as const, semantics: "short" as const };
    const description = field?.description ?? "";
    return { place, name, path: name, input: { kind: "value", type }, description };
  });
}

/** Columns behind what reads rows; nothing where there are none. */
export function columnCell(scene: Scene, columns: readonly string[]): Cell {
  if (columns.length === 0) return [];
  return [`[${columns.map((name) => scene.spell.name(name)).join(",")}]`];
}

/** Slot uses at a place. */
export function placed(uses: readonly SlotUse[], place: TypePlace): readonly NameUse[] {
  return uses.map((use) => ({ ...use, place }));
}

/** What is required; `..` if that is nothing but there are options, so that none looks required. */
function argumentCell(
  scene: Scene,
  entryId: string,
  shape: NamedShape,
  slots: readonly Slot[],
): Cell {
  if (shape.items.length > 0) return joinCells(shape.items, ", ");
  const options = slots.filter(({ required }) => !required);
  const option = options.find((slot) => slot.name === shape.opt[0]) ?? options[0];
  return option === undefined ? [] : [{ hole: "..", sample: optionSample(scene, entryId, option) }];
}
