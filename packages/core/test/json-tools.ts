import { capabilitySlots } from "../src/mapping/capability-slots.ts";
import type { Catalog } from "../src/mapping/catalog.ts";
import type { Capability } from "../src/schema/capability.ts";
import type { InputType, Slot } from "../src/schema/input.ts";
import { keyParts } from "../src/schema/key-parts.ts";
import type { ValueType } from "../src/values/value-type.ts";

/**
 * The yardstick of TEACH-41: one compact JSON-schema tool per capability of the same catalog: a name
 * that is unique among catalogs, description, typed parameters with options (a reference says whose id
 * it is, a paged list takes its page), no output schema, minified.
 */
export function jsonTools(catalog: Catalog, entities: readonly string[]): string {
  const tools = [...catalog.cgs.capabilities.values()]
    .filter((capability) => entities.includes(capability.entity))
    .map((capability) => tool(catalog, capability));
  return JSON.stringify(tools);
}

function tool(catalog: Catalog, capability: Capability): object {
  const entity = catalog.cgs.entities.get(capability.entity);
  const { slots, union } = capabilitySlots(catalog, capability);
  const key = capability.needsIdentity && entity ? keyParts(entity) : [];
  const identity = key.map((name) => [name, valueSchema(entity?.fields.get(name)?.type)] as const);
  const properties = [
    ...identity,
    ...slots.map((slot) => [slot.name, slotSchema(slot)] as const),
    ...pageParameters(catalog, capability),
  ];
  const required = [...key, ...slots.filter((slot) => slot.required).map((slot) => slot.name)];
  const description = capability.description || `${capability.kind} ${entity?.description ?? ""}`;
  return {
    name: `${catalog.entryId}_${capability.name}`,
    description,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
      ...(union === null ? {} : inputSchema(union)),
    },
  };
}

/** The parameters by which a caller pages: counters and cursors, not fixed values (RUN-071, RUN-072). */
function pageParameters(
  catalog: Catalog,
  capability: Capability,
): readonly (readonly [string, object])[] {
  const template = catalog.cml.get(capability.name);
  if (template === undefined || !("pagination" in template)) return [];
  return (template.pagination?.params ?? []).flatMap((param) => {
    if (param.form === "fixed") return [];
    return [[param.name, { type: param.form === "counter" ? "integer" : "string" }] as const];
  });
}

function slotSchema(slot: Slot): object {
  const schema = inputSchema(slot.input);
  return slot.description === "" ? schema : { ...schema, description: slot.description };
}

function inputSchema(input: InputType): object {
  switch (input.kind) {
    case "none":
      return {};
    case "value":
      return valueSchema(input.type);
    case "array":
      return { type: "array", items: inputSchema(input.element) };
    case "object":
      return fieldsSchema(input.fields, {});
    case "union":
      return {
        oneOf: input.variants.map((variant) =>
          fieldsSchema(variant.fields, { [input.wireField]: { const: variant.wireValue } }),
        ),
      };
  }
}

function fieldsSchema(fields: readonly Slot[], first: Record<string, object>): object {
  const properties = Object.fromEntries(fields.map((field) => [field.name, slotSchema(field)]));
  const required = fields.filter((field) => field.required).map((field) => field.name);
  return {
    type: "object",
    properties: { ...first, ...properties },
    required: [...Object.keys(first), ...required],
  };
}

function valueSchema(type: ValueType | undefined): object {
  switch (type?.kind) {
    case "number":
    case "integer":
    case "boolean":
      return { type: type.kind };
    case "select":
      return { type: "string", enum: type.options };
    case "multi_select":
      return { type: "array", items: { type: "string", enum: type.options } };
    case "array":
      return { type: "array", items: valueSchema(type.items) };
    case "date":
      return { type: "string", format: type.format === "iso8601_date" ? "date" : "date-time" };
    case "uuid":
      return { type: "string", format: "uuid" };
    case "json":
      return {};
    case "entity_ref":
      return { type: "string", description: `${type.target} id` };
    case "string":
    case "blob":
    case undefined:
      return { type: "string" };
  }
}
