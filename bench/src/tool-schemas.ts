import { slotsOf, type Capability, type Catalog } from "@plasm/core";

/** One compact JSON-schema tool per capability: what a host without Plasm would be given (TEACH-41). */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

function toolOf(capability: Capability): ToolSchema {
  const slots = slotsOf(capability);
  const properties = Object.fromEntries(
    slots.map((slot) => [slot.name, { type: "string", description: slot.description }]),
  );
  const required = slots.filter((slot) => slot.required).map((slot) => slot.name);
  return {
    name: capability.name,
    description: capability.description,
    inputSchema: { type: "object", properties, required },
  };
}

export const toolSchemas = (catalog: Catalog): readonly ToolSchema[] =>
  [...catalog.cgs.capabilities.values()].map(toolOf);
