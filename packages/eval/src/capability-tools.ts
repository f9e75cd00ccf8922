import type { Capability, Catalog, Entity } from "@plasm/core";
import {
  callResult,
  capabilitySlots,
  keyParts,
  providedFields,
  type Slot,
} from "@plasm/core/internal";
import {
  described,
  schemaOfInput,
  type JsonSchema,
  objectSchema,
  slotSchemas,
  valueSchema,
} from "./json-schemas.ts";

/** A tool as `tools/list` has it. */
export interface CapabilityTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/**
 * The yardstick of TEACH-41: one compact JSON-schema tool per capability, from the same catalog and with what an
 * agent needs that has nothing else. The name is unique among catalogs. The description is the capability's
 * own; a read, whose answer no schema describes, says before it what it gives, and so does whatever has no words of
 * its own. Parameters have types, options and descriptions, key parts like any other; one without words of its own
 * has those of the entity's field that it sets or tests, as in rows; a reference says whose key it takes; a
 * paged list takes its page. Nothing is said that JSON Schema takes for granted. With `outputs`,
 * which the yardstick leaves out, a tool also lists the fields that it answers with, as rows do.
 */
export function capabilityTools(
  catalog: Catalog,
  { outputs = false }: { readonly outputs?: boolean } = {},
): readonly CapabilityTool[] {
  const exposed = [...catalog.cgs.capabilities.values()].filter(
    ({ entity }) => catalog.cgs.entities.get(entity)?.abstract === false,
  );
  return exposed.map((capability) => {
    const output = outputs ? outputSchema(catalog, capability) : undefined;
    return {
      name: `${catalog.entryId}_${capability.name}`,
      description: descriptionOf(catalog, capability),
      inputSchema: parameters(catalog, capability),
      ...(output === undefined ? {} : { outputSchema: output }),
    };
  });
}

function descriptionOf(catalog: Catalog, { kind, entity, description }: Capability): string {
  const what = catalog.cgs.entities.get(entity)?.description ?? "";
  if (description === "") return `${kind} ${what}`;
  const reads = kind === "query" || kind === "search" || kind === "get";
  return reads && what !== "" ? `${what}: ${description}` : description;
}

function parameters(catalog: Catalog, capability: Capability): JsonSchema {
  const entity = catalog.cgs.entities.get(capability.entity);
  const { slots, union } = capabilitySlots(catalog, capability);
  const key = capability.needsIdentity && entity !== undefined ? keyParts(entity) : [];
  const own = slotSchemas(
    catalog,
    slots.map((slot) => ({ ...slot, description: slot.description || ofField(entity, slot) })),
  );
  const schema = objectSchema({
    properties: {
      ...fieldSchemas(catalog, capability.entity, key),
      ...own.properties,
      ...pageParameters(catalog, capability),
    },
    required: [...key, ...own.required],
  });
  return union === null ? schema : { ...schema, ...schemaOfInput(catalog, union) };
}

/** What the field of a slot's name and type says of itself, which rows say once for both. */
function ofField(entity: Entity | undefined, { name, input }: Slot): string {
  const field = entity?.fields.get(name);
  if (field === undefined || input.kind !== "value") return "";
  return JSON.stringify(field.type) === JSON.stringify(input.type) ? field.description : "";
}

function fieldSchemas(
  catalog: Catalog,
  entity: string,
  names: readonly string[],
): Readonly<Record<string, JsonSchema>> {
  const fields = catalog.cgs.entities.get(entity)?.fields;
  return Object.fromEntries(
    names.map((name) => {
      const field = fields?.get(name);
      return [name, described(valueSchema(catalog, field?.type), field?.description ?? "")];
    }),
  );
}

/** The parameters by which a caller pages: counters and cursors, not fixed values (RUN-071, RUN-072). */
function pageParameters(
  catalog: Catalog,
  capability: Capability,
): Readonly<Record<string, JsonSchema>> {
  const template = catalog.cml.get(capability.name);
  if (template === undefined || !("pagination" in template)) return {};
  const params = template.pagination?.params ?? [];
  return Object.fromEntries(
    params.flatMap(({ name, form }) =>
      form === "fixed" || form === "size"
        ? []
        : [[name, { type: form === "counter" ? "integer" : "string" }]],
    ),
  );
}

function outputSchema(catalog: Catalog, capability: Capability): JsonSchema | undefined {
  const result = callResult(catalog, capability);
  if (result.kind !== "rows") return undefined;
  const filled = providedFields(catalog.cgs, capability);
  const fields = catalog.cgs.entities.get(result.entity)?.fields;
  const names = (filled.length > 0 ? filled : [...(fields?.keys() ?? [])]).filter(
    (name) => fields?.has(name) === true,
  );
  const properties = fieldSchemas(catalog, result.entity, names);
  const row = objectSchema({ properties, required: [] });
  if (result.card === "one") return row;
  return objectSchema({ properties: { items: { type: "array", items: row } }, required: [] });
}
