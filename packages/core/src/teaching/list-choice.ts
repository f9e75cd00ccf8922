import type { Catalog } from "../mapping/template.ts";
import { capabilitySlots, sentSlots } from "../mapping/capability-slots.ts";
import { isOpenList, searchSlot } from "../mapping/open-lists.ts";
import type { Capability } from "../model/model.ts";
import type { InputType, Slot } from "../model/input.ts";
import { type CatalogSet, type EntityKey, entityOf } from "../catalog/federation.ts";
import { optionText } from "../language/grammar/printer.ts";
import { keyParts } from "../model/lookups.ts";
import { type ValueType, valueTypeText } from "../values/value-type.ts";

/** What a list takes as conditions, and the slot that takes the searched text (RUN-110). */
export interface SlotsOfList {
  readonly text: Slot | null;
  readonly required: readonly Slot[];
  readonly optional: readonly Slot[];
  readonly declared: number;
}

/** The slots of a query or search that its request really carries (MAP-004, RUN-111). */
export function slotsOfList(catalog: Catalog, list: Capability): SlotsOfList {
  const { slots } = capabilitySlots(catalog, list);
  const sent = sentSlots(catalog, list);
  const text = list.kind === "search" ? searchSlot(slots) : null;
  const conditions = slots.filter((slot) => slot !== text);
  return {
    text,
    required: conditions.filter((slot) => slot.required),
    optional: conditions.filter((slot) => !slot.required && sent.has(slot.name)),
    declared: slots.length,
  };
}

/** Whether a list can be had at all by conditions: each required slot is one its request carries. */
export function isSatisfiable(catalog: Catalog, list: Capability): boolean {
  const sent = sentSlots(catalog, list);
  const { text, required } = slotsOfList(catalog, list);
  if (list.kind === "search" && text === null) return false;
  return required.every((slot) => sent.has(slot.name));
}

/**
 * Whether the choice of RUN-110 takes `list` when exactly its required slots are given: of lists that
 * need nothing the default; of others the one that binds more required slots than any other of its kind,
 * else has fewer declared ones (TEACH-17).
 */
export function isChosen(
  catalog: Catalog,
  list: Capability,
  others: readonly Capability[],
  defaults: readonly Capability[],
): boolean {
  if (isOpenList(catalog, list) && !defaults.includes(list)) return false;
  const given = new Set(slotsOfList(catalog, list).required.map((slot) => slot.name));
  const own = rank(catalog, list, given);
  return others.every((other) => {
    if (other === list || !isFitting(catalog, other, given)) return true;
    if (isOpenList(catalog, other) && !defaults.includes(other)) return true;
    return compareRank(own, rank(catalog, other, given)) > 0;
  });
}

function isFitting(catalog: Catalog, list: Capability, given: ReadonlySet<string>): boolean {
  const { required } = slotsOfList(catalog, list);
  const sent = sentSlots(catalog, list);
  return required.every((slot) => given.has(slot.name) && sent.has(slot.name));
}

type Rank = readonly [required: number, optional: number, fewest: number];

/** What a list binds of given slots; a search is given its text, too. */
function rank(catalog: Catalog, list: Capability, given: ReadonlySet<string>): Rank {
  const { text, required, optional, declared } = slotsOfList(catalog, list);
  const bound = optional.filter((slot) => given.has(slot.name)).length;
  const needsText = text?.required === true;
  const takesText = text?.required === false;
  return [required.length + Number(needsText), bound + Number(takesText), -declared];
}

function compareRank(a: Rank, b: Rank): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** A declared type and the catalog whose entities its references mean. */
export interface TypeRef {
  readonly entryId: string;
  readonly input: InputType;
}

/** What type texts are written against: the catalogs, and how an exposed entity is spelled. */
interface TypeScope {
  readonly catalogs: CatalogSet;
  readonly entity: (key: EntityKey) => string | null;
  /** whether the key of an exposed entity is to be read in a reference to it, and how its parts are spelled */
  readonly key?: {
    readonly isDue: (key: EntityKey) => boolean;
    readonly part: (name: string) => string;
  };
}

/** The type text of a slot (TEACH-21): `str`, `a|b`, `[uuid]`, `e5`, `Plot(str)`, `object`. */
export function taughtTypeText(type: TypeRef, scope: TypeScope): string {
  return inputText(type.input, type.entryId, scope);
}

/** The type of a field or parameter that takes one value. */
function valueRef(entryId: string, type: ValueType): TypeRef {
  return { entryId, input: { kind: "value", type } };
}

/** The type of the elements, if a type is an array, else null. */
export function elementRef({ entryId, input }: TypeRef): TypeRef | null {
  if (input.kind === "array") return { entryId, input: input.element };
  if (input.kind !== "value") return null;
  if (input.type.kind === "array") return valueRef(entryId, input.type.items);
  if (input.type.kind !== "multi_select") return null;
  return valueRef(entryId, { kind: "select", options: input.type.options });
}

/** The entity a type names, itself or as its elements: its text changes when that is exposed. */
export function referenceOf(type: TypeRef): EntityKey | null {
  const { input, entryId } = type;
  if (input.kind === "value" && input.type.kind === "entity_ref") {
    return { entryId, entity: input.type.target };
  }
  const element = elementRef(type);
  return element === null ? null : referenceOf(element);
}

function inputText(input: InputType, entryId: string, scope: TypeScope): string {
  switch (input.kind) {
    case "none":
      return "null";
    case "value":
      return valueText(input.type, entryId, scope);
    case "array":
      return `[${inputText(input.element, entryId, scope)}]`;
    case "object":
      return input.fields.length === 0 ? "json" : "object";
    case "union":
      return "object";
  }
}

const valueText = (type: ValueType, entryId: string, scope: TypeScope): string =>
  valueTypeText(type, {
    option: optionText,
    reference: (entity) => referenceText({ entryId, entity }, scope),
  });

function referenceText(key: EntityKey, scope: TypeScope): string {
  const exposed = scope.entity(key);
  return exposed === null || scope.key?.isDue(key) === true ? keyedText(key, scope, []) : exposed;
}

/** `Plot(str)`; a compound key names its parts, as its constructor does: `Part(maker=str, no=int)`. */
function keyedText(key: EntityKey, scope: TypeScope, above: readonly string[]): string {
  const parts = keyParts(entityOf(scope.catalogs, key));
  const types = parts.map((part) => keyText(key, part, scope, [...above, key.entity]));
  const exposed = scope.entity(key);
  const head = exposed ?? key.entity;
  if (parts.length === 1) return `${head}(${types.join("")})`;
  const spell = exposed === null ? undefined : scope.key?.part;
  const named = parts.map((part, at) => `${spell?.(part) ?? part}=${types[at] ?? "str"}`);
  return `${head}(${named.join(", ")})`;
}

/** A key part that is itself a reference is written as the key it stands for. */
function keyText(key: EntityKey, part: string, scope: TypeScope, above: readonly string[]): string {
  const type = entityOf(scope.catalogs, key).fields.get(part)?.type;
  if (type === undefined) return "str";
  if (type.kind !== "entity_ref") return valueText(type, key.entryId, scope);
  if (above.includes(type.target)) return "str";
  const target = { entryId: key.entryId, entity: type.target };
  const [only, second] = keyParts(entityOf(scope.catalogs, target));
  if (only === undefined || second !== undefined) return keyedText(target, scope, above);
  return keyText(target, only, scope, [...above, type.target]);
}
