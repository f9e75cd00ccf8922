import type { Catalog, Json, ValueType } from "@plasm/core";
import {
  coerceValue,
  type DynamicFields,
  type ProjectedEntity,
  type ProjectedField,
  type ProjectedOverlay,
  type ProjectedScope,
  type SchemaOverlay,
} from "@plasm/core/internal";
import { isArray, isObject, isScalar, jsonText } from "../base/json-kinds.ts";
import { itemsAt, type OverlayDocuments } from "./overlay-document.ts";
import { identifierOf, overlayText } from "./overlay-template.ts";
import { followKeys } from "../decode/response-body.ts";

/** RUN-103's limits of what one overlay adds. */
const MOST_ENTITIES = 500;
const MOST_FIELDS = 300;

/**
 * How much of an API's schema is looked at: templates run over each part of it, and many parts may come to
 * the same few names.
 */
const MOST_ROWS = 10_000;
const MOST_ITEMS = MOST_ENTITIES * MOST_FIELDS;

/** An overlay as projected, and what was left out of it. */
export interface Projection {
  readonly overlay: ProjectedOverlay;
  readonly notes: readonly string[];
}

/** A row of the API's schema, and the item it stands in where rows are nested. */
interface SchemaRow {
  readonly row: Json;
  readonly parent: Json;
}

/**
 * Makes an overlay of what was read (RUN-103): pure, so that the same schema gives the same effective
 * digest. Names become identifiers, and names that exist already win. Throws RunFailure.
 */
export function projectOverlay(
  catalog: Catalog,
  rule: SchemaOverlay,
  documents: OverlayDocuments,
): Projection {
  const all = documents.flatMap((body) => schemaRows(rule, body));
  const rows = all.slice(0, MOST_ROWS);
  const left = { taken: 0, many: 0, fields: 0, rows: all.length - rows.length, items: 0 };
  const project = rule.mode === "augment_base" ? augmented : added;
  const overlay = project({ catalog, rule, rows, left, items: MOST_ITEMS });
  return { overlay, notes: notesOf(left) };
}

/** What was left out, counted. */
interface Left {
  taken: number;
  many: number;
  fields: number;
  readonly rows: number;
  items: number;
}

interface Projecting {
  readonly catalog: Catalog;
  readonly rule: SchemaOverlay;
  readonly rows: readonly SchemaRow[];
  readonly left: Left;
  /** how many parts may still be looked at for fields */
  items: number;
}

function schemaRows({ itemsPath, nestedItemsPath }: SchemaOverlay, body: Json): SchemaRow[] {
  const items = itemsAt(body, itemsPath);
  if (nestedItemsPath === undefined) return items.map((row) => ({ row, parent: null }));
  return items.flatMap((parent) => {
    if (!isObject(parent)) return [];
    return itemsAt(parent, nestedItemsPath).map((row) => ({ row, parent }));
  });
}

/** An entity per row of the schema. */
function added(work: Projecting): ProjectedOverlay {
  const { catalog, rule, rows, left } = work;
  const taken = takenNames(catalog);
  const entities: ProjectedEntity[] = [];
  const scopes: ProjectedScope[] = [];
  for (const each of rows) {
    const name = entityName(rule, each);
    if (name === "" || taken.has(name)) left.taken += 1;
    else if (entities.length === MOST_ENTITIES) left.many += 1;
    else {
      taken.add(name);
      const aliases = aliasesOf(rule, each).filter((alias) => alias !== "" && !taken.has(alias));
      for (const alias of aliases) taken.add(alias);
      const fields = ownFields(work, [each]);
      entities.push({ name, aliases: [...new Set(aliases)], fields });
      scopes.push({ entity: name, ...scopeOf(catalog, rule, each) });
    }
  }
  return { entities, scopes };
}

/** The template entity itself with the fields of all rows of the schema. */
function augmented(work: Projecting): ProjectedOverlay {
  const { catalog, rule, rows } = work;
  const name = rule.entity.fromTemplate;
  const fields = ownFields(work, rows);
  const scopes = rows.map((each) => ({ entity: name, ...scopeOf(catalog, rule, each) }));
  const keyed = scopes.filter(({ key }) => key !== null);
  return { entities: [{ name, aliases: [], fields }], scopes: keyed };
}

function takenNames({ cgs }: Catalog): Set<string> {
  return new Set([...cgs.entities.values()].flatMap(({ name, aliases }) => [name, ...aliases]));
}

const entityName = ({ entity }: SchemaOverlay, names: SchemaRow): string =>
  identifierOf(
    overlayText(entity.name ?? entity.fromTemplate, { ...names }, "of an entity's name"),
  );

const aliasesOf = ({ entity }: SchemaOverlay, names: SchemaRow): readonly string[] =>
  entity.expressionAliases.map((text) =>
    identifierOf(overlayText(text, { ...names }, "of an alias")),
  );

/** Static fields, then dynamic ones, but for names that the template entity has. */
function ownFields(work: Projecting, rows: readonly SchemaRow[]): readonly ProjectedField[] {
  const { catalog, rule, left } = work;
  const { fromTemplate, staticFields, dynamicFields } = rule.entity;
  const template = catalog.cgs.entities.get(fromTemplate);
  const known = new Set([
    ...(template?.fields.keys() ?? []),
    ...(template?.relations.keys() ?? []),
  ]);
  const fixed = [...staticFields].map(([name, { type }]) => ({ name, type, path: [name] }));
  const read =
    dynamicFields === undefined
      ? []
      : rows.flatMap(({ row, parent }) => {
          const { items, more } = fieldItems(dynamicFields, row, parent, work.items);
          work.items -= items.length;
          left.items += more;
          return projectFields(dynamicFields, items);
        });
  const fields = new Map<string, ProjectedField>();
  for (const field of [...fixed, ...read]) {
    if (known.has(field.name) || fields.has(field.name)) continue;
    if (fields.size < MOST_FIELDS) fields.set(field.name, field);
    else left.fields += 1;
  }
  return [...fields.values()];
}

function scopeOf(catalog: Catalog, { entity }: SchemaOverlay, names: SchemaRow) {
  const { scopeKey, staticFields, fromTemplate } = entity;
  const own = catalog.cgs.entities.get(fromTemplate)?.fields;
  const statics = [...staticFields].map(([name, { template, type }]) => {
    const text = overlayText(template, { ...names }, `of static field ${name}`);
    const coerced = coerceValue(text, own?.get(name)?.type ?? type);
    return [name, "value" in coerced ? coerced.value : text] as const;
  });
  const key =
    scopeKey === undefined ? null : overlayText(scopeKey, { ...names }, "of the scope key");
  return { key, statics: Object.fromEntries(statics) };
}

function notesOf(left: Left): readonly string[] {
  return [
    ...(left.rows === 0 ? [] : [`${left.rows} parts of it not looked at: at most ${MOST_ROWS}`]),
    ...(left.taken === 0 ? [] : [`${left.taken} entities left out: their names are taken`]),
    ...(left.many === 0 ? [] : [`${left.many} entities left out: at most ${MOST_ENTITIES}`]),
    ...(left.fields === 0 ? [] : [`${left.fields} fields left out: at most ${MOST_FIELDS} each`]),
    ...(left.items === 0 ? [] : [`${left.items} fields not looked at: at most ${MOST_ITEMS}`]),
  ];
}

/** A part of the API's schema that a field is made of, with the names its templates see. */
interface FieldItem {
  readonly names: {
    readonly row: Json;
    readonly parent: Json;
    readonly field: Json;
    readonly field_key: string | null;
  };
}

type Extract = DynamicFields["extract"];

/** The fields that parts of the API's schema are; those without a name are left out (RUN-103). */
function projectFields(
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
function fieldItems(
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
