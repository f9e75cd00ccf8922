import { catalogOf } from "../federation/entity-of.ts";
import { keyParts } from "../schema/key-parts.ts";
import type { Exposure } from "../symbols/exposure.ts";
import type { ValueType } from "../values/value-type.ts";
import type { ColumnType } from "./row-type.ts";

/**
 * A type as TEACH-21 writes it, references always as `Entity(keytype)`, so that the text does not
 * depend on what else is exposed.
 */
export function typeText(exposure: Exposure, column: ColumnType): string {
  const { type, entryId } = column;
  switch (type.kind) {
    case "string":
      return type.semantics === "short" ? "str" : type.semantics;
    case "uuid":
    case "blob":
    case "json":
      return type.kind;
    case "number":
      return "num";
    case "integer":
      return "int";
    case "boolean":
      return "bool";
    case "date":
      return type.format === "iso8601_date" ? "date" : "datetime";
    case "select":
      return optionsText(type.options);
    case "multi_select":
      return `[${optionsText(type.options)}]`;
    case "array":
      return `[${typeText(exposure, { entryId, type: type.items })}]`;
    case "entity_ref":
      return entryId === null ? type.target : referenceText(exposure, entryId, type.target);
  }
}

function optionsText(options: readonly string[]): string {
  return options.length === 0 ? "str" : options.join("|");
}

function referenceText(exposure: Exposure, entryId: string, target: string): string {
  const types = keyTypes(exposure, entryId, target).map(([, type]) =>
    type.kind === "entity_ref" ? type.target : typeText(exposure, { entryId, type }),
  );
  return `${target}(${types.join(", ")})`;
}

/** The key parts of an entity with their types; a part that is no field is text (RUN-046). */
export function keyTypes(
  exposure: Exposure,
  entryId: string,
  entityName: string,
): readonly (readonly [part: string, type: ValueType])[] {
  const entity = catalogOf(exposure.catalogs, entryId).cgs.entities.get(entityName);
  if (entity === undefined) return [];
  return keyParts(entity).map((part) => [
    part,
    entity.fields.get(part)?.type ?? { kind: "string", semantics: "short" },
  ]);
}
