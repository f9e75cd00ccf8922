import { getByKey } from "../check/reads/gets-by-key.ts";
import { type EntityKey, entityOf } from "../catalog/federation.ts";
import type { InputType, Slot, Variant } from "../model/input.ts";
import { keyParts } from "../model/lookups.ts";
import { discriminatorInput, type UnionInput } from "../model/slots-of.ts";
import { type Cell, fillCell, joinCells, keyForm, sampleFor } from "./cell.ts";
import { wireText } from "../language/grammar/printer.ts";
import type { Scene } from "./notation.ts";

/** A slot that a row shows or names, with the type it has there. */
export interface SlotUse {
  readonly name: string;
  /** its name behind those of the slots it is a member of: `p3.p5`, in wire names */
  readonly path: string;
  readonly input: InputType;
  readonly description: string;
}

/** One way to write a value: what is required shown, the rest named (TEACH-16, TEACH-18). */
export interface ValueShape {
  readonly cell: Cell;
  readonly uses: readonly SlotUse[];
  /** paths of optional slots inside that the cell does not show, in wire names */
  readonly opt: readonly string[];
}

/** One way to write named values: the arguments of a call, the members of an object. */
export interface NamedShape {
  readonly items: readonly Cell[];
  readonly uses: readonly SlotUse[];
  readonly opt: readonly string[];
}

/**
 * The ways to write a value, the plain one first: a reference to an exposed entity as its
 * constructor, an array as `[$]`, an object with what it requires, a union once per variant.
 */
function valueShapes(
  scene: Scene,
  entryId: string,
  input: InputType,
  path: string,
): readonly ValueShape[] {
  switch (input.kind) {
    case "none":
      return [plain(["null"])];
    case "value":
      return [plain(valueCell(scene, entryId, input))];
    case "array":
      return valueShapes(scene, entryId, input.element, path).map((shape) => ({
        ...shape,
        cell: ["[", ...shape.cell, "]"],
      }));
    case "object":
      if (taughtSlots(scene, input.fields).length === 0)
        return [plain(hole(scene, entryId, input))];
      return namedShapes(scene, entryId, input.fields, ": ", path).map(asObject);
    case "union":
      return unionShapes(scene, entryId, input, [], ": ", path).map(asObject);
  }
}

/**
 * The ways to write slots by name: required ones shown in order, one more way per union variant. `above` is the
 * path of the slot whose members they are.
 */
export function namedShapes(
  scene: Scene,
  entryId: string,
  declared: readonly Slot[],
  sign: "=" | ": ",
  above = "",
): readonly NamedShape[] {
  const slots = taughtSlots(scene, declared);
  const choices = slots.map((slot) => ({
    slot,
    shapes: valueShapes(scene, entryId, slot.input, memberPath(above, slot.name)),
  }));
  const base = choices.map(({ slot, shapes }) => (slot.required ? shapes[0] : undefined));
  const others = choices.flatMap(({ slot, shapes }, at) => {
    const further = slot.required ? shapes.slice(1) : hasMembers(scene, slot.input) ? shapes : [];
    return further.map((shape) => base.with(at, shape));
  });
  return [base, ...others].map((shown) => namedShape(scene, slots, shown, sign, above));
}

/** The slots that rows show: what is rarely given stands in tables in full alone (TEACH-46). */
function taughtSlots<S extends Slot>({ inFull }: Scene, slots: readonly S[]): readonly S[] {
  return inFull ? slots : slots.filter((slot) => !isRare(slot));
}

/** Whether a slot is rarely given: it says so, or all that could be given in it is. */
export function isRare({ required, detail, input }: Slot): boolean {
  return !required && (detail === true || isHollow(input));
}

function isHollow(input: InputType): boolean {
  if (input.kind === "array") return isHollow(input.element);
  return input.kind === "object" && input.fields.length > 0 && input.fields.every(isRare);
}

/** The path of a member of a slot: a name alone is an argument. */
function memberPath(above: string, name: string): string {
  return above === "" ? name : `${above}.${name}`;
}

/** One way per variant: the discriminator filled in, then the slots beside it and its own (TEACH-18). */
export function unionShapes(
  scene: Scene,
  entryId: string,
  union: UnionInput,
  beside: readonly Slot[],
  sign: "=" | ": ",
  above = "",
): readonly NamedShape[] {
  const told: SlotUse = {
    name: union.wireField,
    path: memberPath(above, union.wireField),
    input: discriminatorInput(union),
    description: "",
  };
  return union.variants.flatMap((variant: Variant) => {
    const first = `${scene.spell.name(union.wireField)}${sign}${wireText(variant.wireValue)}`;
    const slots = [...beside, ...variant.fields];
    return namedShapes(scene, entryId, slots, sign, above).map((shape) => ({
      items: [[first], ...shape.items],
      uses: [told, ...shape.uses],
      opt: shape.opt,
    }));
  });
}

/**
 * A row by its key with a key that has names left to one `$`: `e2($)`. Null for keys that have no other form,
 * and for entities that are not exposed.
 */
export function briefCell(scene: Scene, key: EntityKey): Cell | null {
  const spelled = scene.spell.entity(key);
  if (spelled === null || !keyForm(scene, key).named) return null;
  const sample = fillCell(constructorCell(scene, key) ?? []);
  return [`${spelled}(`, { hole: "$", sample }, ")"];
}

/** The key of a row in brackets: `e1($)`, `e2(p13=$, p9=$)`; null for an entity that is not exposed. */
export function constructorCell(scene: Scene, key: EntityKey, inside = 0): Cell | null {
  const spelled = scene.spell.entity(key);
  if (spelled === null) return null;
  const entity = entityOf(scene.catalogs, key);
  const parts = keyParts(entity).map((part) => ({
    part,
    type: entity.fields.get(part)?.type ?? { kind: "string" as const, semantics: "short" as const },
  }));
  if (!keyForm(scene, key).named) {
    const type = parts[0]?.type ?? { kind: "json" as const };
    return [`${spelled}(`, ...hole(scene, key.entryId, { kind: "value", type }), ")"];
  }
  const cells = parts.map(({ part, type }): Cell => {
    const input = { kind: "value" as const, type };
    const cell =
      inside < 2
        ? valueCell(scene, key.entryId, input, inside + 1)
        : hole(scene, key.entryId, input);
    return [`${scene.spell.name(part)}=`, ...cell];
  });
  return [`${spelled}(`, ...joinCells(cells, ", "), ")"];
}

/** A reference by its key; one that a row of its entity reads by is written out there. */
function referenceCell(scene: Scene, key: EntityKey, inside: number): Cell | null {
  const brief = briefCell(scene, key);
  return brief !== null && getByKey(scene.rules, key, []) !== null
    ? brief
    : constructorCell(scene, key, inside);
}

function valueCell(
  scene: Scene,
  entryId: string,
  input: Extract<InputType, { kind: "value" }>,
  inside = 0,
): Cell {
  const { type } = input;
  if (type.kind === "entity_ref") {
    const key = { entryId, entity: type.target };
    return referenceCell(scene, key, inside) ?? hole(scene, entryId, input);
  }
  if (type.kind === "array") {
    const items = { kind: "value" as const, type: type.items };
    return ["[", ...valueCell(scene, entryId, items, inside), "]"];
  }
  if (type.kind !== "multi_select") return hole(scene, entryId, input);
  const option = {
    kind: "value" as const,
    type: { kind: "select" as const, options: type.options },
  };
  return ["[", ...hole(scene, entryId, option), "]"];
}

function namedShape(
  scene: Scene,
  slots: readonly Slot[],
  shown: readonly (ValueShape | undefined)[],
  sign: string,
  above: string,
): NamedShape {
  const items: Cell[] = [];
  const uses: SlotUse[] = [];
  const own: string[] = [];
  const inner: string[] = [];
  for (const [at, slot] of slots.entries()) {
    const shape = shown[at];
    const path = memberPath(above, slot.name);
    uses.push({ ...slot, path });
    if (shape === undefined) {
      own.push(path);
      continue;
    }
    items.push([`${scene.spell.name(slot.name)}${sign}`, ...shape.cell]);
    uses.push(...shape.uses);
    inner.push(...shape.opt);
  }
  return { items, uses, opt: [...new Set([...own, ...inner])] };
}

/** What an option is written as where a row shows `..`: `p4=2026-01-31`. */
export function optionSample(scene: Scene, entryId: string, slot: Slot): string {
  const [shape] = valueShapes(scene, entryId, slot.input, slot.name);
  return `${scene.spell.name(slot.name)}=${shape === undefined ? "null" : fillCell(shape.cell)}`;
}

function asObject(shape: NamedShape): ValueShape {
  return { cell: ["{", ...joinCells(shape.items, ", "), "}"], uses: shape.uses, opt: shape.opt };
}

function hasMembers(scene: Scene, input: InputType): boolean {
  if (input.kind === "array") return hasMembers(scene, input.element);
  if (input.kind === "object") return taughtSlots(scene, input.fields).length > 0;
  return input.kind === "union";
}

function hole(scene: Scene, entryId: string, input: InputType): Cell {
  return [{ hole: "$", sample: sampleFor({ entryId, input }, scene.catalogs) }];
}

function plain(cell: Cell): ValueShape {
  return { cell, uses: [], opt: [] };
}
