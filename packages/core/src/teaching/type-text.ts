import { entityOf } from "../federation/entity-of.ts";
import type { CatalogSet } from "../federation/catalog-set.ts";
import type { EntityKey } from "../federation/entity-key.ts";
import type { InputType } from "../schema/input.ts";
import { optionText } from "../language/option-text.ts";
import { keyParts } from "../schema/key-parts.ts";
import type { ValueType } from "../values/value-type.ts";
import { valueTypeText } from "../values/value-type-text.ts";

/** A declared type and the catalog whose entities its references mean. */
export interface TypeRef {
  readonly entryId: string;
  readonly input: InputType;
}

/** What type texts are written against: the catalogs, and how an exposed entity is spelled. */
export interface TypeScope {
  readonly catalogs: CatalogSet;
  readonly entity: (key: EntityKey) => string | null;
  /** whether the key of an exposed entity is to be read in a reference to it, and how its parts are spelled */
  readonly key?: {
    readonly isDue: (key: EntityKey) => boolean;
    readonly part: (name: string) => string;
  };
}

/** The type text of a slot (TEACH-21): `str`, `a|b`, `[uuid]`, `e5`, `Plot(str)`, `object`. */
export function typeText(type: TypeRef, scope: TypeScope): string {
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
