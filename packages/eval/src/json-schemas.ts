import type { Catalog, InputType, ValueType } from "@plasm/core";
import { keyParts, type Slot } from "@plasm/core/internal";

/** A JSON Schema, as short as it can be written. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Named schemas, some of them required: what an object takes. */
interface NamedSchemas {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** The schema of an object; an empty list of required names is left out. */
export const objectSchema = ({ properties, required }: NamedSchemas): JsonSchema => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required } : {}),
});

/** A schema with what its slot or field says of itself. */
export const described = (schema: JsonSchema, description: string): JsonSchema =>
  description === "" ? schema : { ...schema, description };

/** The schemas of slots by name. */
export function slotSchemas(catalog: Catalog, slots: readonly Slot[]): NamedSchemas {
  const each = (slot: Slot) =>
    [slot.name, described(schemaOfInput(catalog, slot.input), slot.description)] as const;
  return {
    properties: Object.fromEntries(slots.map(each)),
    required: slots.filter((slot) => slot.required).map((slot) => slot.name),
  };
}

/** The schema of an input of any shape. */
export function schemaOfInput(catalog: Catalog, input: InputType): JsonSchema {
  switch (input.kind) {
    case "none":
      return {};
    case "value":
      return valueSchema(catalog, input.type);
    case "array":
      return { type: "array", items: schemaOfInput(catalog, input.element) };
    case "object":
      return objectSchema(slotSchemas(catalog, input.fields));
    case "union":
      return {
        oneOf: input.variants.map((variant) => {
          const { properties, required } = slotSchemas(catalog, variant.fields);
          return objectSchema({
            properties: { [input.wireField]: { const: variant.wireValue }, ...properties },
            required: [input.wireField, ...required],
          });
        }),
      };
  }
}

/** The schema of a value: a reference says whose key it takes, a compound one each of its parts. */
export function valueSchema(catalog: Catalog, type: ValueType | undefined): JsonSchema {
  switch (type?.kind) {
    case "number":
    case "integer":
    case "boolean":
      return { type: type.kind };
    case "select":
      return { type: "string", ...(type.options.length > 0 ? { enum: type.options } : {}) };
    case "multi_select":
      return { type: "array", items: { type: "string", enum: type.options } };
    case "array":
      return { type: "array", items: valueSchema(catalog, type.items) };
    case "date":
      return { type: "string", format: type.format === "iso8601_date" ? "date" : "date-time" };
    case "uuid":
      return { type: "string", format: "uuid" };
    case "json":
      return {};
    case "entity_ref":
      return referenceSchema(catalog, type.target);
    case "string":
    case "blob":
    case undefined:
      return { type: "string" };
  }
}

function referenceSchema(catalog: Catalog, target: string): JsonSchema {
  const entity = catalog.cgs.entities.get(target);
  const parts = entity === undefined ? [] : keyParts(entity);
  if (parts.length < 2) return { type: "string", description: `${target} id` };
  const properties = parts.map((part) => {
    const type = entity?.fields.get(part)?.type;
    const flat = type?.kind === "entity_ref" ? undefined : type;
    return [part, valueSchema(catalog, flat)] as const;
  });
  const schema = objectSchema({ properties: Object.fromEntries(properties), required: parts });
  return described(schema, target);
}
