import type { DynamicFields, Json, ProjectedField, ValueType } from "@plasm/core";
import { followKeys } from "../decode/wire-path.ts";
import { isArray, isObject, isScalar, jsonText } from "../json-kinds.ts";
import { identifierOf, overlayText } from "./overlay-template.ts";

/** A part of the API's schema that a field is made of, with the names its templates see. */
export interface FieldItem {
  readonly names: {
    readonly row: Json;
    readonly parent: Json;
    readonly field: Json;
    readonly field_key: string | null;
  };
}

type Extract = DynamicFields["extract"];

/** The fields that parts of the API's schema are; those without a name are left out (RUN-103). */
export function projectFields(
  rule: DynamicFields,
  items: readonly FieldItem[],
): readonly ProjectedField[] {
  return items.flatMap((item) => {
    if (isSkipped(rule, item)) return [];
    const wireName = wireNameOf(rule, item);
    const name = identifierOf(overlayText(rule.name, item.names, "of a field's name"));
    if (wireName === null || name === "") return [];
    const { extract } = rule;
    return [{ name, type: typeOf(rule, item), ...placeOf(extract, item, wireName) }];
  });
}

/** The first parts of one row of the API's schema that fields are made of, and how many more it has. */
export function fieldItems(
  rule: DynamicFields,
  row: Json,
  parent: Json,
  most: number,
): { readonly items: readonly FieldItem[]; readonly more: number } {
  const itemOf = (field: Json, key: string | null): FieldItem => ({
    names: { row, parent, field, field_key: key },
  });
  const found = followKeys(row, rule.from.path);
  const value = found.found ? found.value : null;
  if (rule.from.kind === "array") {
    const all = isArray(value) ? value : [];
    const items = all.slice(0, most).map((field) => itemOf(field, null));
    return { items, more: all.length - items.length };
  }
  const members = isObject(value) ? Object.entries(value) : [];
  const items = members.slice(0, most).map(([key, field]) => itemOf(field, key));
  return { items, more: members.length - items.length };
}

function scalarAt({ names: { field } }: FieldItem, path: readonly string[]): string | null {
  const found = followKeys(field, path);
  return found.found && isScalar(found.value) ? jsonText(found.value) : null;
}

/** An empty path is the key of an object map, or the item itself. */
function wireNameOf({ wireNamePath }: DynamicFields, item: FieldItem): string | null {
  const { field_key: key } = item.names;
  if (wireNamePath.length === 0 && key !== null) return key;
  return scalarAt(item, wireNamePath) ?? key;
}

function isSkipped({ skip }: DynamicFields, item: FieldItem): boolean {
  if (skip === undefined) return false;
  const { field_key: key } = item.names;
  const value =
    skip.wireNamePath.length === 0 && key !== null ? key : scalarAt(item, skip.wireNamePath);
  return value !== null && skip.valuesIn.includes(value);
}

function typeOf({ wireTypePath, typeMap, defaultType }: DynamicFields, item: FieldItem): ValueType {
  return typeMap.get(scalarAt(item, wireTypePath) ?? "") ?? defaultType;
}

function placeOf(
  extract: Extract,
  { names }: FieldItem,
  wireName: string,
): Omit<ProjectedField, "name" | "type"> {
  switch (extract.kind) {
    case "top_level_key":
      return { path: [wireName] };
    case "path_segments":
      return {
        path: extract.segments.map((text) => overlayText(text, names, "of a path segment")),
      };
    case "name_value_array": {
      const { arrayPath, matchKeyField, matchEquals, valueField } = extract;
      const equals = overlayText(matchEquals, names, "of match_equals");
      return { path: arrayPath, lookup: { equals, matchKeyField, valueField } };
    }
  }
}
