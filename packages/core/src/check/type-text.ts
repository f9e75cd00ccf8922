import { catalogOf } from "../federation/entity-of.ts";
import { keyParts } from "../schema/key-parts.ts";
import type { Exposure } from "../symbols/exposure.ts";
import type { ValueType } from "../values/value-type.ts";
import { valueTypeText } from "../values/value-type-text.ts";
import type { ColumnType } from "./row-type.ts";

/**
 * A type as TEACH-21 writes it, references always as `Entity(keytype)`, so that the text does not
 * depend on what else is exposed.
 */
export function typeText(exposure: Exposure, column: ColumnType): string {
  const { type, entryId } = column;
  return valueTypeText(type, {
    option: (option) => option,
    reference: (target) => (entryId === null ? target : referenceText(exposure, entryId, target)),
  });
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
